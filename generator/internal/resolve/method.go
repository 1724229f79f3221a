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

	text   string          // of the signature, once it is asked for
	hidden map[string]bool // what a parameter or variable must not be called
}

// start is where the first rule stands.
func (m *method) start() token.Pos { return m.source.Rules[0].Start() }

// place is the method with its type, as in T.M.
func (m *method) place() string {
	if m.of.isFunc() {
		return m.Name
	}
	return m.of.name() + "." + m.Name
}

// resolve makes the wrapper of a type or function.
func (r *resolver) resolve(t *target) {
	t.wrapper = &model.Wrapper{Type: t.name(), Func: t.isFunc(), Interface: types.IsInterface(t.inner)}
	if !r.wrappable(t) {
		return
	}
	r.instantiate(t)
	if fn, ok := t.obj.(*types.Func); ok {
		r.method(t, fn, t.inner.(*types.Signature))
		return
	}
	for _, sel := range t.methodSet() {
		if fn := sel.Obj().(*types.Func); fn.Exported() || fn.Pkg() == r.pkg.Types {
			r.method(t, fn, sel.Type().(*types.Signature)).LimitedBy = r.promotedFrom(sel)
		} else {
			r.embed(t, sel)
		}
	}
	r.unused(t)
	r.inSourceOrder(t.methods)
	t.wrapper.Unwrap = !hidden(t.wrapper.Name, t.wrapper.Type) && !implementsError(t.inner) && !t.has("Unwrap")
}

// method adds a method to the wrapper.
func (r *resolver) method(t *target, fn *types.Func, sig *types.Signature) *method {
	m := &method{fn: fn, sig: sig, of: t, source: t.limited[fn.Origin()]}
	if m.source == nil {
		m.source = t.elsewhere(fn)
	}
	m.Method = &model.Method{Name: fn.Name(), Doc: r.doc(fn), Variadic: m.sig.Variadic()}
	m.Params, m.Results = vars(m.sig.Params()), vars(m.sig.Results())
	m.ReturnsError = m.returnsError()
	if t.isFunc() {
		m.uses = append(m.uses, m.Name)
	}
	t.methods = append(t.methods, m)
	if r.writable(m) && m.source != nil {
		r.limit(m)
	}
	return m
}

// unused reports methods that were to be limited and that the type does not
// have after all.
func (r *resolver) unused(t *target) {
	has := map[*types.Func]bool{}
	for _, m := range t.methods {
		has[m.fn.Origin()] = true
	}
	for fn, source := range t.limited {
		if !has[fn] {
			r.at(source.Rules[0].Start(), "%s is no method that a wrapper of %s could have", fn.Name(), t.wrapper.Type)
		}
	}
}

// wrappable reports what makes a type impossible to wrap.
func (r *resolver) wrappable(t *target) bool {
	if i, ok := t.inner.Underlying().(*types.Interface); ok && !i.IsMethodSet() {
		r.at(t.start, "%s is a constraint: nothing can have the type", t.name())
		return false
	}
	return r.chooseNames(t) && r.embedsKnown(t)
}

// embedsKnown reports embedded types that have an error: their methods would
// be missing.
func (r *resolver) embedsKnown(t *target) bool {
	switch u := t.inner.Underlying().(type) {
	case *types.Struct:
		for field := range u.Fields() {
			if field.Embedded() && invalid(field.Type()) {
				r.unknown(field, "the embedded "+field.Name())
				return false
			}
		}
	case *types.Interface:
		for embedded := range u.EmbeddedTypes() {
			if invalid(embedded) {
				r.unknown(t.obj, "what "+t.name()+" embeds")
				return false
			}
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
	name := m.of.name()
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
	decl, ok := r.decls[m.fn.Origin()]
	if !ok {
		r.at(m.fn.Pos(), "the method %s of %s does not type-check", m.Name, typ)
		return
	}
	if !r.typeErrors(decl.from, decl.to) {
		r.unknown(m.fn, "the method "+m.Name)
	}
}

// inSourceOrder sorts methods: those of the package as they are declared, then
// others by name: the promoted ones of other packages, and those of which other
// builds have another declaration.
func (r *resolver) inSourceOrder(methods []*method) {
	slices.SortStableFunc(methods, func(a, b *method) int {
		x, y := r.declaredAt(a.fn), r.declaredAt(b.fn)
		switch {
		case x.IsValid() && y.IsValid():
			return cmp.Compare(x, y)
		case !x.IsValid() && !y.IsValid():
			return strings.Compare(a.Name, b.Name)
		case x.IsValid():
			return -1
		}
		return 1
	})
}

// declaredAt is where the package declares a method, in all builds that have
// the generated file.
func (r *resolver) declaredAt(fn *types.Func) token.Pos {
	if r.constrainedFile(fn) != nil {
		return token.NoPos
	}
	return r.decls[fn.Origin()].from
}

func (t *target) has(name string) bool {
	return slices.ContainsFunc(t.methods, func(m *method) bool { return m.Name == name })
}

// doc is the documentation of a method, without its directives, if it is the
// same in all builds.
func (r *resolver) doc(fn *types.Func) string {
	if r.constrainedFile(fn) != nil {
		return ""
	}
	return docText(r.decls[fn.Origin()].doc)
}

func docText(doc *ast.CommentGroup) string { return strings.TrimSpace(doc.Text()) }

// methodSet are the methods of what the wrapper holds.
func (t *target) methodSet() []*types.Selection {
	if t.isFunc() {
		return nil
	}
	return methodSet(t.inner)
}

// methodSet are the methods of an interface, or of the pointer to another
// type.
func methodSet(typ types.Type) []*types.Selection {
	if !types.IsInterface(typ) {
		typ = types.NewPointer(typ)
	}
	var all []*types.Selection
	for sel := range types.NewMethodSet(typ).Methods() {
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

func implementsError(typ types.Type) bool {
	if !types.IsInterface(typ) {
		typ = types.NewPointer(typ)
	}
	return types.Implements(typ, errorType.Underlying().(*types.Interface))
}
