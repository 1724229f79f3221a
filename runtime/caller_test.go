package ratelimit_test

import (
	"context"
	"net/http"
	"net/netip"
	"testing"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

func TestCallerFrom(t *testing.T) {
	t.Parallel()
	if c, ok := ratelimit.CallerFrom(t.Context()); ok || c.User != "" {
		t.Errorf("a context without a caller has %+v", c)
	}
	ctx := ratelimit.WithCaller(t.Context(), ratelimit.Caller{User: "ann"})
	if c, ok := ratelimit.CallerFrom(ctx); !ok || c.User != "ann" {
		t.Errorf("the caller is %+v, %v, want ann", c, ok)
	}
	inner := ratelimit.WithCaller(ctx, ratelimit.Caller{ID: "key 7"})
	if c, _ := ratelimit.CallerFrom(inner); c.User != "" || c.ID != "key 7" {
		t.Errorf("the inner caller is %+v, want that of the last WithCaller alone", c)
	}
}

func TestCallerIP(t *testing.T) {
	t.Parallel()
	for addr, want := range map[string]string{
		"192.0.2.1":                "192.0.2.1",
		"::ffff:192.0.2.1":         "192.0.2.1",
		"2001:db8:1:2:3:4:5:6":     "2001:db8:1:2::/64",
		"2001:db8:1:2:ffff::1":     "2001:db8:1:2::/64",
		"2001:db8:1:3::":           "2001:db8:1:3::/64",
		"fe80::1%eth0":             "fe80::/64",
		"fe80::1%eth1":             "fe80::/64",
		"::1":                      "::/64",
		"::ffff:10.0.0.1%whatever": "10.0.0.1",
	} {
		ctx := ratelimit.WithCaller(t.Context(), ratelimit.Caller{IP: netip.MustParseAddr(addr)})
		if got, err := ratelimit.CallerIP(ctx); got != want || err != nil {
			t.Errorf("%s counts as %q, %v, want %q", addr, got, err, want)
		}
		if got := ratelimit.CallerIPOr(ctx, "none"); got != want {
			t.Errorf("%s with a default counts as %q, want %q", addr, got, want)
		}
	}
}

// asked is each of the four functions with its form that has a default.
var asked = map[string]struct {
	get func(context.Context) (string, error)
	or  func(context.Context, string) string
}{
	"IP":   {ratelimit.CallerIP, ratelimit.CallerIPOr},
	"user": {ratelimit.CallerUser, ratelimit.CallerUserOr},
	"ID":   {ratelimit.CallerID, ratelimit.CallerIDOr},
	"header X-Key": {
		func(ctx context.Context) (string, error) { return ratelimit.CallerHeader(ctx, "X-Key") },
		func(ctx context.Context, missing string) string {
			return ratelimit.CallerHeaderOr(ctx, "X-Key", missing)
		},
	},
}

func TestMissingCaller(t *testing.T) {
	t.Parallel()
	empty := ratelimit.WithCaller(t.Context(), ratelimit.Caller{Header: http.Header{"X-Key": {""}, "X-None": nil}})
	for what, ask := range asked {
		for _, tt := range []struct {
			ctx  context.Context
			want string
		}{
			{t.Context(), "the context has no caller"},
			{empty, "the caller has no " + what},
		} {
			_, err := ask.get(tt.ctx)
			if err == nil || err.Error() != tt.want && err.Error() != tt.want+" address" {
				t.Errorf("%s: error %v, want %q", what, err, tt.want)
			}
			if got := ask.or(tt.ctx, "default"); got != "default" {
				t.Errorf("%s: %q, want the default", what, got)
			}
		}
	}
}

func TestKnownCaller(t *testing.T) {
	t.Parallel()
	ctx := ratelimit.WithCaller(t.Context(), ratelimit.Caller{
		IP: netip.MustParseAddr("192.0.2.7"), User: "ann", ID: "7", Header: http.Header{"X-Key": {"k", "l"}},
	})
	for what, want := range map[string]string{"IP": "192.0.2.7", "user": "ann", "ID": "7", "header X-Key": "k"} {
		if got, err := asked[what].get(ctx); got != want || err != nil {
			t.Errorf("%s is %q, %v, want %q", what, got, err, want)
		}
		if got := asked[what].or(ctx, "default"); got != want {
			t.Errorf("%s with a default is %q, want %q", what, got, want)
		}
	}
}

func TestHeaderNameInAnyCase(t *testing.T) {
	t.Parallel()
	header := map[string][]string{"x-key": {"lower"}, "X-KEY": {"upper"}, "x-one": {"one"}}
	ctx := ratelimit.WithCaller(t.Context(), ratelimit.Caller{Header: header})
	for name, want := range map[string]string{"x-key": "lower", "X-KEY": "upper", "X-Key": "upper", "X-One": "one"} {
		if got, err := ratelimit.CallerHeader(ctx, name); got != want || err != nil {
			t.Errorf("header %s is %q, %v, want %q", name, got, err, want)
		}
	}
}
