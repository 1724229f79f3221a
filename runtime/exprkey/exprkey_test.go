package exprkey_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ratelimitgen/ratelimitgen/runtime/exprkey"
)

type color int

func (c color) String() string { return fmt.Sprintf("color %d", int(c)) }

type label string

type item struct {
	Name  label
	Color *color
	Size  int8
}

var errUser = errors.New("a mistake of the user's")

func env() exprkey.Env {
	red := color(1)
	return exprkey.Env{
		"n":     7,
		"label": label("l"),
		"color": red,
		"took":  time.Second,
		"items": []item{{Name: "a", Color: &red, Size: 1}, {Name: "b", Size: 2}},
		"none":  (*color)(nil),
		"fails": func() (string, error) { return "", errUser },
		"panics": func() string {
			panic("on purpose")
		},
		"ratio": 1.5,
		"big":   uint64(1 << 63),
	}
}

func TestResults(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]any{
		`n + 1`:                                  8,
		`count(items, basic(.Name) == "a")`:      1,
		`sum(items, .Size)`:                      3,
		`items[1].Size`:                          2,
		`text(label) + text(color) + text(n)`:    "lcolor 17",
		`text(items[0].Color)`:                   "color 1",
		`join(map(items, text(.Name)))`:          "ab",
		`text(true) + text(big)`:                 "true9223372036854775808",
		`basic(label) == "l"`:                    true,
		`basic(color) == 1`:                      true,
		`basic(items[0].Color) == 1`:             true,
		`basic(none) == nil`:                     true,
		`basic(took) > duration("1ms")`:          true,
		`ratio * 2`:                              3.0,
		`items[0].Color`:                         1,
		`mean(n)`:                                7.0,
		`any(items, .Size > 1) && n in [7, "x"]`: true,
	} {
		p := exprkey.Compile(source)
		var got any
		var err error
		switch want.(type) {
		case int:
			got, err = p.Int(env())
		case bool:
			got, err = p.Bool(env())
		case string:
			got, err = p.String(env())
		case float64:
			got, err = p.Float(env())
		}
		if got != want || err != nil {
			t.Errorf("%s gives %v, %v, want %v", source, got, err, want)
		}
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		`fails()`:                 errUser.Error(),
		`panics()`:                "on purpose",
		`items[2].Name`:           "index out of range",
		`n`:                       "the result is no string but a int",
		`nil`:                     "the result is no string but nil",
		`text(nil)`:               "nil has no text",
		`none`:                    "the result is no string but nil",
		`text(none)`:              "a *exprkey_test.color has no text",
		`text(ratio)`:             "a float64 has no text",
		`text(items)`:             "a []exprkey_test.item has no text",
		`text(1, 2)`:              "text takes 1 argument, not 2",
		`basic()`:                 "basic takes 1 argument, not 0",
		`n +`:                     "unexpected token",
		`toJSON(panics)`:          "unsupported type",
		`string(1..100000000000)`: "memory budget exceeded",
	} {
		_, err := exprkey.Compile(source).String(env())
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s fails with %v, want one line with %q", source, err, want)
		}
	}
	if _, err := exprkey.Compile(`ratio`).Int(env()); err == nil {
		t.Error("a float passes for an integer")
	}
	if _, err := exprkey.Compile(`label`).Float(env()); err == nil {
		t.Error("a string passes for a number")
	}
	if _, err := exprkey.Compile(`n`).Bool(env()); err == nil {
		t.Error("a number passes for a bool")
	}
	if n, err := exprkey.Compile(`big`).Uint(env()); n != 1<<63 || err != nil {
		t.Errorf("an integer without a sign is %d, %v", n, err)
	}
	if _, err := exprkey.Compile(`n`).Uint(env()); err == nil {
		t.Error("an integer with a sign passes for one without")
	}
	if _, err := exprkey.Compile(`fails()`).String(env()); !errors.Is(err, errUser) {
		t.Errorf("the error of a function is lost: %v", err)
	}
}

func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	p := exprkey.Compile(`sum(filter(numbers, # > least)) + len(map(numbers, # * 2))`)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for range 100 {
				if got, err := p.Int(exprkey.Env{"numbers": []int{i, 10, 20}, "least": 9}); got != 33 || err != nil {
					t.Errorf("the result is %d, %v, want 33", got, err)
					return
				}
			}
		})
	}
	all.Wait()
}
