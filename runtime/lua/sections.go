package lua

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/ratelimitgen/ratelimitgen/internal/rules"
)

const mark = "---- "

// sectionTexts are the texts for the places of a frame, by name.
type sectionTexts map[string]string

// sections takes the file of an algorithm apart. A section begins with a line
// that has its name after the mark, and for some what is listed.
func sections(k Kind) sectionTexts {
	p := sectionTexts{"mark": string(k.Mark())}
	for _, section := range strings.Split(file(k.file()), "\n"+mark)[1:] {
		head, body, _ := strings.Cut(section, "\n")
		name, list, _ := strings.Cut(head, " ")
		switch name {
		case "args":
			p["format"], p["args"], _ = strings.Cut(list, " ")
			continue
		case "uses":
			p["uses"] = list
			continue
		case "check":
			p["kept"] = list
		case "after":
			p["answers"] = file("frame/" + cmp.Or(list, "alike"))
		}
		p[name] = fill(strings.TrimSpace(body)+"\n", includes)
	}
	return p
}

// includes are what two algorithms have in common in a section.
var includes = sectionTexts{"level": file("frame/level"), "giveback": file("frame/giveback")}

// Arguments returns how many arguments a script takes for one bucket.
func Arguments(k Kind) int {
	if k == Kind(rules.SlidingWindow) {
		return 3
	}
	return 2
}

// arguments says where in ARGV the arguments are.
func (p sectionTexts) arguments(first int) {
	for i, name := range []string{"asked", "ttl", "probe"} {
		p[name] = argumentAt(first + i)
	}
}

func argumentAt(i int) string { return "ARGV[" + strconv.Itoa(i) + "]" }

// single returns the script for one bucket.
func single(k Kind) string {
	p := sections(k)
	p.arguments(1)
	return fill(p.placed(fill(file("frame/single"), p), "1"), sectionTexts{"library": library(p)})
}

// placed puts the places of bucket n among KEYS and ARGV into a text that runs
// straight through.
func (p sectionTexts) placed(text, n string) string {
	return rename(text, map[string]string{"i": n, "ttl": p["ttl"], "probe": p["probe"]})
}

// rename puts others in the place of words of text. Scripts are made while calls wait
// for them, and a regular expression for the words takes ten times as long.
func rename(text string, others map[string]string) string {
	var out strings.Builder
	start := 0
	for i := 0; i <= len(text); i++ {
		if i < len(text) && ofWord(text[i]) {
			continue
		}
		word := text[start:i]
		out.WriteString(cmp.Or(others[word], word))
		out.WriteString(text[i:min(i+1, len(text))])
		start = i + 1
	}
	return out.String()
}

func ofWord(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
}

// composite returns the script of frame for buckets of the given kinds, with
// the functions that are wanted for each.
func composite(of Kinds, frame string, wanted ...string) string {
	var blocks strings.Builder
	var all []sectionTexts
	for k := range kinds {
		if of != of.With(k) {
			continue
		}
		p := sections(k)
		all = append(all, p)
		for _, name := range wanted {
			blocks.WriteString(fill(file("frame/"+name), p))
		}
	}
	return fill(file("frame/"+frame), sectionTexts{"library": library(all...), "functions": blocks.String()})
}

// library returns the functions that the sections use and share, each once.
func library(of ...sectionTexts) string {
	text := ""
	var seen []string
	for _, p := range of {
		texts := []string{p["shared"]}
		for name := range strings.FieldsSeq(p["uses"]) {
			texts = append(texts, file("frame/"+name))
		}
		for _, t := range texts {
			if !slices.Contains(seen, t) {
				seen = append(seen, t)
				text += t
			}
		}
	}
	return text
}

// fill puts texts into the places of a frame. One that has a line to itself is
// indented as that is.
func fill(frame string, texts sectionTexts) string {
	var out strings.Builder
	for line := range strings.Lines(frame) {
		out.WriteString(fillLine(line, texts))
	}
	return out.String()
}

func fillLine(line string, texts sectionTexts) string {
	for name, text := range texts {
		place := "{{" + name + "}}"
		if strings.TrimSpace(line) == place {
			return indent(text, line[:strings.Index(line, place)])
		}
		line = strings.ReplaceAll(line, place, strings.TrimSuffix(text, "\n"))
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
