package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/ratelimitgen/ratelimitgen/generator"
)

// subcommands are the words that may stand first, of a command line that has
// none yet.
var subcommands = []string{"list", "help"}

// meant asks whether an argument that names no package was meant for a flag or a
// subcommand. Nothing may be written then: it may have been -check.
func meant(result *generator.Result, flags *flag.FlagSet) string {
	var words []string
	flags.VisitAll(func(f *flag.Flag) { words = append(words, f.Name) })
	if flags.Name() != "list" {
		words = append(words, subcommands...)
	}
	pattern, word := result.Meant(words)
	folder := isFolder(pattern)
	switch {
	case word == "" || folder && pattern != word:
		return ""
	case flags.Lookup(word) != nil:
		word = "-" + word
	case pattern == word || flags.Arg(0) != pattern || flags.NFlag() > 0:
		return fmt.Sprintf("%s goes before flags and packages", word)
	}
	question := fmt.Sprintf("there is no package %s; did you mean %s", pattern, word)
	if folder {
		question += " or ./" + pattern
	}
	return question + "?"
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
