package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/ratelimitgen/ratelimitgen/bench/page"
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

var thePage = page.Page{Name: "docs/algorithms.md", Writer: "make docs"}

const pictureName = "docs/algorithms.svg"

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
	if err := thePage.Update(root, texts); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(root, pictureName), []byte(picture()), 0o644)
}

// computed is what the page says that is the same on every machine.
func computed() []page.Block {
	return []page.Block{
		{Name: "values", Text: values()},
		{Name: "sample", Text: sample()},
		{Name: "worst", Text: worst()},
		{Name: "calendar", Text: calendar()},
	}
}
