package load

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/packages"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/diag"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/genfile"
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

	// Unmatched are the patterns that name no package, in their order.
	Unmatched []string

	config  Config
	overlay map[string][]byte
	parsed  map[string]*File
	tests   bool                 // there are packages of other kinds than Base
	stubbed map[string]*ast.File // the files that have stubs as well, by their paths
	ahead   *ahead               // the check that Ahead has begun
}

func newProgram(c Config) *Program {
	return &Program{Fset: token.NewFileSet(), config: c, overlay: map[string][]byte{}, parsed: map[string]*File{}}
}

// Package is one of the packages of a folder: the package itself, that with
// its test files, or the external test package. The latter two are there only
// where their test files may hold directives.
type Package struct {
	Path    string // different for the external test package
	Name    string
	Dir     string
	Kind    genfile.Kind
	Files   []*File  // those that may hold directives, in the order of their paths; none where the text of no file mentions any
	Tests   bool     // of Base: the folder has a package of kind Test as well
	Outputs []Output // what the folder has in the places of generated files; only of Base

	Declared map[string]token.Pos // the top-level names of all files, also of those that the build leaves out
	Imported map[string]bool      // the names of their imports, as far as the text tells them

	// What Check fills in.
	Types      *types.Package
	Info       *types.Info
	TypeErrors []types.Error  // in no order
	Problems   []diag.Problem // why it cannot be type-checked at all

	listed   string // the path that the go command knows
	checked  *packages.Package
	unparsed []source // where Files is empty
}

// File is one source file of a package.
type File struct {
	Path   string
	State  State
	Set    genfile.Set    // to which what its directives ask for belongs
	Syntax *ast.File      // without the import of C and, in what it declares, with the types that cgo makes of C's
	Errors []diag.Problem // why it does not parse
}

// State says how a file takes part in its package.
type State int

const (
	Built    State = iota // compiled with the package
	Test                  // a _test.go file, which is compiled with another package of the folder
	Excluded              // left out by a build constraint
)

// Output is a file in the place of one to generate.
type Output struct {
	Path  string
	Ours  bool // it may be replaced
	Built bool // the build takes it
}

const (
	listMode   = packages.NeedName | packages.NeedFiles | packages.NeedModule
	importMode = listMode | packages.NeedImports | packages.NeedDeps | packages.NeedModule | packages.NeedForTest

	checkMode = listMode | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedModule |
		packages.NeedTypes | packages.NeedTypesInfo | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedForTest
)

func (c Config) packages() *packages.Config {
	return &packages.Config{Dir: c.Dir, Env: c.Env, BuildFlags: c.BuildFlags}
}
