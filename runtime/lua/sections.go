package lua

import (
	"slices"
	"strings"
)

const mark = "---- "

// sections takes the file of an algorithm apart. A section begins with a line
// that has its name after the mark, and for some what is listed.
func sections(k Kind) map[string]string {
	parts := map[string]string{"mark": string(k.Mark()), "shared": "", "uses": ""}
	for _, section := range strings.Split(file(k.file()), "\n"+mark)[1:] {
		head, body, _ := strings.Cut(section, "\n")
		name, list, _ := strings.Cut(head, " ")
		switch name {
		case "args":
			parts["format"], parts["args"], _ = strings.Cut(list, " ")
		case "uses":
			parts["uses"] = list
		case "check":
			parts["kept"] = list
			fallthrough
		default:
			parts[name] = fill(strings.TrimSpace(body)+"\n", includes)
		}
	}
	return parts
}

// includes are parts that two algorithms have in common.
var includes = map[string]string{"level": file("frame/level"), "giveback": file("frame/giveback")}

func single(k Kind) string {
	parts := sections(k)
	parts["uses"] = used(strings.Fields(parts["uses"]))
	return fill(file("frame/single"), parts)
}

// composite returns the script of frame for buckets of the given kinds, with
// the functions that are wanted for each.
func composite(of Kinds, frame string, wanted ...string) string {
	var functions strings.Builder
	var uses []string
	for k := range kinds {
		if of == of.With(k) {
			parts := sections(k)
			uses = append(uses, strings.Fields(parts["uses"])...)
			functions.WriteString(block(parts, wanted))
		}
	}
	return fill(file("frame/"+frame), map[string]string{"uses": used(uses), "functions": functions.String()})
}

func block(parts map[string]string, wanted []string) string {
	text := parts["shared"]
	for _, name := range wanted {
		text += fill(file("frame/"+name), parts)
	}
	return "do\n" + indent(text, "  ") + "end\n"
}

// used returns the functions of the given names, each once.
func used(names []string) string {
	text := ""
	for i, name := range names {
		if !slices.Contains(names[:i], name) {
			text += file("frame/" + name)
		}
	}
	return text
}

// fill puts parts into the places of a frame that have their names. A part
// that has a line to itself is indented as that is.
func fill(frame string, parts map[string]string) string {
	var out strings.Builder
	for line := range strings.Lines(frame) {
		out.WriteString(fillLine(line, parts))
	}
	return out.String()
}

func fillLine(line string, parts map[string]string) string {
	for name, part := range parts {
		place := "{{" + name + "}}"
		if strings.TrimSpace(line) == place {
			return indent(part, line[:strings.Index(line, place)])
		}
		line = strings.ReplaceAll(line, place, part)
	}
	return line
}

func indent(text, by string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		if line = strings.TrimSuffix(line, "\n"); line != "" {
			line = by + line
		}
		out.WriteString(line + "\n")
	}
	return out.String()
}
