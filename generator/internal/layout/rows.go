package layout

import (
	"bytes"
	"slices"
)

// rows is a chunk, or what is left of it without lines that are like those
// before them.
type rows struct {
	chunk
	stand []int32 // for each token of the whole, that which stands for it; nil where it is whole
}

// fewest is how many tokens a chunk has whose rows are worth a look.
var fewest = 200

// rows leaves of each run of lines that are alike, and complete in themselves, the
// first two.
func (c chunk) rows() rows {
	if c.exact || len(c.tokens) < fewest {
		return rows{chunk: c}
	}
	left := rows{chunk: chunk{src: c.src, tokens: make([]piece, 0, len(c.tokens))}}
	var last, key []byte
	run := 0
	for row := range c.lines() {
		key = chunk{src: c.src, tokens: row}.key(key[:0])
		if bytes.Equal(key, last) && balanced(row, c.src) {
			run++
		} else {
			run = 1
		}
		last = append(last[:0], key...)
		if run <= 2 {
			left.tokens = append(left.tokens, row...)
		}
		for i := range row {
			left.stand = append(left.stand, int32(len(left.tokens)-len(row)+i))
		}
	}
	return left
}

// lines are the tokens of each line.
func (c chunk) lines() func(yield func([]piece) bool) {
	return func(yield func([]piece) bool) {
		for rest := c.tokens; len(rest) > 0; {
			n := 1 + slices.IndexFunc(rest[1:], func(p piece) bool { return p.lines > 0 })
			if n == 0 {
				n = len(rest)
			}
			if !yield(rest[:n]) {
				return
			}
			rest = rest[n:]
		}
	}
}

// balanced reports whether all brackets of a line are opened and closed in it.
func balanced(row []piece, src string) bool {
	depth := 0
	for _, p := range row {
		switch p.text(src) {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		}
		if depth < 0 {
			return false
		}
	}
	return depth == 0
}

// cut reports whether lines are left out.
func (r rows) cut() bool { return len(r.stand) > len(r.tokens) }

// like is the token of those left that stands for the i-th of the whole.
func (r rows) like(i int) int {
	if r.stand == nil {
		return i
	}
	return int(r.stand[i])
}

// text is the source of what is left.
func (r rows) text() string {
	if !r.cut() {
		return r.chunk.text()
	}
	var text []byte
	for _, p := range r.tokens {
		switch p.lines {
		case 0:
			text = append(text, ' ')
		case 1:
			text = append(text, '\n')
		default:
			text = append(text, "\n\n"...)
		}
		text = append(text, p.text(r.src)...)
	}
	return string(text)
}
