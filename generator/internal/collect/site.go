package collect

import (
	"go/ast"
	"go/token"
	"iter"
	"slices"
	"strings"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/directive"
)

// site is where a comment group stands.
type site struct {
	method *ast.Ident    // on a method or function of that name
	fn     bool          // on a function
	spec   *ast.TypeSpec // on a type
	pkg    bool          // on a package clause

	where    string // any other place, as in "on a field"
	detached string // what a blank line separates it from
}

func nothing(where string) site { return site{where: where} }

// complaint returns why a directive cannot stand here, or "".
func (s site) complaint(kind directive.Kind) string {
	where := s.where
	if where == "" {
		where = "on a " + placeNames[s.place()]
	}
	switch {
	case s.pkg && kind == directive.Rule:
		return "a rule means nothing " + where + "; write //ratelimit:default for items that all rules of the package take"
	case s.where != "" || !slices.Contains(kind.Spec().On, s.place()):
		return kind.String() + " means nothing " + where + "; " + home(kind)
	case s.detached != "":
		return "a blank line separates this directive from " + s.detached + "; remove it"
	}
	return ""
}

func (s site) place() directive.Place {
	switch {
	case s.fn:
		return directive.OnFunc
	case s.method != nil:
		return directive.OnMethod
	case s.spec != nil:
		return directive.OnType
	}
	return directive.OnPackage
}

var placeNames = map[directive.Place]string{
	directive.OnMethod:  "method",
	directive.OnFunc:    "function",
	directive.OnType:    "type",
	directive.OnPackage: "package clause",
}

// home says where a directive may stand.
func home(kind directive.Kind) string {
	var places []string
	for _, p := range kind.Spec().On {
		places = append(places, placeNames[p])
	}
	last := len(places) - 1
	list := places[last]
	if last > 0 {
		list = strings.Join(places[:last], ", ") + " or " + list
	}
	return "write it into the doc comment of a " + list
}

// sites knows the places of one file.
type sites struct {
	fset *token.FileSet
	file *ast.File
	docs map[*ast.CommentGroup]site
}

func newSites(fset *token.FileSet, f *ast.File) *sites {
	s := &sites{fset: fset, file: f, docs: map[*ast.CommentGroup]site{}}
	s.put(f.Doc, site{pkg: true})
	for _, decl := range f.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			s.put(decl.Doc, function(f, decl))
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

func function(f *ast.File, decl *ast.FuncDecl) site {
	switch {
	case decl.Name.Name == "_":
		return nothing("on a method or function called _")
	case decl.Recv == nil && (decl.Name.Name == "init" || decl.Name.Name == "main" && f.Name.Name == "main"):
		return nothing("on a function that Go calls by itself")
	}
	return site{method: decl.Name, fn: decl.Recv == nil}
}

func (s *sites) genDecl(decl *ast.GenDecl) {
	s.put(decl.Doc, declared(decl))
	for _, spec := range decl.Specs {
		switch spec := spec.(type) {
		case *ast.ImportSpec:
			s.put(spec.Doc, declared(decl))
		case *ast.ValueSpec:
			s.put(spec.Doc, declared(decl))
		case *ast.TypeSpec:
			s.put(spec.Doc, typeSite(spec))
			s.members(spec)
		}
	}
}

// declared is the place of what stands on a whole declaration.
func declared(decl *ast.GenDecl) site {
	switch {
	case decl.Tok == token.TYPE && !decl.Lparen.IsValid():
		return typeSite(decl.Specs[0].(*ast.TypeSpec))
	case decl.Tok == token.TYPE:
		return nothing("on a group of types")
	case decl.Tok == token.CONST:
		return nothing("on a constant")
	case decl.Tok == token.VAR:
		return nothing("on a variable")
	}
	return nothing("on an import")
}

func typeSite(spec *ast.TypeSpec) site {
	switch {
	case spec.Assign.IsValid() && spec.TypeParams != nil:
		return nothing("on a generic alias")
	case spec.Assign.IsValid() && !mayBeInterface(spec.Type):
		return nothing("on an alias")
	}
	return site{spec: spec}
}

// mayBeInterface reports whether a type is an interface, or of a package that
// may declare it so.
func mayBeInterface(typ ast.Expr) bool {
	switch typ := ast.Unparen(typ).(type) {
	case *ast.InterfaceType, *ast.SelectorExpr:
		return true
	case *ast.IndexExpr:
		return mayBeInterface(typ.X)
	case *ast.IndexListExpr:
		return mayBeInterface(typ.X)
	}
	return false
}

// members puts the comments of all fields and methods within a type.
func (s *sites) members(spec *ast.TypeSpec) {
	ast.Inspect(spec.Type, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.StructType:
			s.fields(n.Fields, nothing("on a field"))
		case *ast.InterfaceType:
			s.fields(n.Methods, nothing("inside of an interface that has no name"))
		}
		return true
	})
	for field := range interfaceFields(spec) {
		at := nothing("on an embedded interface")
		if _, ok := field.Type.(*ast.FuncType); ok {
			at = site{method: field.Names[0]}
		}
		s.put(field.Doc, at)
		s.put(field.Comment, nothing("behind a declaration"))
	}
}

