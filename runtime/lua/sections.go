package lua

import "strings"

const mark = "---- "

// sections takes the file of an algorithm apart. A section begins with a line
// that has its name after the mark, and for args and check what is listed.
func sections(text string) map[string]string {
	parts := map[string]string{"shared": ""}
	for _, section := range strings.Split(text, "\n"+mark)[1:] {
		head, body, _ := strings.Cut(section, "\n")
		name, list, _ := strings.Cut(head, " ")
		switch name {
		case "args":
			parts["format"], parts["args"], _ = strings.Cut(list, " ")
		case "check":
			parts["kept"] = list
		}
		if name != "args" {
			parts[name] = strings.TrimSpace(body)
		}
	}
	return parts
}

// fill puts parts into the places of a frame that have their names, as deep as
// the places are.
func fill(frame string, parts map[string]string) string {
	var out strings.Builder
	for line := range strings.Lines(file("frame/" + frame)) {
		for name, part := range parts {
			place := "{{" + name + "}}"
			if strings.TrimSpace(line) == place {
				part = indent(part, line[:strings.Index(line, place)])
				place += "\n"
				line = strings.TrimLeft(line, " ")
			}
			line = strings.ReplaceAll(line, place, part)
		}
		out.WriteString(line)
	}
	return out.String()
}

func indent(text, by string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" {
			out.WriteString(by)
		}
		out.WriteString(strings.TrimSuffix(line, "\n") + "\n")
	}
	return out.String()
}
