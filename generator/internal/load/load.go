package load

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/packages"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/diag"
)

// Config says what to load.
type Config struct {
	Dir        string   // where the patterns are meant; the current directory if empty
	Patterns   []string // as the go command takes them
	Env        []string // of the go command; the process's own if nil
	BuildFlags []string // of the go command, such as -tags=integration
}

// Program is what was loaded.
type Program struct {
	Fset     *token.FileSet
	Packages []*Package // in the order of their paths
	Imported []*Package // what Import found

	config  Config
	overlay map[string][]byte
	parsed  map[string]*File
	stubbed map[string]*ast.File // the files that have stubs as well, by their paths
}

// Package is one package of the patterns.
type Package struct {
	Path   string
	Name   string
	Dir    string
	Files  []*File // those that may hold directives, in the order of their paths; none where the text of no file mentions any
	Output *Output // the generated file that is there already, or nil

	Declared map[string]token.Pos // the top-level names of all files, also of those that the build leaves out
	Imported map[string]bool      // the names of their imports, as far as the text tells them

	// What Check fills in.
	Types      *types.Package
	Info       *types.Info
	TypeErrors []types.Error  // in no order
	Problems   []diag.Problem // why it cannot be type-checked at all

	checked  *packages.Package
	unparsed []source // where Files is empty
}

// File is one source file of a package.
type File struct {
	Path        string
	State       State
	Constrained bool // it has a build constraint, in its text or its name
	Syntax      *ast.File
	Errors      []diag.Problem // why it does not parse
}

// State says how a file takes part in its package.
type State int

const (
	Built    State = iota // compiled with the package
	Test                  // a _test.go file
	Excluded              // left out by a build constraint
	Cgo                   // imports C, and so is rewritten by cgo before it is compiled, where it is
)

// Output is a file in the place of the one to generate.
type Output struct {
	Path string
	Ours bool // it may be replaced
}

const (
	listMode   = packages.NeedName | packages.NeedFiles
	importMode = listMode | packages.NeedImports | packages.NeedDeps | packages.NeedModule

	checkMode = listMode | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedModule |
		packages.NeedTypes | packages.NeedTypesInfo | packages.NeedTypesSizes | packages.NeedSyntax
)

func (c Config) packages() *packages.Config {
	return &packages.Config{Dir: c.Dir, Env: c.Env, BuildFlags: c.BuildFlags}
}
