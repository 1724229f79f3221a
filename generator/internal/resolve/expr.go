package resolve

import (
	"bytes"
	"fmt"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/collect"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/diag"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/directive"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/keyexpr"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/load"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/model"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/naming"
)

// names is what the expressions in a file can name when they are about a
// method. What generated code calls the variables is asked only when it is
// written.
func (r *resolver) names(m *method, file *load.File) *keyexpr.Scope {
	scope := r.fileScope(file)
	for i := range m.Params {
		scope.Vars = append(scope.Vars, m.variable(i))
	}
	wrapper := m.of.wrapper
	if recv := m.fn.Signature().Recv(); recv != nil {
		_, pointer := types.Unalias(recv.Type()).(*types.Pointer)
		scope.Vars = append(scope.Vars, keyexpr.Var{
			Name:    recv.Name(),
			Type:    recv.Type(),
			Code:    func() *jen.Statement { return jen.Id(wrapper.Receiver).Dot(wrapper.Next) },
			First:   func() string { return wrapper.Receiver },
			Pointer: !pointer && !wrapper.Interface, Receiver: true,
		})
	}
	scope.Globals, scope.Limiter = true, func() *jen.Statement { return limiter(wrapper) }
	return &scope
}

// fileScope is the scope of a file outside of all methods.
func (r *resolver) fileScope(file *load.File) keyexpr.Scope {
	if r.scopes[file] == nil {
		named, dotted := r.fileImports(file.Syntax)
		r.scopes[file] = &keyexpr.Scope{Pkg: r.pkg.Types, Imports: named, DotImports: dotted}
	}
	return *r.scopes[file]
}

// limiter is how the wrapper writes its limiter.
func limiter(w *model.Wrapper) *jen.Statement {
	if w.Func {
		return jen.Id(w.Receiver)
	}
	return jen.Id(w.Receiver).Dot(w.Limiter)
}

// variable is a parameter of a method.
func (m *method) variable(i int) keyexpr.Var {
	p := &m.Params[i]
	return keyexpr.Var{
		Name:  p.Name,
		Type:  p.Type,
		Code:  func() *jen.Statement { return jen.Id(p.Name) },
		First: func() string { return p.Name },
	}
}

// compile resolves the expression of an item, nil if there is none or a bad
// one.
func (r *resolver) compile(m *method, rule collect.Rule, name string, want keyexpr.Want) *keyexpr.Expr {
	item, ok := rule.Item(name)
	if !ok || item.Bad || item.Const {
		return nil
	}
	expr, problems := keyexpr.Compile(item.Value, r.names(m, rule.File(item.Line)), want)
	for _, p := range problems {
		r.add(m, rule, item, rule.Pos(item.Line, item.ValueOff+p.Off), diag.Problem{Text: p.Text, Note: p.Note})
	}
	if expr != nil {
		r.portable(m, rule, item, expr)
		r.use(m, expr, rule.File(item.Line))
	}
	return expr
}

// use notes what an expression names. For that its code is looked at with
// other names for the parameters: those that they have may be predeclared ones
// that the code needs as well.
func (r *resolver) use(m *method, expr *keyexpr.Expr, in *load.File) {
	for _, g := range expr.Globals {
		g.Name = "global" // for now, so that the code is whole
		for _, path := range paths(render(g.Code(), r.pkg.Path)) {
			r.want(path)
		}
	}
	use := r.usedBy(m, expr, in)
	for _, path := range use.paths {
		m.paths = append(m.paths, path)
		r.want(path)
	}
	m.uses = slices.Concat(m.uses, expr.Names, use.predeclared)
}

// used is what code names.
type used struct{ paths, predeclared []string }

// useKey is what the code of an expression depends on.
type useKey struct {
	text      string
	typ       types.Type // of the value
	of        *target
	file      *load.File // nil for what means the same in all
	signature string
}

// usedBy is what the code of an expression names. Many methods have the same.
func (r *resolver) usedBy(m *method, expr *keyexpr.Expr, in *load.File) used {
	key := useKey{expr.Text, expr.Type, m.of, in, m.signature()}
	if use, ok := r.used[key]; ok {
		return use
	}
	src := m.anonymous(func() string { return render(expr.Code(), r.pkg.Path) })
	use := used{paths: paths(src)}
	for _, name := range identifiers(src) {
		if naming.Predeclared(name) {
			use.predeclared = append(use.predeclared, name)
		}
	}
	r.used[key] = use
	return use
}

// signature is the text of the receiver, the parameters and the results of a
// method, with their names.
func (m *method) signature() string {
	if m.text == "" {
		m.text = types.TypeString(m.fn.Signature(), nil)
		if recv := m.fn.Signature().Recv(); recv != nil {
			m.text = recv.Name() + " " + types.TypeString(recv.Type(), nil) + " " + m.text
		}
	}
	return m.text
}

