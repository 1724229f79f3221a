package naming

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFreshAvoidsEveryScopeAround(t *testing.T) {
	t.Parallel()
	pkg := NewScope(nil, "User", "key")
	method := NewScope(pkg, "key2", "ctx", "u1")
	for _, tt := range []struct{ base, want string }{
		{"buf", "buf"},
		{"buf", "buf2"},
		{"buf", "buf3"},
		{"key", "key3"},
		{"User", "User2"},
		{"u1", "u1_2"},
		{"string", "string2"},
		{"func", "func2"},
		{"_", "_2"},
	} {
		if got := method.Fresh(tt.base); got != tt.want {
			t.Errorf("Fresh(%q) = %q, want %q", tt.base, got, tt.want)
		}
	}
	if pkg.Taken("buf") {
		t.Error("a name of the inner scope is taken in the outer one")
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	type names struct{ Wrapper, Constructor, Rule string }
	for typ, want := range map[string]names{
		"SMSService": {"RateLimitedSMSService", "NewRateLimitedSMSService", "smsServiceSend"},
		"smsService": {"rateLimitedSmsService", "newRateLimitedSmsService", "smsServiceSend"},
		"User":       {"RateLimitedUser", "NewRateLimitedUser", "userSend"},
		"ID":         {"RateLimitedID", "NewRateLimitedID", "idSend"},
		"A":          {"RateLimitedA", "NewRateLimitedA", "aSend"},
		"Änderung":   {"RateLimitedÄnderung", "NewRateLimitedÄnderung", "änderungSend"},
		"_t":         {"rateLimited_t", "newRateLimited_t", "_tSend"},
	} {
		w := Wrapper(typ)
		if got := (names{w, Constructor(w), Rule(typ, "Send", "")}); got != want {
			t.Errorf("%s: got %v, want %v", typ, got, want)
		}
	}
	if got := Rule("User", "send", ""); got != "userSend" {
		t.Errorf("Rule of an unexported method = %q", got)
	}
	if got := Rule("User", "Send", "ip") + Rule("User", "Send", "user"); got != "userSendIPuserSendUser" {
		t.Errorf("rules of dimensions = %q", got)
	}
}

func TestImportsAreNamedByPathAndNotByOrder(t *testing.T) {
	t.Parallel()
	wishes := [][3]string{
		{"example.com/b/auth", "auth", ""},
		{"example.com/a/auth", "auth", ""},
		{"gopkg.in/yaml.v3", "yaml", ""},
		{"example.com/err", "err", ""},
		{"example.com/json", "json", "fastjson"},
		{"example.com/users", "users", ""},
		{"github.com/redis/go-redis/v9", "redis", ""},
		{"example.com/log/v2", "log", ""},
		{"v2", "v2", ""},
	}
	want := []Import{
		{"example.com/a/auth", "auth", true},
		{"example.com/b/auth", "auth2", false},
		{"example.com/err", "errpkg", false},
		{"example.com/json", "fastjson", false},
		{"example.com/log/v2", "log", true},
		{"example.com/users", "users2", false},
		{"github.com/redis/go-redis/v9", "redis", false},
		{"gopkg.in/yaml.v3", "yaml", true},
		{"v2", "v2", false},
	}
	for rotation := range wishes {
		var imports Imports
		for i := range wishes {
			w := wishes[(i+rotation)%len(wishes)]
			imports.Want(w[0], w[1], w[2])
		}
		got := imports.Resolve(NewScope(nil, "users"))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("rotation %d (-want +got):\n%s", rotation, diff)
		}
	}
}
