// Ratelimitgen writes the wrappers that enforce the rate limits which
// //ratelimit: directives ask for, one file ratelimit_gen.go a package.
//
//	ratelimitgen [packages]          generate (default package: .)
//	ratelimitgen -check [packages]   print a diff where generated code is stale; write nothing
//
// It exits with 0 when all is fine, with 1 when the input is wrong or, with
// -check, stale, and with 2 when it was called wrongly.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"

	"github.com/ratelimitgen/ratelimitgen/generator"
)

const (
	exitFine  = 0
	exitWrong = 1
	exitUsage = 2
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

const usage = `usage: ratelimitgen [flags] [packages]

Writes ratelimit_gen.go, the wrappers for //ratelimit: directives, into each of
the packages (default: the one in the current directory).

`

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("ratelimitgen", flag.ContinueOnError)
	flags.SetOutput(stderr)
	check := flags.Bool("check", false, "write nothing; print a diff and exit with 1 where generated code is stale")
	version := flags.Bool("version", false, "print the version and exit")
	flags.Usage = func() {
		fmt.Fprint(stderr, usage)
		flags.PrintDefaults()
	}
	switch err := flags.Parse(args); {
	case err == flag.ErrHelp:
		return exitFine
	case err != nil:
		return exitUsage
	case *version:
		fmt.Fprintln(stdout, versionText())
		return exitFine
	}
	result, err := generator.Generate(ctx, generator.Config{Patterns: flags.Args()})
	if err != nil {
		return fail(stderr, err)
	}
	for _, p := range result.Problems {
		fmt.Fprintln(stderr, p)
	}
	finish := write
	if *check {
		finish = diff
	}
	if code := finish(result, stdout, stderr); code != exitFine || result.Failed() {
		return exitWrong
	}
	return exitFine
}

func write(result *generator.Result, _, stderr io.Writer) int {
	if _, err := result.Write(); err != nil {
		return fail(stderr, err)
	}
	return exitFine
}

func diff(result *generator.Result, stdout, stderr io.Writer) int {
	text, err := result.Diff()
	fmt.Fprint(stdout, text)
	if err != nil {
		return fail(stderr, err)
	}
	if text != "" {
		fmt.Fprintln(stderr, "ratelimitgen: generated code is stale; run go generate")
		return exitWrong
	}
	return exitFine
}

func fail(stderr io.Writer, err error) int {
	fmt.Fprintln(stderr, "ratelimitgen:", err)
	return exitWrong
}

func versionText() string {
	version := "(devel)"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		version = info.Main.Version
	}
	return fmt.Sprintf("ratelimitgen %s, built with %s", version, runtime.Version())
}
