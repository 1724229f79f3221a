package resolve

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/collect"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/model"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/naming"
)

// target is a type or a function that gets a wrapper.
type target struct {
	obj     types.Object // the type's name, or the function
	inner   types.Type   // the type or, for a function, its signature
	start   token.Pos    // of its first rule, or of what names the wrapper
	wrap    *collect.Wrap
	limited map[*types.Func]*collect.Method
	rest    *collect.Type // whose rules are those of the methods that stand elsewhere
	wrapper *model.Wrapper
	methods []*method
	byName  map[string]*types.Func // all methods that the package can call, once they are asked for
}

func (t *target) name() string { return t.obj.Name() }

func (t *target) isFunc() bool {
	_, ok := t.obj.(*types.Func)
	return ok
}

// targets are what gets wrappers, in the order of the declarations.
func (r *resolver) targets(asked *collect.Package) []*target {
	all := map[types.Object]*target{}
	wrappers := wrapperNames(asked)
	for _, m := range asked.Methods {
		if fn, of := r.declared(m); of != nil && r.handwritten(m, of, wrappers) {
			entry(all, of, m.Rules[0].Start()).limited[fn] = m
		}
	}
	for _, typ := range asked.Types {
		if obj := r.typeName(typ.Spec); obj != nil && r.reaches(obj, typ) {
			entry(all, obj, typ.Rules[0].Start()).rest = typ
		}
	}
	for _, w := range asked.Wraps {
		if obj := r.typeName(w.Type); obj != nil && r.ownType(obj, w.Start) {
			entry(all, obj, w.Start).wrap = w
		}
	}
	return slices.SortedFunc(maps.Values(all), func(a, b *target) int { return cmp.Compare(a.obj.Pos(), b.obj.Pos()) })
}

// entry is the target of a declaration, made anew for what starts at start.
func entry(all map[types.Object]*target, obj types.Object, start token.Pos) *target {
	t := all[obj]
	if t == nil {
		t = &target{obj: obj, inner: obj.Type(), start: start, limited: map[*types.Func]*collect.Method{}}
		all[obj] = t
	}
	t.start = min(t.start, start)
	return t
}

// typeName returns the object of a type's declaration. Type errors within it
// are reported.
func (r *resolver) typeName(spec *ast.TypeSpec) types.Object {
	if r.typeErrors(spec.Pos(), spec.End()) {
		return nil
	}
	obj := r.pkg.Info.Defs[spec.Name]
	if obj == nil {
		r.at(spec.Name.Pos(), "%s cannot be type-checked", spec.Name.Name)
	}
	return obj
}

// reaches reports rules on a type that apply to no method.
func (r *resolver) reaches(obj types.Object, typ *collect.Type) bool {
	start := typ.Rules[0].Start()
	switch {
	case !r.ownType(obj, start):
		return false
	case types.IsInterface(obj.Type()) && (!typ.Bare || hasExported(obj.Type())):
		return true
	case typ.Bare:
		r.at(start, "%s declares no exported method that the rule could limit", obj.Name())
	}
	return false
}

func hasExported(typ types.Type) bool {
	return slices.ContainsFunc(methodSet(typ), func(sel *types.Selection) bool { return sel.Obj().Exported() }) || invalid(typ.Underlying())
}

// ownType reports an alias that stands for no interface: its methods, and the
// name of its wrapper, belong to the type that it stands for.
func (r *resolver) ownType(obj types.Object, start token.Pos) bool {
	if obj.(*types.TypeName).IsAlias() && !types.IsInterface(obj.Type()) {
		r.at(start, "%s is an alias of %s, which is no interface; a directive stands on the type itself", obj.Name(), types.Unalias(obj.Type()))
		return false
	}
	return true
}

// declared returns the object of a method or function and what gets the
// wrapper: the type that it belongs to, or itself. Type errors within its
// signature are reported.
func (r *resolver) declared(m *collect.Method) (*types.Func, types.Object) {
	if r.typeErrors(m.From, m.Sig.End()) {
		return nil, nil
	}
	fn, _ := r.pkg.Info.Defs[m.Name].(*types.Func)
	if fn == nil {
		r.at(m.Name.Pos(), "%s cannot be type-checked", m.Name.Name)
		return nil, nil
	}
	if m.Type == "" {
		return fn, fn
	}
	of := r.pkg.Types.Scope().Lookup(m.Type)
	if of == nil {
		r.at(m.Name.Pos(), "%s has no receiver that could be wrapped", m.Name.Name)
	}
	return fn, of
}

