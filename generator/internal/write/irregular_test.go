//go:build unix

package write

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/genfile"
)

// TestIrregularFilesAreNeverTouched has links to what others may use as well.
func TestIrregularFilesAreNeverTouched(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	target, link := filepath.Join(dir, "pipe"), filepath.Join(dir, genfile.Set{}.Name())
	if err := syscall.Mkfifo(target, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{link, target, dir} {
		for _, content := range [][]byte{nil, []byte(one)} {
			f := File{path, content}
			_, writeErr := write(f)
			_, diffErr := f.Diff("x")
			for _, err := range []error{writeErr, diffErr} {
				failure, ok := errors.AsType[*genfile.Failure](err)
				if !ok || failure.Path != path || !strings.Contains(err.Error(), ": cannot be read: it is a ") {
					t.Errorf("content %q: error %v", content, err)
				}
			}
		}
	}
	if info, err := os.Lstat(target); err != nil || info.Mode()&fs.ModeNamedPipe == 0 {
		t.Errorf("the pipe is gone: %v", err)
	}
	leaveNothingElse(t, dir, 2)
}
