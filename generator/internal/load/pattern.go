package load

import (
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