// handwritten reports a rule on a method that the package adds to a wrapper:
// it would take a wrapper of the wrapper.
func (r *resolver) handwritten(m *collect.Method, of types.Object, wrappers map[string]string) bool {
	named, ok := types.Unalias(of.Type()).(*types.Named)
	if !ok {
		return true
	}
	name := named.Obj().Name()
	for _, typ := range slices.Sorted(maps.Keys(wrappers)) {
		if _, declared := r.pkg.Declared[name]; wrappers[typ] == name && !declared {
			r.at(m.Rules[0].Start(), "%s is generated, and its own methods are not limited: declare %s on %s", name, m.Name.Name, typ)
			return false
		}
	}
	return true
}

// instantiate gives a generic target its type parameters under names that
// nothing else has, as its own arguments.
func (r *resolver) instantiate(t *target) {
	params := typeParams(t.obj)
	if params.Len() == 0 {
		return
	}
	renamed := rename(params, r.typeParamNames(params))
	t.inner = instance(t.obj.Type(), renamed)
	for _, p := range renamed {
		t.wrapper.TypeParams = append(t.wrapper.TypeParams, model.Var{Name: p.Obj().Name(), Type: p.Constraint()})
		r.wantTypes(p.Constraint())
	}
}

func typeParams(obj types.Object) *types.TypeParamList {
	switch t := obj.Type().(type) {
	case *types.Named:
		return t.TypeParams()
	case *types.Signature:
		return t.TypeParams()
	}
	return nil
}

// instance is a generic type or signature with type parameters as arguments.
func instance(generic types.Type, params []*types.TypeParam) types.Type {
	args := make([]types.Type, len(params))
	for i, p := range params {
		args[i] = p
	}
	if made, err := types.Instantiate(nil, generic, args, false); err == nil && len(args) > 0 {
		return made
	}
	return generic
}

// rename returns type parameters like those of a list, with other names.
func rename(list *types.TypeParamList, name func(string) string) []*types.TypeParam {
	to := substitution{}
	var fresh []*types.TypeParam
	for p := range list.TypeParams() {
		obj := types.NewTypeName(token.NoPos, p.Obj().Pkg(), name(p.Obj().Name()), nil)
		param := types.NewTypeParam(obj, nil)
		to[p], fresh = param, append(fresh, param)
	}
	i := 0
	for p := range list.TypeParams() {
		fresh[i].SetConstraint(to.of(p.Constraint()))
		i++
	}
	return fresh
}

// typeParamNames returns what names the type parameters of a list so that they
// hide nothing, where "next" and "limiter" are parameters of the constructor.
func (r *resolver) typeParamNames(list *types.TypeParamList) func(string) string {
	taken := naming.NewScope(r.scope, "next", "limiter")
	fresh := naming.NewScope(taken)
	for p := range list.TypeParams() {
		fresh.Take(p.Obj().Name())
	}
	return func(name string) string {
		switch {
		case name == "_":
			name = fresh.Fresh("T")
		case taken.Taken(name):
			name = fresh.Fresh(name)
		}
		r.typeParams = append(r.typeParams, name)
		return name
	}
}

// elsewhere are the methods of an interface that rules on it reach although it
// does not declare them itself.
func (t *target) elsewhere(fn *types.Func) *collect.Method {
	if t.rest == nil || !fn.Exported() || t.rest.Spec.Pos() <= fn.Pos() && fn.Pos() < t.rest.Spec.End() {
		return nil
	}
	return &collect.Method{Type: t.name(), Rules: t.rest.Rules}
}

// receiver returns the type that declares a method.
func receiver(fn *types.Func) *types.Named {
	recv := fn.Signature().Recv()
	if recv == nil {
		return nil
	}
	t := types.Unalias(recv.Type())
	if pointer, ok := t.(*types.Pointer); ok {
		t = types.Unalias(pointer.Elem())
	}
	named, _ := t.(*types.Named)
	return named
}
