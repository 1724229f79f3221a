package load

import (
	"bytes"
	"strconv"
)

// Parse parses the files of a package that mentions no directive, if the text
// of one names an import of path and, behind a dot, one of the names. It
// reports whether it did.
func (p *Program) Parse(pkg *Package, path string, names []string) bool {
	quoted := []byte(strconv.Quote(path))
	for _, s := range pkg.unparsed {
		if s.state == Built && bytes.Contains(s.text, quoted) && selects(s.text, names) {
			pkg.fill(p.parse(pkg.unparsed))
			pkg.unparsed = nil
			return true
		}
	}
	return false
}

func selects(text []byte, names []string) bool {
	for _, name := range names {
		if bytes.Contains(text, []byte("."+name)) {
			return true
		}
	}
	return false
}
