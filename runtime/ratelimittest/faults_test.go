package ratelimittest_test

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/ratelimitgen/ratelimitgen/runtime/ratelimittest"
)

// TestTheLogSaysWhatIsWrongWithTheProgram, and nothing of what the test wants: the
// fallback that then answers is told nothing.
func TestTheLogSaysWhatIsWrongWithTheProgram(t *testing.T) {
	log := &bytes.Buffer{}
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(log, nil)))
	defer slog.SetDefault(before)

	const name = "ratelimittest.Two.Get"
	ratelimit.Claim("example.com/a/ratelimittest", name)
	ratelimit.Claim("example.com/b/ratelimittest", name)
	both := ratelimit.Rule{Name: name, Algorithm: ratelimit.FixedWindow, Limit: 1, Window: time.Hour}
	open := ratelimit.Rule{Name: "open", Algorithm: ratelimit.FixedWindow, Limit: 1, Window: time.Hour}
	closed := open
	closed.Name, closed.Fail = "closed", ratelimit.FailClosed
	for _, l := range []*ratelimit.Limiter{ratelimittest.AllowAll(), ratelimittest.DenyAll()} {
		for _, c := range []struct {
			request ratelimit.Request
			kind    error
			says    string
		}{
			{both.For("k"), ratelimit.ErrRule, "example.com/a/ratelimittest and example.com/b/ratelimittest both have a rule " + name + ": write name= in one of them"},
			{closed.Try("", errors.New("no caller")), ratelimit.ErrKey, "no caller"},
			{open.For("k").WithLimit(0), ratelimit.ErrLimited, ""},
		} {
			log.Reset()
			if _, err := l.Admit(t.Context(), c.request); !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want %v that says %q", err, c.kind, c.says)
			}
			if text := log.String(); !strings.Contains(text, c.says) || (text == "") != (c.says == "") {
				t.Errorf("the log of a call that is %v has %q, want %q", c.kind, text, c.says)
			}
		}
	}
}
