package sms

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/ratelimitgen/ratelimitgen/runtime/memory"
	"github.com/ratelimitgen/ratelimitgen/runtime/ratelimittest"
)

func quiet() ratelimit.Option { return ratelimit.WithLogger(slog.New(slog.DiscardHandler)) }

func TestFallbackAnswersTheFourthCall(t *testing.T) {
	t.Parallel()
	sent := &bytes.Buffer{}
	service := NewRateLimitedSMSService(&SMSService{Gateway: sent}, ratelimit.New(memory.New(), quiet()))
	for range 4 {
		if err := service.SendVerifyCode(t.Context(), 10086, "555-0100"); err != nil {
			t.Fatal(err)
		}
	}
	if texted := strings.Count(sent.String(), "texted"); texted != 3 {
		t.Errorf("%d codes were texted, want 3", texted)
	}
	if !strings.HasSuffix(sent.String(), "fallback: user 10086 is asked to try an authenticator app\n") {
		t.Errorf("the fourth call got %q", sent)
	}
}

func TestARefusedInviteTakesNothing(t *testing.T) {
	t.Parallel()
	clock := time.UnixMicro(1_700_000_000_000_000)
	limiter := ratelimit.New(memory.New(memory.WithClock(func() time.Time { return clock })), quiet())
	service := NewRateLimitedSMSService(&SMSService{Gateway: io.Discard}, limiter)
	invite := func(to string) error { return service.SendInvite(t.Context(), 10086, to) }

	if err := invite("555-0101"); err != nil {
		t.Fatal(err)
	}
	for range 10 {
		if err := invite("555-0101"); !errors.Is(err, ratelimit.ErrLimited) || !strings.Contains(err.Error(), "1 call in any 2s") {
			t.Fatalf("a second invite to one number: %v", err)
		}
	}
	for i, to := range []string{"555-0102", "555-0103", "555-0104"} {
		if err := invite(to); err != nil {
			t.Errorf("invite %d of the day: %v", i+2, err)
		}
	}
	if err := invite("555-0105"); err == nil || err.Error() != "that is enough invitations for today" {
		t.Errorf("the fifth of the day: %v", err)
	}
}

func TestUsersTestWithoutLimits(t *testing.T) {
	t.Parallel()
	service := NewRateLimitedSMSService(&SMSService{Gateway: io.Discard}, ratelimittest.AllowAll())
	for range 100 {
		if err := service.SendInvite(t.Context(), 1, "555-0100"); err != nil {
			t.Fatal(err)
		}
	}
	refused := NewRateLimitedSMSService(&SMSService{Gateway: io.Discard}, ratelimittest.DenyAll())
	if err := refused.SendInvite(t.Context(), 1, "555-0100"); !errors.Is(err, ratelimit.ErrLimited) {
		t.Errorf("DenyAll: %v", err)
	}
}

func TestOneAllocationPerCall(t *testing.T) {
	service := NewRateLimitedSMSService(&SMSService{Gateway: silence{}}, ratelimittest.AllowAll())
	count := func(call func(context.Context, int64, string) error) float64 {
		return testing.AllocsPerRun(1000, func() { call(t.Context(), 10086, "555-0100") })
	}
	bare, limited := count(service.Unwrap().SendVerifyCode), count(service.SendVerifyCode)
	if limited-bare != 1 {
		t.Errorf("the wrapper adds %v allocations to a call, want 1", limited-bare)
	}
}

type silence struct{}

func (silence) Write(p []byte) (int, error) { return len(p), nil }
