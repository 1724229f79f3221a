// Package suggest finds the known name that a misspelt one was meant to be.
package suggest

import (
	"strings"
	"unicode/utf8"
)

// Nearest returns the name of known that is nearest to name by edit distance,
// in which case and underscores count little, or "" when none is near: up to a
// third of the letters may differ, and one in names of two or three letters.
// Of equally near names the first wins.
func Nearest(name string, known []string) string {
	best, bestDistance := "", limit(name)+1
	for _, k := range known {
		if k == name {
			return k
		}
		if d := Distance(plain(name), plain(k)); d < bestDistance && d < utf8.RuneCountInString(k) {
			best, bestDistance = k, d
		}
	}
	return best
}

// DidYouMean returns "; did you mean X?" for the nearest of known, or "".
func DidYouMean(name string, known []string) string {
	if near := Nearest(name, known); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}

func limit(name string) int {
	n := utf8.RuneCountInString(name)
	switch {
	case n < 2:
		return 0
	case n < 6:
		return 1
	}
	return n / 3
}

func plain(s string) string { return strings.ToLower(strings.ReplaceAll(s, "_", "")) }

// Distance returns how many letters must be inserted, deleted, replaced or
// swapped with their neighbour to make b of a (optimal string alignment).
func Distance(a, b string) int {
	s, t := []rune(a), []rune(b)
	before, above, row := make([]int, len(t)+1), make([]int, len(t)+1), make([]int, len(t)+1)
	for j := range above {
		above[j] = j
	}
	for i := 1; i <= len(s); i++ {
		row[0] = i
		for j := 1; j <= len(t); j++ {
			row[j] = min(above[j]+1, row[j-1]+1, above[j-1]+differ(s[i-1], t[j-1]))
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, above, row = above, row, before
	}
	return above[len(t)]
}

func differ(a, b rune) int {
	if a == b {
		return 0
	}
	return 1
}
