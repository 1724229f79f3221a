package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const self = "github.com/ratelimitgen/ratelimitgen"

// fetch copies a module into a folder below dir, as a module that can import
// ours.
func fetch(ctx context.Context, m module, dir string) (string, error) {
	var cached struct{ Dir string }
	answer, err := command(ctx, dir, "go", "mod", "download", "-json", m.path+"@"+m.version)
	if err != nil {
		return "", err
	}
	if err := json.Unmarshal([]byte(answer), &cached); err != nil {
		return "", err
	}
	to := filepath.Join(dir, strings.NewReplacer("/", "-", ".", "-").Replace(m.path))
	if err := copyGo(to, cached.Dir); err != nil {
		return "", err
	}
	root, err := command(ctx, "", "go", "list", "-m", "-f", "{{.Dir}}", self)
	if err != nil {
		return "", err
	}
	if err := dropReplacements(ctx, to); err != nil {
		return "", err
	}
	if err := addSums(to, strings.TrimSpace(root)); err != nil {
		return "", err
	}
	_, err = command(ctx, to, "go", "mod", "edit", "-require="+self+"@v0.0.0", "-replace="+self+"="+strings.TrimSpace(root))
	return to, err
}

// addSums adds the sums of our go.sum file to that of a copy, so that nobody has
// to be asked for them.
func addSums(to, root string) error {
	var all []byte
	for _, dir := range []string{to, root} {
		sums, err := os.ReadFile(filepath.Join(dir, "go.sum"))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		all = append(all, sums...)
	}
	return os.WriteFile(filepath.Join(to, "go.sum"), all, 0o666)
}

// dropReplacements takes those by folders out of a go.mod file, which are
// nowhere near the copy.
func dropReplacements(ctx context.Context, dir string) error {
	var mod struct {
		Replace []struct{ Old, New struct{ Path string } }
	}
	answer, err := command(ctx, dir, "go", "mod", "edit", "-json")
	if err != nil {
		return err
	}
	if err := json.Unmarshal([]byte(answer), &mod); err != nil {
		return err
	}
	for _, r := range mod.Replace {
		if strings.HasPrefix(r.New.Path, ".") {
			if _, err := command(ctx, dir, "go", "mod", "edit", "-dropreplace="+r.Old.Path); err != nil {
				return err
			}
		}
	}
	return nil
}

// copyGo copies what a module is built of. Tests stay behind, for their
// packages are not what this is about.
func copyGo(to, from string) error {
	return filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		switch name := entry.Name(); {
		case entry.IsDir() && name == "vendor":
			return filepath.SkipDir
		case entry.IsDir():
			return os.MkdirAll(filepath.Join(to, rel), 0o777)
		case strings.HasSuffix(name, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), text, 0o666)
	})
}

// command runs a program and returns what it prints.
func command(ctx context.Context, dir, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = dir, environment()
	out, err := cmd.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return "", fmt.Errorf("%s %s: %s", name, args[0], exit.Stderr)
	}
	return string(out), err
}

// environment lets the go command complete the modules' go.mod files.
func environment() []string {
	return append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
}
