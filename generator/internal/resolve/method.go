package resolve

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/collect"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/model"
)

// method is a method of a wrapper in the making.
type method struct {
	*model.Method
	fn     *types.Func
	sig    *types.Signature
	of     *target
	source *collect.Method // nil: only passed on

	sources []collect.Rule // of the rules of its Limit
	uses    []string       // what the body names without a qualifier, apart from its own variables
	paths   []string       // the packages that the body names

	hidden map[string]bool // what a parameter or variable must not be called
}

// start is where the first rule stands.
func (m *method) start() token.Pos { return m.source.Rules[0].Start() }

func (m *method) typeName() string { return m.of.named.Obj().Name() }

// resolve makes the wrapper of a type.
func (r *resolver) resolve(t *target) {
	t.wrapper = &model.Wrapper{Type: t.named.Obj().Name()}
	if !r.wrappable(t) {
		return
	}
	for _, sel := range methodSet(t.named) {
		fn := sel.Obj().(*types.Func)
		m := &method{fn: fn, sig: sel.Type().(*types.Signature), of: t, source: t.limited[fn]}
		m.Method = &model.Method{Name: fn.Name(), Doc: r.doc(fn), Variadic: m.sig.Variadic()}
		m.Params, m.Results = vars(m.sig.Params()), vars(m.sig.Results())
		m.ReturnsError = m.returnsError()
		m.LimitedBy = r.promotedFrom(sel)
		t.methods = append(t.methods, m)
		if r.writable(m) && m.source != nil {
			r.limit(m)
		}
	}
	r.unused(t)
	r.inSourceOrder(t.methods)
	t.wrapper.Unwrap = !hidden(t.wrapper.Name, t.wrapper.Type) && !implementsError(t.named) && !t.has("Unwrap")
}

// unused reports methods that were to be limited and that the type does not
// have after all.
func (r *resolver) unused(t *target) {
	for fn, source := range t.limited {
		if !slices.ContainsFunc(t.methods, func(m *method) bool { return m.fn == fn }) {
			r.at(source.Rules[0].Start(), "%s is no method that a wrapper of %s could have", fn.Name(), t.wrapper.Type)
		}
	}
}

// wrappable reports what makes a type impossible to wrap.
func (r *resolver) wrappable(t *target) bool {
	if types.IsInterface(t.named) {
		r.at(t.start, "a directive on an interface is not supported yet")
		return false
	}
	return r.chooseNames(t) && r.embedsKnown(t)
}

// embedsKnown reports embedded fields whose type has an error: their methods
// would be missing.
func (r *resolver) embedsKnown(t *target) bool {
	s, ok := t.named.Underlying().(*types.Struct)
	if !ok {
		return true
	}
	for field := range s.Fields() {
		if field.Embedded() && invalid(field.Type()) {
			r.unknown(field, "the embedded "+field.Name())
			return false
		}
	}
	return true
}

// unknown reports why the type of an object is not known: an error on its
// line, or an import that failed.
func (r *resolver) unknown(obj types.Object, what string) {
	if r.typeErrors(r.line(obj.Pos())) {
		return
	}
	for _, file := range r.pkg.Files {
		if file.Syntax.FileStart <= obj.Pos() && obj.Pos() < file.Syntax.FileEnd && r.failedImports(file.Syntax) {
			return
		}
	}
	r.at(obj.Pos(), "%s does not type-check", what)
}

// line returns where the line of pos starts and where the next one does.
func (r *resolver) line(pos token.Pos) (from, to token.Pos) {
	file := r.fset.File(pos)
	n := file.Line(pos)
	if n == file.LineCount() {
		return file.LineStart(n), token.Pos(file.Base() + file.Size())
	}
	return file.LineStart(n), file.LineStart(n + 1)
}

// writable reports what makes a method of the method set impossible to write.
func (r *resolver) writable(m *method) bool {
	start := m.of.start
	if m.source != nil {
		start = m.start()
	}
	name := m.typeName()
	if !m.fn.Exported() && m.fn.Pkg() != r.pkg.Types {
		r.at(start, "%s has the method %s, which is not exported by %s: a wrapper for it is not supported yet", name, m.Name, m.fn.Pkg().Path())
		return false
	}
	if invalid(m.sig) {
		r.invalidSignature(m, name)
		return false
	}
	if why := r.notEverywhere(m.fn); why != "" {
		r.at(start, "the wrapper of %s cannot have the method %s, which %s", name, m.Name, why)
		return false
	}
	if why := unnameable(m.sig, r.pkg.Types); why != "" {
		r.at(start, "the wrapper of %s cannot have the method %s: %s", name, m.Name, why)
		return false
	}
	for v := range concat(m.sig.Params(), m.sig.Results()) {
		r.wantTypes(v.Type())
	}
	return true
}

func (r *resolver) invalidSignature(m *method, typ string) {
	decl := r.decls[m.fn]
	if decl == nil {
		r.at(m.fn.Pos(), "the method %s of %s does not type-check", m.Name, typ)
		return
	}
	if !r.typeErrors(decl.Pos(), decl.Type.End()) {
		r.unknown(m.fn, "the method "+m.Name)
	}
}

// inSourceOrder sorts methods: those of the package as they are declared, then
// the promoted ones of other packages by name.
func (r *resolver) inSourceOrder(methods []*method) {
	slices.SortStableFunc(methods, func(a, b *method) int {
		x, y := r.decls[a.fn], r.decls[b.fn]
		switch {
		case x != nil && y != nil:
			return cmp.Compare(x.Pos(), y.Pos())
		case x == nil && y == nil:
			return strings.Compare(a.Name, b.Name)
		case x != nil:
			return -1
		}
		return 1
	})
}

func (t *target) has(name string) bool {
	return slices.ContainsFunc(t.methods, func(m *method) bool { return m.Name == name })
}

// doc is the documentation of a method, without its directives.
func (r *resolver) doc(fn *types.Func) string {
	decl := r.decls[fn]
	if decl == nil {
		return ""
	}
	return docText(decl.Doc)
}

func docText(doc *ast.CommentGroup) string { return strings.TrimSpace(doc.Text()) }

func methodSet(named *types.Named) []*types.Selection {
	var all []*types.Selection
	for sel := range types.NewMethodSet(types.NewPointer(named)).Methods() {
		all = append(all, sel)
	}
	return all
}

func vars(tuple *types.Tuple) []model.Var {
	var all []model.Var
	for v := range tuple.Variables() {
		all = append(all, model.Var{Name: v.Name(), Type: v.Type()})
	}
	return all
}

func implementsError(named *types.Named) bool {
	return types.Implements(types.NewPointer(named), errorType.Underlying().(*types.Interface))
}
