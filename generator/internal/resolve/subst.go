package resolve

import "go/types"

// substitution replaces type parameters by other types.
type substitution map[*types.TypeParam]types.Type

// of returns t with its type parameters replaced.
func (s substitution) of(t types.Type) types.Type {
	switch t := t.(type) {
	case *types.TypeParam:
		if to, ok := s[t]; ok {
			return to
		}
	case *types.Pointer:
		return types.NewPointer(s.of(t.Elem()))
	case *types.Slice:
		return types.NewSlice(s.of(t.Elem()))
	case *types.Array:
		return types.NewArray(s.of(t.Elem()), t.Len())
	case *types.Map:
		return types.NewMap(s.of(t.Key()), s.of(t.Elem()))
	case *types.Chan:
		return types.NewChan(t.Dir(), s.of(t.Elem()))
	case *types.Signature:
		return s.signature(t)
	case *types.Struct:
		return s.structure(t)
	case *types.Interface:
		return s.interfaces(t)
	case *types.Union:
		return s.union(t)
	case *types.Named:
		return s.instance(t, t.Origin(), t.TypeArgs())
	case *types.Alias:
		return s.instance(t, t.Origin(), t.TypeArgs())
	}
	return t
}

func (s substitution) instance(t, origin types.Type, args *types.TypeList) types.Type {
	if args.Len() == 0 {
		return t
	}
	var list []types.Type
	for arg := range args.Types() {
		list = append(list, s.of(arg))
	}
	if made, err := types.Instantiate(nil, origin, list, false); err == nil {
		return made
	}
	return t
}

func (s substitution) signature(t *types.Signature) types.Type {
	return types.NewSignatureType(nil, nil, nil, s.tuple(t.Params()), s.tuple(t.Results()), t.Variadic())
}

func (s substitution) tuple(t *types.Tuple) *types.Tuple {
	var vars []*types.Var
	for v := range t.Variables() {
		vars = append(vars, types.NewParam(v.Pos(), v.Pkg(), v.Name(), s.of(v.Type())))
	}
	return types.NewTuple(vars...)
}

func (s substitution) structure(t *types.Struct) types.Type {
	var fields []*types.Var
	var tags []string
	for i := range t.NumFields() {
		f := t.Field(i)
		fields = append(fields, types.NewField(f.Pos(), f.Pkg(), f.Name(), s.of(f.Type()), f.Embedded()))
		tags = append(tags, t.Tag(i))
	}
	return types.NewStruct(fields, tags)
}

func (s substitution) interfaces(t *types.Interface) types.Type {
	var methods []*types.Func
	for m := range t.ExplicitMethods() {
		methods = append(methods, types.NewFunc(m.Pos(), m.Pkg(), m.Name(), s.signature(m.Signature()).(*types.Signature)))
	}
	var embedded []types.Type
	for e := range t.EmbeddedTypes() {
		embedded = append(embedded, s.of(e))
	}
	made := types.NewInterfaceType(methods, embedded)
	if t.IsImplicit() {
		made.MarkImplicit()
	}
	return made.Complete()
}

func (s substitution) union(t *types.Union) types.Type {
	var terms []*types.Term
	for term := range t.Terms() {
		terms = append(terms, types.NewTerm(term.Tilde(), s.of(term.Type())))
	}
	return types.NewUnion(terms)
}