// interfaceFields are what stands between the braces of an interface type.
func interfaceFields(spec *ast.TypeSpec) iter.Seq[*ast.Field] {
	return func(yield func(*ast.Field) bool) {
		if i, ok := ast.Unparen(spec.Type).(*ast.InterfaceType); ok {
			for _, field := range i.Methods.List {
				if !yield(field) {
					return
				}
			}
		}
	}
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
	if group.End() <= s.file.Package {
		return site{pkg: true, detached: "the package clause"}
	}
	for _, decl := range s.file.Decls {
		switch {
		case decl.Pos() <= group.Pos() && group.End() <= decl.End():
			return s.within(group, decl)
		case s.line(decl.End()) == s.line(group.Pos()):
			return nothing("behind a declaration")
		case group.End() <= decl.Pos():
			return detached(s.file, decl)
		}
	}
	return nothing("where no declaration follows")
}

func (s *sites) line(pos token.Pos) int { return s.fset.PositionFor(pos, false).Line }

func (s *sites) within(group *ast.CommentGroup, decl ast.Decl) site {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		if decl.Body != nil {
			return nothing("inside of a function")
		}
	case *ast.GenDecl:
		if decl.Tok == token.TYPE && !s.behindBrace(group, decl) {
			return withinTypes(group, decl)
		}
	}
	return nothing("inside of a declaration")
}

// behindBrace reports whether a comment stands on the line on which the types or
// the methods of a declaration begin.
func (s *sites) behindBrace(group *ast.CommentGroup, decl *ast.GenDecl) bool {
	line := s.line(group.Pos())
	return decl.Lparen.IsValid() && line == s.line(decl.Lparen) || slices.ContainsFunc(decl.Specs, func(spec ast.Spec) bool {
		i, ok := ast.Unparen(spec.(*ast.TypeSpec).Type).(*ast.InterfaceType)
		return ok && line == s.line(i.Methods.Opening)
	})
}

// withinTypes is the place of what a blank line separates from a type of a
// group, or from a method of an interface.
func withinTypes(group *ast.CommentGroup, decl *ast.GenDecl) site {
	for _, spec := range decl.Specs {
		spec := spec.(*ast.TypeSpec)
		if group.End() <= spec.Pos() {
			at := typeSite(spec)
			at.detached = spec.Name.Name
			return at
		}
		for field := range interfaceFields(spec) {
			if group.End() <= field.Pos() && len(field.Names) > 0 {
				return site{method: field.Names[0], detached: field.Names[0].Name}
			}
		}
	}
	return nothing("inside of a declaration")
}

// detached is the place of a comment group that a blank line separates from a
// declaration.
func detached(f *ast.File, decl ast.Decl) site {
	at := nothing("between declarations")
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		at = function(f, decl)
		at.detached = decl.Name.Name
	case *ast.GenDecl:
		if decl.Tok == token.TYPE && !decl.Lparen.IsValid() {
			at = declared(decl)
			at.detached = decl.Specs[0].(*ast.TypeSpec).Name.Name
		}
	}
	return at
}

// ReceiverType is the name of the type that declares a method, "" where there
// is none.
func ReceiverType(decl *ast.FuncDecl) string {
	if decl.Recv == nil || len(decl.Recv.List) == 0 {
		return ""
	}
	typ := star(decl.Recv.List[0].Type)
	switch generic := typ.(type) {
	case *ast.IndexExpr:
		typ = generic.X
	case *ast.IndexListExpr:
		typ = generic.X
	}
	if id, ok := typ.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

// star is a type without its star, if it has one.
func star(typ ast.Expr) ast.Expr {
	typ = ast.Unparen(typ)
	if pointer, ok := typ.(*ast.StarExpr); ok {
		return ast.Unparen(pointer.X)
	}
	return typ
}
