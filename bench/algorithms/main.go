package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	root := flag.String("root", "..", "the repository")
	measuring := flag.Bool("measure", true, "measure, too; needs redis-server")
	flag.Parse()
	if err := update(*root, *measuring); err != nil {
		fmt.Fprintln(os.Stderr, "algorithms:", err)
		os.Exit(1)
	}
}

const (
	pageName    = "docs/algorithms.md"
	pictureName = "docs/algorithms.svg"
)

// update writes the page and the picture anew.
func update(root string, measuring bool) error {
	texts := computed()
	if measuring {
		measured, err := measure(root)
		if err != nil {
			return err
		}
		texts = append(texts, measured...)
	}
	page, err := os.ReadFile(filepath.Join(root, pageName))
	if err != nil {
		return err
	}
	written, err := fill(string(page), texts)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(root, pageName), []byte(written), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(root, pictureName), []byte(picture()), 0o644)
}

// computed is what the page says that is the same on every machine.
func computed() []block {
	return []block{
		{"values", values()},
		{"sample", sample()},
		{"worst", worst()},
		{"calendar", calendar()},
	}
}
