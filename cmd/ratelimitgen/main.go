// Ratelimitgen writes the wrappers that enforce the rate limits which
// //ratelimit: directives ask for, into ratelimit_gen.go of each package.
//
//	ratelimitgen [packages]               generate (default package: .)
//	ratelimitgen -check [packages]        print a diff where generated code is stale, and
//	                                      which buckets would begin anew; write nothing
//	ratelimitgen list [-json] [packages]  print every rule with its position; write nothing
//
// What is generated for types of _test.go files goes into
// ratelimit_gen_test.go, for those of an external test package into
// ratelimit_gen_ext_test.go. Files with build constraints get an output with
// the same constraint, which its name tells: ratelimit_gen_linux.go for
// wrappers of a_linux.go, ratelimit_gen_integration.go for those of files with
// //go:build integration, ratelimit_gen_notrace.go where it is !race. A run
// reads what GOOS, GOARCH, CGO_ENABLED and -tags select, and leaves the outputs
// for other builds alone, with -check as well: there is a run for each of them.
//
//	ratelimitgen ./...
//	ratelimitgen -tags=integration ./...
//	GOOS=windows ratelimitgen ./...
//
// Generated code is stale where a run would write it. A file that has CRLF at the
// ends of its lines and is the same otherwise, as git checks it out where
// core.autocrlf is set, is neither stale nor written.
//
// It exits with 0 when all is fine, with 1 when the input is wrong or, with
// -check, stale, and with 2 when it was called wrongly.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/ratelimitgen/ratelimitgen/generator"
)

const (
	exitFine  = 0
	exitWrong = 1
	exitUsage = 2
)

func main() {
	collectLate()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	c := &command{stdout: os.Stdout, stderr: os.Stderr}
	code := c.run(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}

const usage = `usage:
  ratelimitgen [-check] [packages]      write ratelimit_gen.go, the wrappers for
                                        //ratelimit: directives, into the packages
                                        (default: the one in the current directory)
  ratelimitgen list [-json] [packages]  print every rule with its position

Sources under build constraints have outputs of their own; a run is about those
that -tags and the environment (GOOS, GOARCH, CGO_ENABLED) select.

flags:
`

type command struct {
	stdout, stderr io.Writer
}

func (c *command) run(ctx context.Context, args []string) int {
	if len(args) > 0 {
		switch args[0] {
		case "list":
			return c.list(ctx, args[1:])
		case "help":
			args = []string{"-h"}
		case "explain", "keys", "reset", "simulate":
			return c.misuse("%s is not supported yet", args[0])
		}
	}
	flags := c.flags("ratelimitgen")
	check := flags.Bool("check", false, "write nothing; where generated code is stale print a diff, and which buckets would begin anew, and exit with 1")
	version := flags.Bool("version", false, "print the version and exit")
	if code, ok := c.parse(flags, args); !ok {
		return code
	}
	if *version {
		fmt.Fprintln(c.stdout, versionText())
		return exitFine
	}
	finish := c.write
	if *check {
		finish = func(r *generator.Result) error { return c.diff(r, flags) }
	}
	return c.generate(ctx, flags, finish)
}

func (c *command) list(ctx context.Context, args []string) int {
	flags := c.flags("list")
	asJSON := flags.Bool("json", false, "with list: print an array of JSON objects")
	if code, ok := c.parse(flags, args); !ok {
		return code
	}
	finish := c.text
	if *asJSON {
		finish = c.json
	}
	return c.generate(ctx, flags, finish)
}

func (c *command) flags(name string) *flag.FlagSet {
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.String("tags", "", "build tags, a `list` separated by commas, as go build takes it")
	flags.Usage = func() {}
	return flags
}

// parse returns the exit code of a command line that asks for nothing else.
func (c *command) parse(flags *flag.FlagSet, args []string) (code int, ok bool) {
	switch err := flags.Parse(args); err {
	case nil:
	case flag.ErrHelp:
		c.help(flags)
		return exitFine, false
	default:
		return c.misuse("%v%s", err, meantFlag(err, flags)), false
	}
	for _, arg := range flags.Args() {
		if strings.HasPrefix(arg, "-") {
			return c.misuse("flags such as %s go before the packages", arg), false
		}
		if name, _, valued := strings.Cut(arg, "="); valued && flags.Lookup(name) != nil {
			return c.misuse("%s is no package; did you mean -%s?", arg, arg), false
		}
	}
	return exitFine, true
}

func (c *command) help(flags *flag.FlagSet) {
	fmt.Fprint(c.stderr, usage)
	flags.SetOutput(c.stderr)
	flags.PrintDefaults()
}

// misuse tells of a wrong command line.
func (c *command) misuse(format string, args ...any) int {
	fmt.Fprintf(c.stderr, "ratelimitgen: "+format+"; ratelimitgen -h prints the usage\n", args...)
	return exitUsage
}

// generate runs the generator and hands its result to finish.
func (c *command) generate(ctx context.Context, flags *flag.FlagSet, finish func(*generator.Result) error) int {
	config := generator.Config{Patterns: flags.Args()}
	if tags := flags.Lookup("tags").Value.String(); tags != "" {
		config.BuildFlags = append(config.BuildFlags, "-tags="+tags)
	}
	result, err := generator.Generate(ctx, config)
	if err != nil {
		return c.fail(err)
	}
	if question := meant(result, flags); question != "" {
		return c.misuse("%s", question)
	}
	for _, p := range result.Problems {
		c.problem(p)
	}
	if len(result.Idle) > 0 {
		fmt.Fprintln(c.stderr, "ratelimitgen:", idle(result.Idle, flags.Args()))
	}
	if err := finish(result); err != nil {
		return c.fail(err)
	}
	if result.Failed() {
		return exitWrong
	}
	return exitFine
}

// problem prints a problem: one that has no place is about the command line.
func (c *command) problem(p generator.Problem) {
	if p.Pos.Filename != "" {
		fmt.Fprintln(c.stderr, p)
		return
	}
	fmt.Fprintf(c.stderr, "ratelimitgen: %v; ratelimitgen -h prints the usage\n", p)
}

func (c *command) write(result *generator.Result) error {
	_, err := result.Write()
	return err
}

func (c *command) diff(result *generator.Result, flags *flag.FlagSet) error {
	text, err := result.Diff()
	fmt.Fprint(c.stdout, text)
	for _, line := range result.Renamed() {
		fmt.Fprintln(c.stdout, line)
	}
	switch tags := flags.Lookup("tags").Value.String(); {
	case err != nil || text == "":
		return err
	case tags != "":
		return fmt.Errorf("generated code is stale; run ratelimitgen -tags=%s for these packages", tags)
	}
	return fmt.Errorf("generated code is stale; run go generate")
}

func (c *command) text(result *generator.Result) error {
	for _, r := range result.Rules {
		fmt.Fprintln(c.stdout, r)
	}
	return nil
}

func (c *command) json(result *generator.Result) error {
	out := json.NewEncoder(c.stdout)
	out.SetIndent("", "  ")
	out.SetEscapeHTML(false)
	return out.Encode(result.Rules)
}

func (c *command) fail(err error) int {
	if files, ok := errors.AsType[*generator.Error](err); ok {
		fmt.Fprintln(c.stderr, files)
	} else {
		fmt.Fprintln(c.stderr, "ratelimitgen:", err)
	}
	return exitWrong
}

func versionText() string {
	version := "(devel)"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		version = info.Main.Version
	}
	return fmt.Sprintf("ratelimitgen %s, built with %s", version, runtime.Version())
}
