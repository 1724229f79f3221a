package layout

// chunk is what stands between blank lines, outside of all brackets: a
// declaration with its comment, mostly.
type chunk struct {
	src    string // of which it is a part
	tokens []piece
	exact  bool // its blanks may depend on any of its texts
}

// piece is a token, or a group of comments.
type piece struct {
	start, end int32
	lines      uint8 // that end before it, 2 for more
	class      byte
	exact      bool // its text may have an influence
}

// The classes of pieces whose text has no influence.
const (
	word   = 'w'
	number = 'n'
	quoted = 'q'
	prose  = 'p' // comments that gofmt leaves alone
)

// fixed is the class of pieces whose text always counts.
const fixed = 'f'

func (c chunk) text() string {
	return c.src[c.tokens[0].start:c.tokens[len(c.tokens)-1].end]
}

func (p piece) text(src string) string { return src[p.start:p.end] }

// key appends what the chunks of one shape have in common. Each part ends with
// a byte that no source has.
func (c chunk) key(to []byte) []byte {
	if c.exact {
		return append(to, c.text()...)
	}
	for _, p := range c.tokens {
		to = append(to, p.lines, p.class)
		if p.exact || p.class == fixed {
			to = append(to, p.text(c.src)...)
		}
		to = append(to, 0xFF)
	}
	return to
}
