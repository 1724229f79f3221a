package load

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// folders replaces files among patterns by the folders of their packages,
// each once: code is generated for whole packages.
func folders(patterns []string) []string {
	var all []string
	for _, p := range patterns {
		if strings.HasSuffix(p, ".go") && !strings.HasPrefix(p, "-") {
			p = filepath.Dir(p)
			if !filepath.IsAbs(p) && !strings.HasPrefix(p, "..") {
				p = "." + string(filepath.Separator) + p
			}
		}
		if !slices.Contains(all, p) {
			all = append(all, p)
		}
	}
	return all
}

// withoutDot is the question whether a folder was meant by one of the patterns,
// none of which names a package: the go command takes a name without a dot before
// it for one of the standard library.
func (c Config) withoutDot(patterns ...string) string {
	for _, p := range patterns {
		if _, local := c.folder(p); local || strings.HasPrefix(p, ".") {
			continue
		}
		if info, err := os.Stat(filepath.Join(c.Dir, strings.TrimSuffix(p, "..."))); err == nil && info.IsDir() {
			return "; did you mean ./" + p + "?"
		}
	}
	return ""
}
