package ratelimit

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
)

// claims are the names that packages have given to rules by default.
var claims struct {
	mu      sync.Mutex
	owner   map[string]string // by name, the import path of the first package
	contest map[string]string // by name, that of another one
}

// Claim says that the package of the import path has rules of these names,
// which nobody wrote: they are made of the names of the package, the type and
// the method. Generated code calls it when the program starts. Two packages of
// one name, whose rules would share buckets by accident, are so found out: a
// Limiter refuses a name that both claim with [ErrRule].
func Claim(path string, names ...string) {
	claims.mu.Lock()
	defer claims.mu.Unlock()
	if claims.owner == nil {
		claims.owner, claims.contest = map[string]string{}, map[string]string{}
	}
	for _, name := range names {
		switch owner, ok := claims.owner[name]; {
		case !ok:
			claims.owner[name] = path
		case owner != path:
			claims.contest[name] = path
		}
	}
}

// contested returns what is wrong with a name that two packages claim.
func contested(name string) error {
	claims.mu.Lock()
	defer claims.mu.Unlock()
	if other, ok := claims.contest[name]; ok {
		return fmt.Errorf("name: the packages %s and %s both have a rule %s: write name= in one of them",
			claims.owner[name], other, name)
	}
	return nil
}

// allContested returns what is wrong with all names that two packages claim.
func allContested() error {
	claims.mu.Lock()
	names := slices.Sorted(maps.Keys(claims.contest))
	claims.mu.Unlock()
	var all []error
	for _, name := range names {
		all = append(all, fmt.Errorf("%w: %w", ErrRule, contested(name)))
	}
	return errors.Join(all...)
}
