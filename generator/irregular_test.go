//go:build unix

package generator_test

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/ratelimitgen/ratelimitgen/generator"
)

// TestNamedPipe has one in the place of a file, which nobody writes to.
func TestNamedPipe(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"ratelimit_gen.go", "b.go", "ratelimit_gen_test.go"} {
		for _, linked := range []bool{false, true} {
			module := newModule(t)
			write(t, filepath.Join(module, "p/a.go"), limited)
			path := filepath.Join(module, "p", name)
			pipe := path
			if linked {
				pipe = filepath.Join(module, "pipe")
				if err := os.Symlink(pipe, path); err != nil {
					t.Fatal(err)
				}
			}
			if err := syscall.Mkfifo(pipe, 0o600); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			result, err := generator.Generate(ctx, generator.Config{Dir: module, Patterns: []string{"./p"}})
			if err != nil {
				t.Fatal(err)
			}
			if got, want := problems(result), "p/"+name+": cannot be read: it is a named pipe and no regular file; remove it\n"; got != want {
				t.Errorf("%s: %q, want %q", name, got, want)
			}
			if info, err := os.Lstat(pipe); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
				t.Errorf("%s: the pipe is gone: %v", name, err)
			}
		}
	}
}
