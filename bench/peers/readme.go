package main

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/ratelimitgen/ratelimitgen/bench/page"
)

// readme quotes what matters most, where it has a place for it.
var readme = page.Page{Name: "README.md", Writer: thePage.Writer}

const quoted = "speed"

func (f *figures) quote(root string) error {
	text, err := os.ReadFile(filepath.Join(root, readme.Name))
	if err != nil || !strings.Contains(string(text), readme.Begin(quoted)) {
		return err
	}
	return readme.Update(root, []page.Block{{Name: quoted, Text: f.summary()}})
}

// summary is a few rows of several tables.
func (f *figures) summary() string {
	t := page.Table{Head: []string{"calls a second over Redis, one hot key", "1 caller", "16", "128", "1024", "p99 of 128 (µs)", "128, refused"}}
	for _, row := range []string{nameOurs, namePlain, nameRueidis, nameRedisRate, nameUlule, nameThrottled} {
		cells := []string{legendOf(row)}
		for _, n := range callers {
			cells = append(cells, f.brief(row, cell{admitted, n}, speed, perSecondText))
		}
		cells = append(cells, f.brief(row, cell{admitted, 128}, p99, short), f.brief(row, cell{refused, 128}, speed, perSecondText))
		t.Add(cells...)
	}
	return t.Numbers() + "\n" + f.about()
}

func (f *figures) brief(row string, at cell, v value, text func(float64) string) string {
	return f.remote.unlessFailed(row, at, func() string { return text(median(f.remote.all(row, at, v))) })
}
