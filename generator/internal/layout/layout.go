package layout

import (
	"go/format"
	"strings"
)

// Source formats the text of a file, as go/format does.
func Source(src []byte) ([]byte, error) {
	if out, ok := byShape(string(src)); ok {
		return out, nil
	}
	return format.Source(src)
}

// shape is what chunks have in common that differ in texts alone which have no
// influence on the blanks.
type shape struct {
	first  rows
	text   string   // of the first one, formatted
	blanks []string // before each token; nil where there is but one chunk, which is whole
	many   bool
}

// byShape formats a file of which it reports whether it could.
func byShape(src string) ([]byte, bool) {
	chunks, ok := scan(src)
	if !ok {
		return nil, false
	}
	shapes, of := shapesOf(src, chunks)
	if !formatFirst(src, shapes) {
		return nil, false
	}
	out := make([]byte, 0, len(src)+len(src)/8)
	for i, c := range chunks {
		if i > 0 {
			out = append(out, "\n\n"...)
		}
		out = of[i].append(out, src, c)
	}
	return append(out, '\n'), true
}

// shapesOf are the shapes of chunks, in the order in which they appear first, and that
// of each.
func shapesOf(src string, chunks []chunk) (all, of []*shape) {
	known := map[string]*shape{}
	var key []byte
	for _, c := range chunks {
		key = c.key(key[:0], src)
		s := known[string(key)]
		if s == nil {
			s = &shape{first: c.rows(src)}
			known[string(key)] = s
			all = append(all, s)
		} else {
			s.many = true
		}
		of = append(of, s)
	}
	return all, of
}

// formatFirst has gofmt format the first chunk of each shape, all of them in one
// file.
func formatFirst(src string, shapes []*shape) bool {
	var file strings.Builder
	for _, s := range shapes {
		file.WriteString(s.first.text(src))
		file.WriteString("\n\n")
	}
	out, err := format.Source([]byte(file.String()))
	if err != nil {
		return false
	}
	formatted := string(out)
	chunks, ok := scan(formatted)
	if !ok || len(chunks) != len(shapes) {
		return false
	}
	for i, s := range shapes {
		s.text = chunks[i].text(formatted)
		if (s.many || s.first.cut()) && !s.learn(src, formatted, chunks[i]) {
			return false
		}
	}
	return true
}

// learn takes the blanks of a formatted chunk, if it has the same tokens as
// before.
func (s *shape) learn(src, formatted string, c chunk) bool {
	if len(c.tokens) != len(s.first.tokens) {
		return false
	}
	end := c.tokens[0].start
	for i, t := range c.tokens {
		if t.text(formatted) != s.first.tokens[i].text(src) {
			return false
		}
		s.blanks = append(s.blanks, formatted[end:t.start])
		end = t.end
	}
	return true
}

// append appends a chunk of the shape, formatted.
func (s *shape) append(out []byte, src string, c chunk) []byte {
	if s.blanks == nil {
		return append(out, s.text...)
	}
	for i, t := range c.tokens {
		out = append(out, s.blanks[s.first.like(i)]...)
		out = append(out, t.text(src)...)
	}
	return out
}
