package ratelimit

import (
	"context"
	"errors"
	"maps"
	"net/netip"
	"slices"
	"strings"
)

// Caller is who makes a call: what the functions ip(), user(), caller() and
// header() of a directive read. Whatever is not known stays empty.
type Caller struct {
	IP     netip.Addr
	User   string              // the user's name or number, as the program knows it
	ID     string              // anything else that tells callers apart, such as an API key's number
	Header map[string][]string // of the request; an http.Header or a metadata.MD will do
}

// WithCaller returns a context whose calls are made by c. It is for the
// middleware that knows the caller. The address is that of the connection, or
// behind proxies of one's own the last one in X-Forwarded-For that none of them
// has: whatever stands before it, anybody may have written.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, &c)
}

// CallerFrom returns who makes the calls of ctx, and whether that is known.
func CallerFrom(ctx context.Context) (Caller, bool) {
	if c := callerOf(ctx); c != nil {
		return *c, true
	}
	return Caller{}, false
}

type callerKey struct{}

func callerOf(ctx context.Context) *Caller {
	c, _ := ctx.Value(callerKey{}).(*Caller)
	return c
}

var (
	errNoCaller = errors.New("the context has no caller")
	errNoIP     = errors.New("the caller has no IP address")
	errNoUser   = errors.New("the caller has no user")
	errNoID     = errors.New("the caller has no ID")
)

// CallerIP is what limits by address go by: an IPv4 address as 192.0.2.1, also
// where it came mapped into IPv6, and for an IPv6 address its network of 64
// bits, as 2001:db8::/64, since that is what one subscriber has. It is an error
// when the context has no caller or the caller no address.
func CallerIP(ctx context.Context) (string, error) {
	c := callerOf(ctx)
	switch {
	case c == nil:
		return "", errNoCaller
	case !c.IP.IsValid():
		return "", errNoIP
	}
	return subscriber(c.IP), nil
}

const subscriberBits = 64

func subscriber(ip netip.Addr) string {
	ip = ip.Unmap().WithZone("")
	if ip.Is4() {
		return ip.String()
	}
	return netip.PrefixFrom(ip, subscriberBits).Masked().String()
}

// CallerUser is the caller's User. It is an error when the context has no
// caller or the User is empty.
func CallerUser(ctx context.Context) (string, error) {
	if c := callerOf(ctx); c != nil {
		return filled(c.User, errNoUser)
	}
	return "", errNoCaller
}

// CallerID is the caller's ID. It is an error when the context has no caller
// or the ID is empty.
func CallerID(ctx context.Context) (string, error) {
	if c := callerOf(ctx); c != nil {
		return filled(c.ID, errNoID)
	}
	return "", errNoCaller
}

// CallerHeader is the first value of a header of the caller, whose name may be
// written in any case. It is an error when the context has no caller or the
// header is missing or empty.
func CallerHeader(ctx context.Context, name string) (string, error) {
	if c := callerOf(ctx); c != nil {
		return filled(c.header(name), headerError(name))
	}
	return "", errNoCaller
}

func filled(value string, missing error) (string, error) {
	if value == "" {
		return "", missing
	}
	return value, nil
}

type headerError string

func (name headerError) Error() string { return "the caller has no header " + string(name) }

// header is the first value of a header. Of names that differ only in case
// the one as written is taken, else the first in the order of their bytes.
func (c *Caller) header(name string) string {
	values, ok := c.Header[name]
	if !ok {
		for _, key := range slices.Sorted(maps.Keys(c.Header)) {
			if strings.EqualFold(key, name) {
				values = c.Header[key]
				break
			}
		}
	}
	if len(values) == 0 {
		return ""
	}
	return values[0]
}

// CallerIPOr is [CallerIP], or missing in place of an error.
func CallerIPOr(ctx context.Context, missing string) string {
	return or(missing)(CallerIP(ctx))
}

// CallerUserOr is [CallerUser], or missing in place of an error.
func CallerUserOr(ctx context.Context, missing string) string {
	return or(missing)(CallerUser(ctx))
}

// CallerIDOr is [CallerID], or missing in place of an error.
func CallerIDOr(ctx context.Context, missing string) string {
	return or(missing)(CallerID(ctx))
}

// CallerHeaderOr is [CallerHeader], or missing in place of an error.
func CallerHeaderOr(ctx context.Context, name, missing string) string {
	return or(missing)(CallerHeader(ctx, name))
}

func or(missing string) func(string, error) string {
	return func(value string, err error) string {
		if err != nil {
			return missing
		}
		return value
	}
}
