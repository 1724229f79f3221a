package ratelimit_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/ratelimitgen/ratelimitgen/runtime/ratelimittest"
)

func TestEnv(t *testing.T) {
	var log bytes.Buffer
	l := ratelimit.New(&scripted{}, ratelimit.WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
	for name, tt := range map[string]struct {
		value string
		want  int64
	}{
		"RATELIMIT_TEST_GOOD":     {"12", 12},
		"RATELIMIT_TEST_NEGATIVE": {"-9223372036854775808", -1 << 63},
		"RATELIMIT_TEST_EMPTY":    {"", 7},
	} {
		t.Setenv(name, tt.value)
		if got := l.Env(name, 7); got != tt.want {
			t.Errorf("%s=%s gives %d, want %d", name, tt.value, got, tt.want)
		}
	}
	if got := l.Env("RATELIMIT_TEST_UNSET", 7); got != 7 || log.Len() > 0 {
		t.Errorf("an unset variable gives %d, want the default 7, and logs %q", got, &log)
	}
}

var variables atomic.Int64

// unread is the name of a variable that the process has not read yet, however
// often the tests run in it.
func unread() string { return fmt.Sprintf("RATELIMIT_TEST_%d", variables.Add(1)) }

func TestEnvIsReadOnce(t *testing.T) {
	l := ratelimit.New(&scripted{}, quiet())
	name := unread()
	t.Setenv(name, "3")
	l.Env(name, 0)
	t.Setenv(name, "4")
	if got := l.Env(name, 0); got != 3 {
		t.Errorf("the second use gives %d, want 3", got)
	}
}

func TestBadEnvIsLoggedOnce(t *testing.T) {
	for _, value := range []string{"many", "1.5", "9223372036854775808"} {
		var log bytes.Buffer
		name := unread()
		l := ratelimit.New(&scripted{}, ratelimit.WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
		t.Setenv(name, value)
		for _, missing := range []int64{5, 6} {
			if got := l.Env(name, missing); got != missing {
				t.Errorf("%s=%s gives %d, want the default %d", name, value, got, missing)
			}
		}
		if text := log.String(); strings.Count(text, "\n") != 1 || !strings.Contains(text, "level=ERROR") || !strings.Contains(text, name) {
			t.Errorf("%s=%s logs %q, want one error with the name", name, value, text)
		}
	}
}

func TestConfig(t *testing.T) {
	t.Parallel()
	limits := map[string]int64{"sms": 7}
	l := ratelimit.New(ratelimittest.AllowStore(), ratelimit.WithConfig(func(name string) (int64, bool) {
		n, ok := limits[name]
		return n, ok
	}))
	none := ratelimittest.AllowAll()
	for name, c := range map[string]struct{ got, want int64 }{
		"known":         {l.Config("sms", 3), 7},
		"unknown":       {l.Config("mail", 3), 3},
		"no WithConfig": {none.Config("sms", 3), 3},
	} {
		if c.got != c.want {
			t.Errorf("%s: %d, want %d", name, c.got, c.want)
		}
	}
	limits["sms"] = 8
	if got := l.Config("sms", 3); got != 8 {
		t.Errorf("after a change: %d, want 8", got)
	}
}
