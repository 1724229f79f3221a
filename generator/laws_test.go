package generator_test

import (
	"os/exec"
	"strings"
	"testing"
)

// The generator names the runtime, but links nothing of it: what both must
// know stands in internal/rules.
func TestGeneratorDoesNotImportTheRuntime(t *testing.T) {
	t.Parallel()
	const runtime = "github.com/ratelimitgen/ratelimitgen/runtime"
	cmd := exec.CommandContext(t.Context(), "go", "list", "-deps", ".", "../cmd/ratelimitgen")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	seen := false
	for path := range strings.Lines(string(out)) {
		path = strings.TrimSpace(path)
		seen = seen || path == "github.com/ratelimitgen/ratelimitgen/internal/rules"
		if path == runtime || strings.HasPrefix(path, runtime+"/") {
			t.Errorf("the generator imports %s", path)
		}
	}
	if !seen {
		t.Error("the list of imports is not what it should be")
	}
}
