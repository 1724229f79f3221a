package emit

import (
	"bytes"
	"strings"
)

// groupImports moves the imports of the standard library before the others,
// with a blank line between them, which jennifer does not.
func groupImports(src []byte) []byte {
	const open, end = "\nimport (\n", "\n)\n"
	before, rest, ok := bytes.Cut(src, []byte(open))
	if !ok {
		return src
	}
	block, after, _ := bytes.Cut(rest, []byte(end))
	var std, others []string
	for line := range strings.SplitSeq(string(block), "\n") {
		if standard(line) {
			std = append(std, line)
		} else {
			others = append(others, line)
		}
	}
	if len(std) > 0 && len(others) > 0 {
		std = append(std, "")
	}
	grouped := strings.Join(append(std, others...), "\n")
	return bytes.Join([][]byte{before, []byte(open), []byte(grouped), []byte(end), after}, nil)
}

// standard reports whether an import's line names a package of the standard
// library: the first part of its path has no dot.
func standard(line string) bool {
	_, path, _ := strings.Cut(line, `"`)
	host, _, _ := strings.Cut(path, "/")
	return !strings.Contains(host, ".")
}
