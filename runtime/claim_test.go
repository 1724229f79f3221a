package ratelimit_test

import (
	"errors"
	"strings"
	"testing"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/ratelimitgen/ratelimitgen/runtime/ratelimittest"
)

func TestTwoPackagesOfOneNameDoNotShareBuckets(t *testing.T) {
	t.Parallel()
	ratelimit.Claim("example.com/a/user", "user.Service.Get", "user.Service.Put")
	ratelimit.Claim("example.com/a/user", "user.Service.Get") // the same package again
	ratelimit.Claim("example.com/b/user", "user.Service.Get")

	get, put := rule("user.Service.Get"), rule("user.Service.Put")
	l := ratelimittest.AllowAll()
	_, err := l.Admit(t.Context(), get.For("k"))
	if !errors.Is(err, ratelimit.ErrRule) || !strings.Contains(err.Error(), "example.com/a/user and example.com/b/user both have a rule user.Service.Get") {
		t.Errorf("a name that two packages claim: %v", err)
	}
	if _, err := l.Admit(t.Context(), put.For("k")); err != nil {
		t.Errorf("a name that one package claims: %v", err)
	}
	if err := l.Ready(t.Context()); !errors.Is(err, ratelimit.ErrRule) || !strings.Contains(err.Error(), "user.Service.Get") {
		t.Errorf("Ready: %v", err)
	}
}
