package load

import (
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/diag"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/genfile"
)

// position reads "file:line:column", of which parts may be missing.
func position(s string) token.Position {
	var pos token.Position
	if s == "" || s == "-" {
		return pos
	}
	parts := strings.Split(s, ":")
	var numbers []int
	for len(parts) > 1 && len(numbers) < 2 {
		n, err := strconv.Atoi(parts[len(parts)-1])
		if err != nil {
			break
		}
		numbers, parts = append([]int{n}, numbers...), parts[:len(parts)-1]
	}
	pos.Filename = strings.Join(parts, ":")
	if len(numbers) > 0 {
		pos.Line = numbers[0]
	}
	if len(numbers) > 1 {
		pos.Column = numbers[1]
	}
	return pos
}

// noOpen matches what the go command says of a folder that it cannot read.
var noOpen = regexp.MustCompile(`^(?:pattern \S+: )?open (.+): ([^:]+)$`)

// notListed is why the go command could not make a package of a pattern, with a
// hint.
func notListed(err packages.Error, hint string) diag.Problem {
	msg := oneLine(err.Msg)
	if m := noOpen.FindStringSubmatch(msg); m != nil {
		return (&genfile.Failure{Path: m[1], What: "read", Err: errors.New(m[2])}).Problem()
	}
	return diag.Problem{Pos: position(err.Pos), Text: strings.TrimPrefix(msg, "stat ") + hint}
}

var (
	newerThanTool = regexp.MustCompile(`package requires newer Go version (go\S+)`)
	newerThanGo   = regexp.MustCompile(`requires go >= (\S+) \(running go (\S+?)[;)]`)
)

// newerGo rewords the type checker's complaint about a module whose language
// is newer than the one that this program was built with.
func newerGo(msg string) (string, bool) {
	m := newerThanTool.FindStringSubmatch(msg)
	if m == nil {
		return "", false
	}
	return fmt.Sprintf("the module asks for %s, but ratelimitgen was built with %s; build ratelimitgen again with %s or later", m[1], runtime.Version(), m[1]), true
}

// noImport matches the type checker's complaint about an import.
var noImport = regexp.MustCompile(`^could not import (\S+)`)

// reworded are the type errors of a package as its author knows things: the
// types of C by their own names, and what is missing in a vendor folder.
func reworded(l *packages.Package) []types.Error {
	all := slices.Clone(l.TypeErrors)
	for i, err := range all {
		all[i].Msg = strings.ReplaceAll(err.Msg, CType, "C.")
		if m := noImport.FindStringSubmatch(err.Msg); m != nil && unvendored(l.Imports[m[1]]) {
			all[i].Msg = m[0] + ", which is not vendored; run go mod vendor"
		}
	}
	return all
}

func unvendored(l *packages.Package) bool {
	return l != nil && slices.ContainsFunc(l.Errors, func(err packages.Error) bool { return strings.Contains(err.Msg, "-mod=vendor") })
}

// goError rewords errors of the go command.
func goError(err error) error {
	msg := err.Error()
	if m := newerThanGo.FindStringSubmatch(msg); m != nil {
		return fmt.Errorf("the module asks for go%s, but the go command that ratelimitgen (built with %s) calls is go%s; install the newer go or set GOTOOLCHAIN=auto", m[1], runtime.Version(), m[2])
	}
	_, reason, found := strings.Cut(msg, "stderr: ")
	reason = oneLine(strings.TrimPrefix(reason, "go: "))
	if !found || reason == "" {
		return fmt.Errorf("the go command failed: %s", oneLine(strings.TrimSuffix(strings.TrimSpace(msg), ": stderr:")))
	}
	return errors.New(reason)
}
