package generator

import (
	"context"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/load"
)

// ErrOtherwise is the error of Ahead for what only Listing can do.
var ErrOtherwise = load.ErrOtherwise

// Ahead is the generation for a folder in the way that is tried first.
func Ahead(ctx context.Context, dir string) (*Result, error) {
	return ahead(ctx, load.Config{Dir: dir, Patterns: []string{"."}})
}

// Listing is the generation for a folder in the way that is always possible.
func Listing(ctx context.Context, dir string) (*Result, error) {
	return listing(ctx, load.Config{Dir: dir, Patterns: []string{"."}})
}
