// Realcode generates wrappers for well-known modules: it copies each from the
// module cache, puts a directive on every exported method whose last result is
// an error, generates, builds, and prints a table of what came of it.
//
//	go run ./generator/internal/realcode [-o docs/real-code.md] [-keep DIR] [module ...]
//
// It needs the network, or a module cache that has the modules.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
)

func main() {
	out := flag.String("o", "", "write the table to this file")
	keep := flag.String("keep", "", "copy the modules into this folder and leave them there")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *out, *keep, named(flag.Args())); err != nil {
		fmt.Fprintln(os.Stderr, "realcode:", err)
		os.Exit(1)
	}
}

// named are the modules whose paths hold one of the names; all if there are no
// names.
func named(names []string) []module {
	return slices.DeleteFunc(slices.Clone(modules), func(m module) bool {
		return len(names) > 0 && !slices.ContainsFunc(names, func(n string) bool { return strings.Contains(m.path, n) })
	})
}

func run(ctx context.Context, out, keep string, modules []module) error {
	dir := keep
	if dir == "" {
		temp, err := os.MkdirTemp("", "realcode")
		if err != nil {
			return err
		}
		defer os.RemoveAll(temp)
		dir = temp
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	var rows []*row
	for _, m := range modules {
		r, err := measure(ctx, m, dir)
		if err != nil {
			return fmt.Errorf("%s: %w", m.path, err)
		}
		fmt.Fprint(os.Stderr, r.line())
		rows = append(rows, r)
	}
	if out == "" {
		fmt.Print(table(rows))
		return nil
	}
	return os.WriteFile(out, []byte(table(rows)), 0o666)
}
