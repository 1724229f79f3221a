package page

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Page is a file in which a program writes what stands between marks.
type Page struct {
	Name   string // from the repository's root
	Writer string // the command that people call
}

// Block is a text that stands on a page between two marks.
type Block struct{ Name, Text string }

// Begin is the mark before the block of that name.
func (p Page) Begin(name string) string {
	return "<!-- begin " + name + ", written by " + p.Writer + " -->\n"
}

// End is the mark after it.
func (p Page) End(name string) string { return "<!-- end " + name + " -->\n" }

// Fill puts the blocks between their marks, in place of what stands there.
func (p Page) Fill(text string, blocks []Block) (string, error) {
	for _, b := range blocks {
		before, rest, begins := strings.Cut(text, p.Begin(b.Name))
		_, after, ends := strings.Cut(rest, p.End(b.Name))
		if !begins || !ends {
			return "", fmt.Errorf("%s has no place for %s: add\n%s%s", p.Name, b.Name, p.Begin(b.Name), p.End(b.Name))
		}
		text = before + p.Begin(b.Name) + "\n" + b.Text + "\n" + p.End(b.Name) + after
	}
	return text, nil
}

// Update fills in the blocks of the page under root.
func (p Page) Update(root string, blocks []Block) error {
	name := filepath.Join(root, p.Name)
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	written, err := p.Fill(string(text), blocks)
	if err != nil {
		return err
	}
	return os.WriteFile(name, []byte(written), 0o644)
}
