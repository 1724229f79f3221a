package layout

import (
	"go/format"
	"strings"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/parallel"
)

// Source formats the text of a file, as go/format does. The file may be divided
// anywhere between declarations.
func Source(src ...string) ([]byte, error) {
	if out, ok := byShape(src); ok {
		return out, nil
	}
	return format.Source([]byte(strings.Join(src, "\n\n")))
}

// shape is what chunks have in common that differ in texts alone which have no
// influence on the blanks.
type shape struct {
	first  rows
	text   string   // of the first one, formatted
	blanks []string // before each token; nil where there is but one chunk, which is whole
	many   bool
}

// byShape formats a file, and reports whether it could.
func byShape(src []string) ([]byte, bool) {
	chunks, ok := scanAll(src)
	if !ok {
		return nil, false
	}
	shapes, of := shapesOf(chunks)
	if !formatFirst(shapes) {
		return nil, false
	}
	size := 0
	for _, text := range src {
		size += len(text) + len(text)/8
	}
	out := make([]byte, 0, size)
	for i, c := range chunks {
		if i > 0 {
			out = append(out, "\n\n"...)
		}
		out = of[i].append(out, c)
	}
	return append(out, '\n'), true
}

// scanAll are the chunks of all parts of a file.
func scanAll(src []string) (all []chunk, ok bool) {
	type scanned struct {
		chunks []chunk
		ok     bool
	}
	for _, part := range parallel.Map(src, func(src string) scanned {
		chunks, ok := scan(src)
		return scanned{chunks, ok}
	}) {
		if !part.ok {
			return nil, false
		}
		all = append(all, part.chunks...)
	}
	return all, len(all) > 0
}

// shapesOf are the shapes of chunks, in the order in which they appear first,
// and that of each.
func shapesOf(chunks []chunk) (all, of []*shape) {
	known := map[string]*shape{}
	var key []byte
	for _, c := range chunks {
		key = c.key(key[:0])
		s := known[string(key)]
		if s == nil {
			s = &shape{first: c.rows()}
			known[string(key)] = s
			all = append(all, s)
		} else {
			s.many = true
		}
		of = append(of, s)
	}
	return all, of
}

// formatFirst has gofmt format the first chunk of each shape, all of them in
// one file.
func formatFirst(shapes []*shape) bool {
	var file strings.Builder
	for _, s := range shapes {
		file.WriteString(s.first.text())
		file.WriteString("\n\n")
	}
	out, err := format.Source([]byte(file.String()))
	if err != nil {
		return false
	}
	chunks, ok := scan(string(out))
	if !ok || len(chunks) != len(shapes) {
		return false
	}
	for i, s := range shapes {
		s.text = chunks[i].text()
		if (s.many || s.first.cut()) && !s.learn(chunks[i]) {
			return false
		}
	}
	return true
}

// learn takes the blanks of a formatted chunk, if it has the same tokens as
// before.
func (s *shape) learn(c chunk) bool {
	if len(c.tokens) != len(s.first.tokens) {
		return false
	}
	end := c.tokens[0].start
	for i, t := range c.tokens {
		if t.text(c.src) != s.first.tokens[i].text(s.first.src) {
			return false
		}
		s.blanks = append(s.blanks, c.src[end:t.start])
		end = t.end
	}
	return true
}

// append appends a chunk of the shape, formatted.
func (s *shape) append(out []byte, c chunk) []byte {
	if s.blanks == nil {
		return append(out, s.text...)
	}
	for i, t := range c.tokens {
		out = append(out, s.blanks[s.first.like(i)]...)
		out = append(out, t.text(c.src)...)
	}
	return out
}
