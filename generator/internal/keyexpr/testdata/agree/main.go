// Agree evaluates expressions by their native code and on expr's VM and
// reports where the results differ.
package main

import (
	"fmt"
	"math"
	"os"
	"reflect"
	"strconv"
	"time"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/vm"
)

type entry struct {
	ours, theirs string
	native       func(v *Vals) (any, error)
}

func env(v *Vals) map[string]any {
	return map[string]any{
		"n": v.N, "m": v.M, "i8": v.I8, "i16": v.I16, "i32": v.I32, "i64": v.I64, "u": v.U, "u8": v.U8, "u16": v.U16, "u32": v.U32, "u64": v.U64,
		"f": v.F, "g": v.G, "f32": v.F32, "s": v.S, "t": v.T, "ok": v.Ok, "on": v.On,
		"kind": int16(v.Kind), "size": uint64(v.Size), "label": string(v.Label), "flag": bool(v.Flag), "shade": v.Shade,
		"pn": v.Pn, "ps": v.Ps, "pb": v.Pb, "user": v.User, "friend": v.Friend,
		"ints": v.Ints, "wide": v.Wide, "bytes": v.Bytes, "floats": v.Floats, "strs": v.Strs, "labels": v.Labels, "users": v.Users, "ptrs": v.Ptrs, "array": v.Array,
		"limits": v.Limits, "byID": v.ByID, "took": v.Took, "when": v.When, "anybody": v.Anybody,
		"Half": Half, "Parse": Parse, "Greet": Greet, "Old": Old, "ToInt64": ToInt64,
	}
}

func text(args ...any) (any, error) {
	v := args[0]
	r := reflect.ValueOf(v)
	if s, ok := v.(fmt.Stringer); ok && !(r.Kind() == reflect.Pointer && r.IsNil()) {
		return s.String(), nil
	}
	for r.Kind() == reflect.Pointer {
		r = r.Elem()
	}
	switch {
	case r.Kind() == reflect.String:
		return r.String(), nil
	case r.Kind() == reflect.Bool:
		return strconv.FormatBool(r.Bool()), nil
	case r.CanInt():
		return strconv.FormatInt(r.Int(), 10), nil
	case r.CanUint():
		return strconv.FormatUint(r.Uint(), 10), nil
	}
	return nil, fmt.Errorf("%v has no text", v)
}

func basic(args ...any) (any, error) {
	switch r := reflect.ValueOf(args[0]); {
	case r.Kind() == reflect.String:
		return r.String(), nil
	case r.Kind() == reflect.Bool:
		return r.Bool(), nil
	case r.CanInt():
		return int(r.Int()), nil
	case r.CanUint():
		return r.Uint(), nil
	}
	return args[0], nil
}

func same(a, b any) bool {
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	if y.Kind() == reflect.Pointer {
		y = y.Elem()
	}
	switch {
	case !x.IsValid() || !y.IsValid():
		return x.IsValid() == y.IsValid()
	case x.CanInt() && y.CanInt():
		return x.Int() == y.Int()
	case x.CanUint() && y.CanUint():
		return x.Uint() == y.Uint()
	case x.CanInt() && y.CanUint():
		return x.Int() == int64(y.Uint())
	case x.CanUint() && y.CanInt():
		return int64(x.Uint()) == y.Int()
	case x.CanFloat() && y.CanFloat():
		return x.Float() == y.Float() || math.IsNaN(x.Float()) && math.IsNaN(y.Float())
	case x.CanFloat() && y.CanInt():
		return x.Float() == float64(y.Int())
	case x.Kind() == reflect.String && y.Kind() == reflect.String:
		return x.String() == y.String()
	case x.Kind() == reflect.Bool && y.Kind() == reflect.Bool:
		return x.Bool() == y.Bool()
	}
	return reflect.DeepEqual(a, b)
}

// absent reports whether expr's result is nil, which no basic value is.
func absent(v any) bool {
	r := reflect.ValueOf(v)
	return !r.IsValid() || r.Kind() == reflect.Pointer && r.IsNil()
}

func show(v any, err error) string {
	if err != nil {
		return "the error " + strconv.Quote(err.Error())
	}
	return fmt.Sprintf("%#v of type %T", v, v)
}

func main() {
	rounds, _ := strconv.ParseUint(os.Args[1], 10, 64)
	seed, _ := strconv.ParseUint(os.Args[2], 10, 64)
	pairs, fails, differ, uncompiled := 0, 0, 0, 0
	start := time.Now()
	for i, e := range entries {
		program, err := expr.Compile(e.theirs, expr.Env(map[string]any{}), expr.AllowUndefinedVariables(), expr.Function("text", text), expr.Function("basic", basic))
		if err != nil {
			uncompiled++
			fmt.Printf("expr does not compile %s: %v\n", e.theirs, err)
			continue
		}
		for round := range rounds {
			v := values(seed + uint64(i)*rounds + round)
			got, gotErr := e.native(v)
			want, wantErr := vm.Run(program, env(v))
			pairs++
			if gotErr != nil && wantErr != nil {
				fails++
				continue
			}
			if gotErr != nil && absent(want) {
				fails++
				continue
			}
			if (gotErr == nil) != (wantErr == nil) || !same(got, want) {
				if differ++; differ <= 20 {
					fmt.Printf("%s\n\t(as %s)\n\tis %s, for expr %s\n\twith %+v\n", e.ours, e.theirs, show(got, gotErr), show(want, wantErr), *v)
				}
				break
			}
		}
	}
	fmt.Printf("pairs %d failing %d different %d uncompiled %d in %v\n", pairs, fails, differ, uncompiled, time.Since(start).Round(time.Millisecond))
}
