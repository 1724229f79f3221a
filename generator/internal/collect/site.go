package collect

import (
	"go/ast"
	"go/token"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/load"
)

// site is where a comment group stands: on a method, or the complaint about
// any other place.
type site struct {
	method    *ast.FuncDecl
	complaint string
}

const onMethod = "; write it into the doc comment of a method"

func nothing(where string) site {
	return site{complaint: "a directive means nothing " + where + onMethod}
}

func notYet(where string) site {
	return site{complaint: "a directive on " + where + " is not supported yet" + onMethod}
}

// sites knows the places of one file.
type sites struct {
	file *ast.File
	docs map[*ast.CommentGroup]site
}

func newSites(f *ast.File) *sites {
	s := &sites{file: f, docs: map[*ast.CommentGroup]site{}}
	s.put(f.Doc, notYet("a package clause"))
	for _, decl := range f.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			s.put(decl.Doc, function(decl))
		case *ast.GenDecl:
			s.genDecl(decl)
		}
	}
	return s
}

func (s *sites) put(doc *ast.CommentGroup, at site) {
	if doc != nil {
		s.docs[doc] = at
	}
}

func function(decl *ast.FuncDecl) site {
	switch {
	case decl.Recv == nil || len(decl.Recv.List) == 0:
		return notYet("a function that is no method")
	case genericReceiver(decl):
		return notYet("a method of a generic type")
	}
	return site{method: decl}
}

func (s *sites) genDecl(decl *ast.GenDecl) {
	s.put(decl.Doc, declared(decl.Tok))
	for _, spec := range decl.Specs {
		switch spec := spec.(type) {
		case *ast.ImportSpec:
			s.put(spec.Doc, declared(decl.Tok))
		case *ast.ValueSpec:
			s.put(spec.Doc, declared(decl.Tok))
		case *ast.TypeSpec:
			s.put(spec.Doc, declared(decl.Tok))
			s.members(spec.Type)
		}
	}
}

func declared(tok token.Token) site {
	switch tok {
	case token.TYPE:
		return notYet("a type")
	case token.CONST:
		return nothing("on a constant")
	case token.VAR:
		return nothing("on a variable")
	}
	return nothing("on an import")
}

// members puts the comments of all fields and methods within a type.
func (s *sites) members(typ ast.Expr) {
	ast.Inspect(typ, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.StructType:
			s.fields(n.Fields, nothing("on a field"))
		case *ast.InterfaceType:
			s.fields(n.Methods, notYet("a method of an interface"))
		}
		return true
	})
}

func (s *sites) fields(list *ast.FieldList, at site) {
	for _, field := range list.List {
		s.put(field.Doc, at)
		s.put(field.Comment, at)
	}
}

// of returns the place of a comment group.
func (s *sites) of(group *ast.CommentGroup) site {
	if at, ok := s.docs[group]; ok {
		return at
	}
	for _, decl := range s.file.Decls {
		if decl.Pos() <= group.Pos() && group.End() <= decl.End() {
			return within(decl)
		}
		if group.End() <= decl.Pos() {
			return detached(decl)
		}
	}
	return nothing("where no declaration follows")
}

func within(decl ast.Decl) site {
	if f, ok := decl.(*ast.FuncDecl); ok && f.Body != nil {
		return nothing("inside of a function")
	}
	return nothing("inside of a declaration")
}

func detached(decl ast.Decl) site {
	f, ok := decl.(*ast.FuncDecl)
	if !ok {
		return nothing("between declarations")
	}
	return site{complaint: "a blank line separates this directive from " + f.Name.Name + "; remove it"}
}

// unsupported returns why directives in a file are refused, or "".
func unsupported(f *load.File) string {
	switch {
	case f.State == load.Test:
		return "directives in test files are not supported yet"
	case f.State == load.Cgo:
		return "directives in files that import C are not supported yet"
	case f.State == load.Excluded || f.Constrained:
		return "directives in files with a build constraint are not supported yet"
	}
	return ""
}

func genericReceiver(decl *ast.FuncDecl) bool {
	switch ast.Unparen(star(decl)).(type) {
	case *ast.IndexExpr, *ast.IndexListExpr:
		return true
	}
	return false
}

// ReceiverType is the name of the type that declares a method, "" where there
// is none.
func ReceiverType(decl *ast.FuncDecl) string {
	if decl.Recv == nil || len(decl.Recv.List) == 0 {
		return ""
	}
	if id, ok := star(decl).(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

// star is the receiver's type without its star.
func star(decl *ast.FuncDecl) ast.Expr {
	typ := ast.Unparen(decl.Recv.List[0].Type)
	if pointer, ok := typ.(*ast.StarExpr); ok {
		return ast.Unparen(pointer.X)
	}
	return typ
}
