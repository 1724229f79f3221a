package load

import (
	"os"
	"path/filepath"
	"strings"
)

// Vendor returns the file that lists the vendored packages of the module of a
// package that was checked, if the build takes what it imports from there.
func (p *Program) Vendor(pkg *Package) (modules string, vendored bool) {
	if pkg.checked == nil || pkg.checked.Module == nil || !pkg.checked.Module.Main {
		return "", false
	}
	modules = filepath.Join(pkg.checked.Module.Dir, "vendor", "modules.txt")
	if mod := p.config.mod(); mod != "" && mod != "vendor" {
		return "", false
	}
	_, err := os.Stat(modules)
	return modules, err == nil
}

// InVendor reports whether a package stands beside the list of those that are
// vendored.
func InVendor(modules, path string) bool {
	_, err := os.Stat(filepath.Join(filepath.Dir(modules), filepath.FromSlash(path)))
	return err == nil
}

// mod is the value of the flag -mod, "" where nothing sets it.
func (c Config) mod() string {
	env := c.Env
	if env == nil {
		env = os.Environ()
	}
	var flags []string
	for _, variable := range env {
		if value, ok := strings.CutPrefix(variable, "GOFLAGS="); ok {
			flags = strings.Fields(value)
		}
	}
	mod := ""
	for _, flag := range append(flags, c.BuildFlags...) {
		if value, ok := strings.CutPrefix(strings.TrimLeft(flag, "-"), "mod="); ok {
			mod = value
		}
	}
	return mod
}
