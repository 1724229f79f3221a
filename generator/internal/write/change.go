package write

import (
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/genfile"
)

// Folder makes the files of a folder what they shall be, and returns the paths
// of those that were something else before. Where one of them cannot be, all
// are left as they are: they belong together. The mode of a file that exists is
// kept.
func Folder(files []File) (changed []string, failures []error) {
	changes, failures := prepare(files)
	for _, c := range changes {
		if len(failures) > 0 {
			c.undo()
		} else if err := c.apply(); err != nil {
			failures = append(failures, err)
		} else {
			changed = append(changed, c.path)
		}
	}
	return changed, failures
}

func prepare(files []File) (changes []*change, failures []error) {
	for _, f := range files {
		switch c, err := f.prepare(); {
		case err != nil:
			failures = append(failures, err)
		case c != nil:
			changes = append(changes, c)
		}
	}
	return changes, failures
}

// change is a file that is ready to be replaced, or to be removed.
type change struct {
	path   string
	target string // the file itself where path is a link
	temp   string // beside target, with what it shall be; "" where it shall not be
}

// prepare does what can fail, and returns nil where there is nothing to change.
func (f File) prepare() (*change, error) {
	old, err := f.read()
	if err != nil || same(old, f.Content) {
		return nil, err
	}
	c := &change{path: f.Path, target: f.Path}
	if f.Content == nil {
		return c, nil
	}
	if target, err := filepath.EvalSymlinks(f.Path); err == nil {
		c.target = target
	}
	c.temp = filepath.Join(filepath.Dir(c.target), "."+filepath.Base(c.target)+"."+strconv.Itoa(os.Getpid()))
	if err := fill(c.temp, f.Content, modeOf(c.target)); err != nil {
		c.undo()
		return nil, genfile.Unwritten(f.Path, err)
	}
	return c, nil
}

func (c *change) apply() error {
	if c.temp == "" {
		return genfile.Unremoved(c.path, os.Remove(c.path))
	}
	err := os.Rename(c.temp, c.target)
	if err != nil {
		c.undo()
	}
	return genfile.Unwritten(c.path, err)
}

func (c *change) undo() {
	if c.temp != "" {
		os.Remove(c.temp)
	}
}

// modeOf is the mode of a file that exists, else 0.
func modeOf(path string) fs.FileMode {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Mode().Perm()
}

// fill writes a new file; mode 0 leaves its mode to the umask.
func fill(path string, content []byte, mode fs.FileMode) error {
	if err := os.WriteFile(path, content, 0o666); err != nil {
		return err
	}
	if mode == 0 {
		return nil
	}
	return os.Chmod(path, mode)
}
