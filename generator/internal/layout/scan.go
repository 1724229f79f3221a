package layout

// scan divides a file into chunks. It reports false for what it does not know,
// such as a comment between slashes and stars.
func scan(src string) ([]chunk, bool) {
	s := &chunker{lexer: lexer{src: src}, pieces: make([]piece, 0, len(src)/4)}
	for s.skip(); s.pos < len(src); s.skip() {
		if s.lines > 1 && len(s.open) == 0 {
			s.cut()
		}
		p := piece{start: int32(s.pos), lines: uint8(min(s.lines, 2))}
		s.top = len(s.open) == 0
		if p.class = s.next(); p.class == 0 {
			return nil, false
		}
		p.end = int32(s.pos)
		if !s.add(p) {
			return nil, false
		}
	}
	s.cut()
	return s.chunks, len(s.open) == 0
}

// chunker finds the chunks of a file, and which texts have an influence.
type chunker struct {
	lexer
	chunks []chunk
	pieces []piece
	from   int // where the chunk starts in pieces
	exact  bool
	open   []bracket

	clause bool  // the line begins with a case
	funcs  []int // how many brackets are open around functions whose bodies may follow
	groups int   // of comments, outside of brackets
}

type bracket struct {
	with    byte
	line    int
	methods bool // it is that of an interface
	body    bool // it is that of a function
}

// cut ends a chunk.
func (s *chunker) cut() {
	if len(s.pieces) > s.from {
		s.pieces[s.from].lines = 0
		s.chunks = append(s.chunks, chunk{s.src, s.pieces[s.from:len(s.pieces):len(s.pieces)], s.exact})
	}
	s.from, s.exact, s.funcs, s.groups = len(s.pieces), false, s.funcs[:0], 0
}

// add adds a piece to the chunk. It reports false for brackets that match none.
func (s *chunker) add(p piece) bool {
	text := p.text(s.src)
	if p.lines > 0 {
		s.clause = text == "case" || text == "default"
	}
	ok := true
	switch p.class {
	case fixed:
		ok = s.fixed(text)
	case prose:
		s.comment(p)
	case note:
		s.comment(p)
		p.class = fixed
	}
	s.pieces = append(s.pieces, p)
	return ok
}

// comment judges a comment: one behind code is aligned with others, and groups that
// follow on each other are one to gofmt.
func (s *chunker) comment(p piece) {
	if p.lines == 0 && len(s.pieces) > s.from {
		s.exact = true
	}
	if len(s.open) == 0 {
		s.groups++
		s.exact = s.exact || s.groups > 1
	}
}

// fixed judges a keyword, an operator or a bracket.
func (s *chunker) fixed(text string) bool {
	switch text {
	case "struct", "import", "const", "package", "select":
		s.exact = true
	case "func":
		s.funcs = append(s.funcs, len(s.open))
	case "(", "[", "{":
		before := s.before(1)
		s.exact = s.exact || text == "(" && (before == "var" || before == "type")
		s.open = append(s.open, bracket{text[0], s.line, before == "interface", text == "{" && before != "interface" && s.body()})
	case ")", "]", "}":
		return s.close(text[0])
	case ":":
		s.colon()
	}
	return true
}

// close ends a bracket. The body of a function may fit on a line or not, and so
// may an interface that has something in it.
func (s *chunker) close(with byte) bool {
	last := len(s.open) - 1
	if last < 0 {
		return false
	}
	opened := s.open[last]
	s.open = s.open[:last]
	if with == '}' && opened.line == s.line {
		s.exact = s.exact || opened.body || opened.methods && s.before(1) != "{"
	}
	return true
}

// body reports whether a brace may open the body of a function.
func (s *chunker) body() bool {
	for last := len(s.funcs) - 1; last >= 0; last-- {
		around := s.funcs[last]
		if around < len(s.open) {
			return false
		}
		s.funcs = s.funcs[:last]
		if around == len(s.open) {
			return true
		}
	}
	return false
}

// colon judges a colon: the keys of a composite literal are aligned.
func (s *chunker) colon() {
	switch last := len(s.open) - 1; {
	case s.clause || last >= 0 && s.open[last].with == '[':
	case s.before(2) == "{" || s.before(2) == ",":
		s.pieces[len(s.pieces)-1].exact = true
	default:
		s.exact = true
	}
}

// before is the text of the n-th last piece of the chunk.
func (s *chunker) before(n int) string {
	if len(s.pieces)-n < s.from {
		return ""
	}
	return s.pieces[len(s.pieces)-n].text(s.src)
}
