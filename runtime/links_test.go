package ratelimit_test

import (
	"os/exec"
	"strings"
	"testing"
)

const module = "github.com/ratelimitgen/ratelimitgen/"

// dependencies returns the import paths that a program with the packages links.
func dependencies(t *testing.T, packages ...string) []string {
	t.Helper()
	out, err := exec.Command("go", append([]string{"list", "-deps"}, packages...)...).Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	return strings.Fields(string(out))
}

func TestWhatProgramsLink(t *testing.T) {
	t.Parallel()
	cases := []struct {
		packages []string
		never    []string
	}{
		{[]string{module + "runtime", module + "runtime/memory", module + "runtime/ratelimittest"},
			[]string{"github.com/redis/", "github.com/expr-lang/", "golang.org/x/tools", "github.com/dave/", module + "generator", module + "runtime/redisstore", module + "runtime/lua"}},
		{[]string{module + "runtime/redisstore"},
			[]string{"github.com/expr-lang/", "golang.org/x/tools", "github.com/dave/", module + "generator"}},
		{[]string{module + "generator/...", module + "cmd/..."},
			[]string{module + "runtime", "github.com/redis/"}},
		{[]string{module + "generator/internal/directive"}, []string{module + "generator/internal/keyexpr", "go/types"}},
		{[]string{module + "generator/internal/keyexpr"}, []string{module + "generator/internal/directive"}},
		{[]string{module + "internal/rules"}, []string{module + "runtime", module + "generator"}},
	}
	for _, c := range cases {
		deps := dependencies(t, c.packages...)
		if len(deps) < 10 {
			t.Fatalf("%v: only %d dependencies listed", c.packages, len(deps))
		}
		for _, dep := range deps {
			for _, never := range c.never {
				if strings.HasPrefix(dep, never) {
					t.Errorf("%v links %s", c.packages, dep)
				}
			}
		}
	}
}
