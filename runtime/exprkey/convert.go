package exprkey

import (
	"fmt"
	"reflect"
	"strconv"
	"time"
)

// text is the text that a value has in a key: that of its String method, or
// else of the string, integer or bool that its type is based on.
func text(args ...any) (any, error) {
	v, err := argument("text", args)
	if err != nil {
		return nil, err
	}
	if s, ok := v.(fmt.Stringer); ok && !empty(v) {
		return s.String(), nil
	}
	switch r := indirect(v); {
	case r.Kind() == reflect.String:
		return r.String(), nil
	case r.Kind() == reflect.Bool:
		return strconv.FormatBool(r.Bool()), nil
	case r.CanInt():
		return strconv.FormatInt(r.Int(), 10), nil
	case r.CanUint():
		return strconv.FormatUint(r.Uint(), 10), nil
	}
	return nil, fmt.Errorf("%s has no text", kind(v))
}

// basic is a value as the string, number or bool that its type is based on.
// Pointers to such a value are followed; any other value stays what it is.
func basic(args ...any) (any, error) {
	v, err := argument("basic", args)
	if err != nil {
		return nil, err
	}
	r := indirect(v)
	if !r.IsValid() {
		return nil, nil
	}
	if _, ok := r.Interface().(time.Duration); ok {
		return r.Interface(), nil
	}
	if to, ok := basicTypes[r.Kind()]; ok {
		return r.Convert(to).Interface(), nil
	}
	return v, nil
}

var basicTypes = basicTypesByKind(
	"", false, int(0), int8(0), int16(0), int32(0), int64(0),
	uint(0), uint8(0), uint16(0), uint32(0), uint64(0), float32(0), float64(0),
)

func basicTypesByKind(values ...any) map[reflect.Kind]reflect.Type {
	byKind := make(map[reflect.Kind]reflect.Type, len(values))
	for _, v := range values {
		t := reflect.TypeOf(v)
		byKind[t.Kind()] = t
	}
	return byKind
}

func argument(name string, args []any) (any, error) {
	if len(args) != 1 {
		return nil, fmt.Errorf("%s takes 1 argument, not %d", name, len(args))
	}
	return args[0], nil
}

// indirect follows pointers. The result is not valid at the end of a nil one.
func indirect(v any) reflect.Value {
	r := reflect.ValueOf(v)
	for r.Kind() == reflect.Pointer {
		r = r.Elem()
	}
	return r
}

func empty(v any) bool {
	r := reflect.ValueOf(v)
	return r.Kind() == reflect.Pointer && r.IsNil()
}

func integer(v any) (int, bool) {
	switch r := reflect.ValueOf(v); {
	case r.CanInt():
		return int(r.Int()), true
	case r.CanUint():
		return int(r.Uint()), true
	}
	return 0, false
}

func float(v any) (float64, bool) {
	if r := reflect.ValueOf(v); r.CanFloat() {
		return r.Float(), true
	}
	n, ok := integer(v)
	return float64(n), ok
}
