package resolve

import (
	"bytes"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/collect"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/diag"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/keyexpr"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/model"
)

// keyScope is what the expressions of a method can name. What generated code
// calls the variables is asked only when it is written.
func (r *resolver) keyScope(t *target, m *method) *keyexpr.Scope {
	named, dotted := r.fileImports(m.source.File.Syntax)
	scope := &keyexpr.Scope{Pkg: r.pkg.Types, Imports: named, DotImports: dotted}
	for i := range m.Params {
		p := &m.Params[i]
		scope.Vars = append(scope.Vars, keyexpr.Var{
			Name: p.Name,
			Type: p.Type,
			Code: func() *jen.Statement { return jen.Id(p.Name) },
		})
	}
	recv := m.fn.Signature().Recv()
	_, pointer := types.Unalias(recv.Type()).(*types.Pointer)
	scope.Vars = append(scope.Vars, keyexpr.Var{
		Name:    recv.Name(),
		Type:    recv.Type(),
		Code:    func() *jen.Statement { return jen.Id(t.wrapper.Receiver).Dot(t.wrapper.Next) },
		Pointer: !pointer,
	})
	return scope
}

// key resolves the key of a rule, nil if it has none or a bad one.
func (r *resolver) key(m *method, rule collect.Rule, scope *keyexpr.Scope) *model.Key {
	item, ok := rule.Item("key")
	if !ok || item.Bad {
		return nil
	}
	expr, problems := keyexpr.Key(item.Value, scope)
	for _, p := range problems {
		pos := r.fset.PositionFor(rule.Pos(item.Line, item.ValueOff+p.Off), false)
		r.problems.Add(diag.Problem{Pos: pos, Text: p.Text, Note: p.Note})
	}
	if expr == nil {
		return nil
	}
	k := &model.Key{Text: expr.Text, Pieces: expr.Pieces, Concat: expr.Code}
	m.keys = append(m.keys, exprKey{k, expr})
	m.uses = append(m.uses, expr.Names...)
	for _, path := range paths(expr.Code(), r.pkg.Path) {
		m.paths = append(m.paths, path)
		r.want(path)
	}
	return k
}

// exprKey is a key with the expression that it comes from.
type exprKey struct {
	*model.Key
	expr *keyexpr.Expr
}

// params are the parameters of the method that the key reads.
func (k exprKey) params(m *method) []model.Var {
	var read []model.Var
	for i := range m.Params {
		if slices.Contains(k.expr.Vars, m.sig.Params().At(i).Name()) {
			read = append(read, m.Params[i])
		}
	}
	return read
}

// paths are the packages that a piece of code names. Only jennifer knows them,
// and it tells by the imports of a file with that code.
func paths(code jen.Code, local string) []string {
	f := jen.NewFilePathName(local, "p")
	f.Var().Id("_").Op("=").Add(code)
	var out bytes.Buffer
	if err := f.Render(&out); err != nil {
		return nil
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), "", out.Bytes(), parser.ImportsOnly)
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