// anonymous calls f while the parameters have names that nobody else has.
func (m *method) anonymous(f func() string) string {
	params := slices.Clone(m.Params)
	for i := range m.Params {
		m.Params[i].Name = "parameter" + strconv.Itoa(i)
	}
	src := f()
	copy(m.Params, params)
	return src
}

// number resolves an item that is an integer. An expression that is constant
// becomes a number of the rule, which is checked like a written one.
func (r *resolver) number(m *method, rule *collect.Rule, name string) *keyexpr.Expr {
	expr := r.compile(m, *rule, name, keyexpr.WantInt)
	if expr == nil || expr.Const == nil {
		return expr
	}
	item, _ := rule.Item(name)
	n, exact := constant.Int64Val(constant.ToInt(expr.Const))
	if !exact {
		r.problem(m, *rule, item, rule.ItemPos(name), "%s is too large: %s", name, expr.Text)
		return nil
	}
	whole, why := rule.Directive.WithInt(name, n)
	if why != "" {
		r.problem(m, *rule, item, rule.ItemPos(name), "%s", why)
		return nil
	}
	rule.Directive = whole
	for _, p := range directive.Check(whole) {
		if !p.Note && !rule.Bad {
			r.problem(m, *rule, directive.Item{Line: p.Line}, rule.Pos(p.Line, p.Off), "%s", p.Text)
		}
	}
	return nil
}

// dimension is the key of a rule's dimension, which is named at off. The functions that it calls are
// the language's, whatever the package declares.
func (r *resolver) dimension(m *method, rule collect.Rule, off int, name string) *keyexpr.Expr {
	if name == "global" {
		return nil
	}
	scope := &keyexpr.Scope{Pkg: types.NewPackage(r.pkg.Path, r.pkg.Name)}
	if i := m.context(); i >= 0 {
		v := m.variable(i)
		v.Name = ""
		scope.Vars = append(scope.Vars, v)
	}
	expr, problems := keyexpr.Compile(name+"()", scope, keyexpr.WantKey)
	by, _ := rule.Item("by")
	for _, p := range problems {
		r.problem(m, rule, by, rule.Pos(by.Line, off), "%s", p.Text)
	}
	if expr != nil {
		r.use(m, expr, nil)
	}
	return expr
}

// params are the parameters of the method that expressions read.
func (m *method) params(exprs ...*keyexpr.Expr) []model.Var {
	var read []model.Var
	for i := range m.Params {
		if slices.ContainsFunc(exprs, func(e *keyexpr.Expr) bool { return e != nil && m.reads(e, i) }) {
			read = append(read, m.Params[i])
		}
	}
	return read
}

// reads reports whether an expression reads a parameter. One without a name
// can only be the context, or what has it.
func (m *method) reads(e *keyexpr.Expr, param int) bool {
	if param == m.context() && slices.Contains(e.Vars, "") {
		return true
	}
	name := m.sig.Params().At(param).Name()
	return name != "" && slices.Contains(e.Vars, name)
}

// problem reports something wrong with an item of a rule.
func (r *resolver) problem(m *method, rule collect.Rule, item directive.Item, pos token.Pos, format string, args ...any) {
	r.add(m, rule, item, pos, diag.Problem{Text: fmt.Sprintf(format, args...)})
}

// add reports a problem; one with a directive that stands elsewhere tells
// which method it is about.
func (r *resolver) add(m *method, rule collect.Rule, item directive.Item, pos token.Pos, p diag.Problem) {
	if rule.Elsewhere(item.Line) {
		p.Text = "for " + m.Name + ": " + p.Text
	}
	p.Pos = r.fset.PositionFor(pos, false)
	r.problems.Add(p)
}

// render is a file of package local with a piece of code.
func render(code jen.Code, local string) string {
	f := jen.NewFilePathName(local, "p")
	f.NoFormat = true // it is for no eye
	f.Var().Id("_").Op("=").Add(code)
	var out bytes.Buffer
	if err := f.Render(&out); err != nil {
		return ""
	}
	return out.String()
}

// paths are the packages that a piece of code names. Only jennifer knows them,
// and it tells by the imports of a file with that code.
func paths(src string) []string {
	parsed, err := parser.ParseFile(token.NewFileSet(), "", src, parser.ImportsOnly)
	if err != nil {
		return nil
	}
	var all []string
	for _, spec := range parsed.Imports {
		if p, err := strconv.Unquote(spec.Path.Value); err == nil {
			all = append(all, p)
		}
	}
	return all
}
