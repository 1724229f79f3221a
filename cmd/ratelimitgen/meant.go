package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/ratelimitgen/ratelimitgen/generator"
)

// subcommands are the words that may stand first, of a command line that has
// none yet.
var subcommands = []string{"list", "help"}

// generating is what other commands call that which this one does without a
// word.
const (
	generating = "generate"

	alone = "to generate, name packages alone: ratelimitgen ./..."
)

// others are words of other commands and what they are called here.
var others = map[string]string{
	"gen": generating, "run": generating, "build": generating, "write": generating,
	"ls": "list", "rules": "list",
	"verify": "check", "diff": "check", "lint": "check",
}

// meant asks whether an argument that names no package was meant for a flag or a
// subcommand. Nothing may be written then: it may have been -check.
func meant(result *generator.Result, flags *flag.FlagSet) string {
	pattern, word := wordAmong(result, flags)
	folder := isFolder(pattern)
	switch {
	case word == "" || folder && (pattern != word || word == generating):
		return ""
	case word == generating:
		return fmt.Sprintf("there is no package %s; %s", pattern, alone)
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

// words are those that a command line with these flags knows.
func words(flags *flag.FlagSet) []string {
	var all []string
	flags.VisitAll(func(f *flag.Flag) { all = append(all, f.Name) })
	if flags.Name() != "list" {
		all = append(append(all, subcommands...), generating)
	}
	return all
}

// wordAmong is the first argument that names no package but is one of the words,
// nearly one, or one of other commands, and that word.
func wordAmong(result *generator.Result, flags *flag.FlagSet) (pattern, word string) {
	known := words(flags)
	if pattern, word = result.Meant(known); word != "" {
		return pattern, word
	}
	for _, p := range result.Unmatched {
		if w := others[strings.ToLower(p)]; slices.Contains(known, w) {
			return p, w
		}
	}
	return "", ""
}

// meantFlag asks what was meant by a flag that is not defined, if err says that.
func meantFlag(err error, flags *flag.FlagSet) string {
	name, ok := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	if !ok {
		return ""
	}
	_, word := wordAmong(&generator.Result{Unmatched: []string{name}}, flags)
	switch {
	case name == "json":
		word = "list -json"
	case word == "":
		return ""
	case word == generating:
		return "; " + alone
	case flags.Lookup(word) != nil:
		word = "-" + word
	}
	return "; did you mean " + word + "?"
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
