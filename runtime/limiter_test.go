package ratelimit_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/ratelimitgen/ratelimitgen/runtime/ratelimittest"
)

// scripted is a store whose answers the test writes.
type scripted struct {
	asked  []ratelimit.Item
	answer func(i int, item ratelimit.Item) ratelimit.Result
}

func (s *scripted) Do(_ context.Context, b *ratelimit.Batch) error {
	s.asked = append([]ratelimit.Item(nil), b.Items...)
	b.Time = 1_700_000_000_000_001
	b.Allowed = true
	for i := range b.Items {
		b.Items[i].Result = ratelimit.Result{Allowed: true, Remaining: b.Items[i].Limit - b.Items[i].Cost}
		if s.answer != nil {
			b.Items[i].Result = s.answer(i, b.Items[i])
		}
		b.Allowed = b.Allowed && b.Items[i].Allowed
	}
	return nil
}

func (*scripted) Ready(context.Context) error { return nil }
func (*scripted) Close() error                { return nil }

func rule(name string) ratelimit.Rule {
	return ratelimit.Rule{Name: name, Algorithm: ratelimit.SlidingWindow, Limit: 5, Window: time.Minute}
}

func quiet() ratelimit.Option {
	return ratelimit.WithLogger(slog.New(slog.DiscardHandler))
}

func TestBadRuleNeverPasses(t *testing.T) {
	t.Parallel()
	cases := map[string]func(*ratelimit.Rule){
		"name: is missing":                     func(r *ratelimit.Rule) { r.Name = "" },
		`name: "a b" is not made`:              func(r *ratelimit.Rule) { r.Name = "a b" },
		`name: "a..b" is not made`:             func(r *ratelimit.Rule) { r.Name = "a..b" },
		"longer than 128 bytes":                func(r *ratelimit.Rule) { r.Name = strings.Repeat("x", 129) },
		"algorithm: there is no algorithm 200": func(r *ratelimit.Rule) { r.Algorithm = 200 },
		"limit: -3 is negative":                func(r *ratelimit.Rule) { r.Limit = -3 },
		"limit: the rule has none":             func(r *ratelimit.Rule) { r.Limit = 0 },
		"limit: 100001 is above 100000":        func(r *ratelimit.Rule) { r.Limit = 100_001 },
		"limit: 9007199254740993 is above":     func(r *ratelimit.Rule) { r.Algorithm, r.Limit = ratelimit.FixedWindow, 1<<53+1 },
		"window: must be longer than 0":        func(r *ratelimit.Rule) { r.Window = 0 },
		"window: 999µs is too short":           func(r *ratelimit.Rule) { r.Window = 999 * time.Microsecond },
		"window: 1.000000001s is not a whole":  func(r *ratelimit.Rule) { r.Window = time.Second + 1 },
		"ten years":                            func(r *ratelimit.Rule) { r.Window = 11 * 366 * 24 * time.Hour },
		"fail: is none of the known policies":  func(r *ratelimit.Rule) { r.Fail = 77 },
	}
	for want, spoil := range cases {
		t.Run(want, func(t *testing.T) {
			store := ratelimittest.NewFailingStore(ratelimittest.AllowStore())
			store.Fail(errors.New("down"))
			l := ratelimit.New(store, quiet())
			r := rule("a.b")
			spoil(&r)
			d, err := l.Acquire(t.Context(), r.For("k"))
			if !errors.Is(err, ratelimit.ErrRule) || d.Allowed || d.Rule != &r {
				t.Fatalf("got %+v, %v; want ErrRule of the rule", d, err)
			}
			if !strings.Contains(err.Error(), want) {
				t.Errorf("error %q lacks %q", err, want)
			}
			if store.Calls() != 0 {
				t.Error("the store was asked about a bad rule")
			}
		})
	}
}

func TestRulesOfOneName(t *testing.T) {
	t.Parallel()
	l := ratelimittest.AllowAll()
	first, twin := rule("shared.name"), rule("shared.name")
	twin.Message, twin.Fail = "other text", ratelimit.FailClosed
	for _, r := range []*ratelimit.Rule{&first, &twin} {
		if _, err := l.Admit(t.Context(), r.For("k")); err != nil {
			t.Fatalf("rules that agree in what decides: %v", err)
		}
	}
	for field, change := range map[string]func(*ratelimit.Rule){
		"limit":     func(r *ratelimit.Rule) { r.Limit++ },
		"window":    func(r *ratelimit.Rule) { r.Window *= 2 },
		"algorithm": func(r *ratelimit.Rule) { r.Algorithm = ratelimit.FixedWindow },
		"tag":       func(r *ratelimit.Rule) { r.Tag = "t" },
	} {
		other := rule("shared.name")
		change(&other)
		_, err := l.Admit(t.Context(), other.For("k"))
		if !errors.Is(err, ratelimit.ErrRule) || !strings.Contains(err.Error(), "another "+field) {
			t.Errorf("another %s: got %v", field, err)
		}
	}
	if _, err := l.Admit(t.Context(), first.For("k")); err != nil {
		t.Errorf("the first rule after its bad twins: %v", err)
	}
}

func TestNoStoreIsNoPass(t *testing.T) {
	t.Parallel()
	r := rule("a")
	l := ratelimit.New(nil, quiet())
	if _, err := l.Admit(t.Context(), r.For("")); !errors.Is(err, ratelimit.ErrRule) {
		t.Errorf("a limiter without a store: %v", err)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
}

func TestWhatIsAsked(t *testing.T) {
	t.Parallel()
	a, b, open := rule("a"), rule("b"), rule("open")
	open.Limit, b.Tag = 0, "of-b"
	broken := errors.New("nil pointer")
	cases := []struct {
		name     string
		requests []ratelimit.Request
		want     []ratelimit.Item
	}{
		{"nothing", nil, nil},
		{"zero requests", []ratelimit.Request{{}, a.For("k").WithCost(0)}, nil},
		{"plain", []ratelimit.Request{a.For("k")}, []ratelimit.Item{{Rule: &a, Key: "k", Cost: 1, Limit: 5}}},
		{"own limit", []ratelimit.Request{open.For("k").WithLimit(7)}, []ratelimit.Item{{Rule: &open, Key: "k", Cost: 1, Limit: 7}}},
		{"tags", []ratelimit.Request{b.For("k"), b.For("k").WithTag("other")}, []ratelimit.Item{
			{Rule: &b, Key: "k", Tag: "of-b", Cost: 1, Limit: 5}, {Rule: &b, Key: "k", Tag: "other", Cost: 1, Limit: 5}}},
		{"summed", []ratelimit.Request{a.For("k").WithCost(2), b.For("k"), a.For("k")}, []ratelimit.Item{
			{Rule: &a, Key: "k", Cost: 3, Limit: 5}, {Rule: &b, Key: "k", Tag: "of-b", Cost: 1, Limit: 5}}},
		{"summed under the lowest limit", []ratelimit.Request{open.For("k").WithLimit(9), open.For("k").WithLimit(4)},
			[]ratelimit.Item{{Rule: &open, Key: "k", Cost: 2, Limit: 4}}},
		{"huge costs don't overflow", []ratelimit.Request{a.For("k").WithCost(1 << 62), a.For("k").WithCost(1<<63 - 1)},
			[]ratelimit.Item{{Rule: &a, Key: "k", Cost: ratelimit.MaxCost, Limit: 5}}},
		{"broken keys share a bucket", []ratelimit.Request{a.Try("x", broken), a.Try("y", broken).WithCost(2)},
			[]ratelimit.Item{{Rule: &a, Broken: true, Cost: 3, Limit: 5}}},
		{"a broken key is not the empty key", []ratelimit.Request{a.Try("", broken), a.For("")},
			[]ratelimit.Item{{Rule: &a, Broken: true, Cost: 1, Limit: 5}, {Rule: &a, Cost: 1, Limit: 5}}},
		{"negative cost", []ratelimit.Request{a.For("k").WithCost(-4)}, []ratelimit.Item{{Rule: &a, Broken: true, Cost: 1, Limit: 5}}},
		{"negative cost in a literal", []ratelimit.Request{{Rule: &a, Key: "k", Cost: -4}},
			[]ratelimit.Item{{Rule: &a, Broken: true, Cost: 1, Limit: 5}}},
		{"a try that worked", []ratelimit.Request{a.Try("k", nil)}, []ratelimit.Item{{Rule: &a, Key: "k", Cost: 1, Limit: 5}}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			store := &scripted{}
			_, err := ratelimit.New(store, quiet()).Acquire(t.Context(), c.requests...)
			if err != nil {
				t.Fatal(err)
			}
			if asked := bare(store.asked); !slices.Equal(asked, c.want) {
				t.Errorf("asked %+v\nwant  %+v", asked, c.want)
			}
		})
	}
}

// bare is items without what a Limiter keeps in them for itself.
func bare(items []ratelimit.Item) []ratelimit.Item {
	var all []ratelimit.Item
	for _, i := range items {
		all = append(all, ratelimit.Item{
			Rule: i.Rule, Key: i.Key, Broken: i.Broken, Tag: i.Tag, Cost: i.Cost, Limit: i.Limit, Shadow: i.Shadow, MaxDelay: i.MaxDelay,
		})
	}
	return all
}

func TestWhichRuleTheDecisionNames(t *testing.T) {
	t.Parallel()
	a, b, c := rule("a"), rule("b"), rule("c")
	pass := func(left int64) ratelimit.Result { return ratelimit.Result{Allowed: true, Remaining: left} }
	stop := func(wait time.Duration) ratelimit.Result { return ratelimit.Result{RetryAfter: wait} }
	cases := []struct {
		name  string
		found []ratelimit.Result
		want  *ratelimit.Rule
		retry time.Duration
	}{
		{"the least remaining", []ratelimit.Result{pass(4), pass(1), pass(2)}, &b, 0},
		{"the first of equals", []ratelimit.Result{pass(1), pass(1), pass(1)}, &a, 0},
		{"the one that refuses", []ratelimit.Result{pass(0), pass(9), stop(time.Second)}, &c, time.Second},
		{"the longest wait", []ratelimit.Result{stop(2), stop(3), pass(0)}, &b, 3},
		{"never is longest", []ratelimit.Result{stop(time.Hour), stop(ratelimit.Never), stop(2 * time.Hour)}, &b, 0},
	}
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			store := &scripted{answer: func(i int, _ ratelimit.Item) ratelimit.Result { return tt.found[i] }}
			d, err := ratelimit.New(store, quiet()).Acquire(t.Context(), a.For("1"), b.For("2"), c.For("3"))
			if err != nil || d.Rule != tt.want || d.RetryAfter != tt.retry {
				t.Errorf("got rule %v, retry %v, error %v; want %v, %v", d.Rule, d.RetryAfter, err, tt.want, tt.retry)
			}
			if d.Time.UnixMicro() != 1_700_000_000_000_001 {
				t.Errorf("time %v is not the store's", d.Time)
			}
		})
	}
}

func TestRefusal(t *testing.T) {
	t.Parallel()
	r := rule("sms.code")
	store := &scripted{answer: func(int, ratelimit.Item) ratelimit.Result {
		return ratelimit.Result{RetryAfter: 1500*time.Millisecond + time.Microsecond}
	}}
	l := ratelimit.New(store, quiet())
	d, err := l.Acquire(t.Context(), r.For("secret"))
	if err != nil || d.Allowed {
		t.Fatalf("Acquire: a refusal is a decision and no error, got %+v, %v", d, err)
	}
	_, err = l.Admit(t.Context(), r.For("secret"))
	limited, ok := errors.AsType[*ratelimit.LimitError](err)
	if !ok || !errors.Is(err, ratelimit.ErrLimited) || errors.Is(err, ratelimit.ErrUnavailable) {
		t.Fatalf("Admit: got %v", err)
	}
	if limited.Rule != &r || limited.Key != "secret" || limited.Decision.RetryAfter != 1500*time.Millisecond+time.Microsecond {
		t.Errorf("got %+v", limited)
	}
	if got, want := err.Error(), "sms.code: limit of 5 calls in any 1m0s reached, retry after 1.501s"; got != want {
		t.Errorf("text %q, want %q", got, want)
	}
	own := rule("sms.code")
	own.Message = "slow down"
	if _, err := l.Admit(t.Context(), own.For("k")); err == nil || err.Error() != "slow down" {
		t.Errorf("message: got %v", err)
	}
}

// TestMessageIsForRefusals: what the rule says to those who have no quota is no
// answer to anything else.
func TestMessageIsForRefusals(t *testing.T) {
	t.Parallel()
	store := ratelimittest.NewFailingStore(ratelimittest.DenyStore())
	l := ratelimit.New(store, quiet())
	own := rule("sms.code")
	own.Message, own.Fail = "slow down", ratelimit.FailClosed
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	texts := func(want string, errs ...error) {
		t.Helper()
		for _, err := range errs {
			if err == nil || err.Error() != want {
				t.Errorf("got %v, want %q", err, want)
			}
		}
	}
	_, err := l.Admit(ended, own.For("k"))
	texts("sms.code: the call ended before its rate limit was decided: context canceled", err)
	_, err = l.Admit(t.Context(), own.Try("", errors.New("no user")))
	texts("sms.code: the rate limit's key cannot be built: no user", err)
	store.Fail(errors.New("down"))
	_, err = l.Admit(t.Context(), own.For("k"))
	texts("sms.code: the rate limit's store cannot answer: down", err, l.Reset(t.Context(), own.For("k")))
	if got := new(ratelimit.LimitError).Error(); got != "rate limited" {
		t.Errorf("an empty error says %q", got)
	}
}

func TestNilLimiterRefuses(t *testing.T) {
	t.Parallel()
	var l *ratelimit.Limiter
	a := rule("a")
	_, err := l.Admit(t.Context(), a.For("k"))
	_, err2 := l.Acquire(t.Context(), a.For("k"))
	for _, err := range []error{err, err2, l.Reset(t.Context(), a.For("k"))} {
		if !errors.Is(err, ratelimit.ErrRule) {
			t.Errorf("got %v", err)
		}
	}
	if l.Ready(t.Context()) == nil || l.Env("RATELIMIT_UNSET", 3) != 3 || l.Config("x", 4) != 4 || l.Close() != nil {
		t.Error("what a nil Limiter can do without a store, it does not")
	}
}

func TestLimitOfZeroRefusesWhateverTheStoreDoes(t *testing.T) {
	t.Parallel()
	store := ratelimittest.NewFailingStore(ratelimittest.AllowStore())
	store.Fail(errors.New("down"))
	l := ratelimit.New(store, quiet())
	a, b := rule("a"), rule("b")
	for _, n := range []int64{0, -1, -1 << 63} {
		d, err := l.Acquire(t.Context(), a.For("k"), b.For("k").WithLimit(n))
		if err != nil || d.Allowed || d.Rule != &b || d.RetryAfter != 0 || d.Time.IsZero() {
			t.Errorf("limit %d: got %+v, %v", n, d, err)
		}
	}
	if d, err := l.Acquire(t.Context(), a.For("k").WithCost(6)); err != nil || d.Allowed || d.Degraded {
		t.Errorf("a cost above the limit while the store is down: got %+v, %v", d, err)
	}
}

func TestFailurePolicies(t *testing.T) {
	t.Parallel()
	down := errors.New("connection refused")
	def, open, closed := rule("default"), rule("open"), rule("closed")
	open.Fail, closed.Fail = ratelimit.FailOpen, ratelimit.FailClosed
	cases := []struct {
		name    string
		limiter ratelimit.Failure
		rules   []*ratelimit.Rule
		refuses *ratelimit.Rule
	}{
		{"open by default", 0, []*ratelimit.Rule{&def}, nil},
		{"the limiter's", ratelimit.FailClosed, []*ratelimit.Rule{&def}, &def},
		{"the rule's own", ratelimit.FailClosed, []*ratelimit.Rule{&open}, nil},
		{"closed", ratelimit.FailOpen, []*ratelimit.Rule{&closed}, &closed},
		{"closed beats open", ratelimit.FailOpen, []*ratelimit.Rule{&def, &closed, &open}, &closed},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			store := ratelimittest.NewFailingStore(ratelimittest.AllowStore())
			l := ratelimit.New(store, quiet(), ratelimit.WithFailure(c.limiter))
			var requests []ratelimit.Request
			for _, r := range c.rules {
				requests = append(requests, r.For("k"))
			}
			store.Fail(down)
			d, err := l.Acquire(t.Context(), requests...)
			if c.refuses == nil {
				if err != nil || !d.Allowed || !d.Degraded || d.Rule != c.rules[0] {
					t.Errorf("got %+v, %v; want a degraded pass", d, err)
				}
			} else if !errors.Is(err, ratelimit.ErrUnavailable) || !errors.Is(err, down) || d.Allowed || d.Rule != c.refuses {
				t.Errorf("got %+v, %v; want ErrUnavailable of %s", d, err, c.refuses.Name)
			}
			store.Fail(nil)
			if d, err := l.Acquire(t.Context(), requests...); err != nil || d.Degraded {
				t.Errorf("after the store's return: %+v, %v", d, err)
			}
		})
	}
}

func TestBrokenKeyOfARuleThatFailsClosed(t *testing.T) {
	t.Parallel()
	cause := errors.New("nil pointer in s.User.ID")
	a, b := rule("a"), rule("b")
	b.Fail = ratelimit.FailClosed
	store := ratelimittest.NewFailingStore(ratelimittest.AllowStore())
	d, err := ratelimit.New(store, quiet()).Admit(t.Context(), a.Try("", cause), b.Try("", cause))
	if !errors.Is(err, ratelimit.ErrKey) || !errors.Is(err, cause) || d.Rule != &b || store.Calls() != 0 {
		t.Errorf("got %+v, %v after %d calls of the store", d, err, store.Calls())
	}
	if d, err := ratelimit.New(store, quiet()).Admit(t.Context(), a.Try("", cause).WithLimit(0)); !errors.Is(err, ratelimit.ErrKey) || d.Rule != &a {
		t.Errorf("a limit that could not be made: %+v, %v", d, err)
	}
}

func TestEndedContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := rule("a")
		store := ratelimittest.NewFailingStore(ratelimittest.AllowStore())
		l := ratelimit.New(store, quiet(), ratelimit.WithTimeout(time.Minute))

		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		d, err := l.Admit(ctx, r.For("k"))
		if !errors.Is(err, ratelimit.ErrLimited) || !errors.Is(err, context.Canceled) || d.Rule != &r || store.Calls() != 0 {
			t.Errorf("before: %+v, %v, %d calls of the store", d, err, store.Calls())
		}

		store.Hang()
		ctx, cancel = context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began := time.Now()
		_, err = l.Admit(ctx, r.For("k"))
		if !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, ratelimit.ErrUnavailable) || time.Since(began) != time.Second {
			t.Errorf("while the store is asked: %v after %v; want a refusal, FailOpen or not", err, time.Since(began))
		}
	})
}

func TestOwnDeadline(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := ratelimittest.NewFailingStore(ratelimittest.AllowStore())
		store.Hang()
		open, closed := rule("open"), rule("closed")
		closed.Fail = ratelimit.FailClosed
		for _, timeout := range []time.Duration{0, 7 * time.Second} {
			l := ratelimit.New(store, quiet(), ratelimit.WithTimeout(timeout))
			want := timeout
			if want == 0 {
				want = ratelimit.DefaultTimeout
			}
			began := time.Now()
			if d, err := l.Admit(t.Context(), open.For("k")); err != nil || !d.Degraded || time.Since(began) != want {
				t.Errorf("fail open: %+v, %v after %v, want %v", d, err, time.Since(began), want)
			}
			if _, err := l.Admit(t.Context(), closed.For("k")); !errors.Is(err, ratelimit.ErrUnavailable) {
				t.Errorf("fail closed: %v", err)
			}
		}
	})
}

func TestClose(t *testing.T) {
	t.Parallel()
	r := rule("a")
	l := ratelimittest.AllowAll()
	for range 2 {
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := l.Admit(t.Context(), r.For("k")); !errors.Is(err, ratelimit.ErrUnavailable) {
		t.Errorf("after Close: %v", err)
	}
	if _, err := l.Admit(t.Context()); err != nil {
		t.Errorf("a call that asks for nothing, after Close: %v", err)
	}
}

type records struct {
	slog.Handler
	mu   sync.Mutex
	text []string
}

func (h *records) Enabled(context.Context, slog.Level) bool { return true }

func (h *records) Handle(_ context.Context, r slog.Record) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	line := r.Level.String() + " " + r.Message
	r.Attrs(func(a slog.Attr) bool { line += " " + a.String(); return true })
	h.text = append(h.text, line)
	return nil
}

func (h *records) drain() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	text := h.text
	h.text = nil
	return text
}

func TestLogCannotFlood(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		log := &records{}
		store := ratelimittest.NewFailingStore(&scripted{answer: func(int, ratelimit.Item) ratelimit.Result { return ratelimit.Result{RetryAfter: 3} }})
		l := ratelimit.New(store, ratelimit.WithLogger(slog.New(log)))
		a, b, bad := rule("a"), rule("b"), rule("bad")
		bad.Limit = -1
		down := errors.New("down")
		steps := []struct {
			name string
			call func()
			want string
		}{
			{"refusals", func() { l.Admit(t.Context(), a.For("k")) }, "WARN rate limit reached rule=a key=k limit=5 retry_after=3ns"},
			{"another rule has its own share", func() { l.Admit(t.Context(), b.For("k")) }, "WARN rate limit reached rule=b key=k limit=5 retry_after=3ns"},
			{"bad rules", func() { l.Admit(t.Context(), bad.For("k")) }, "ERROR rate limit rule wrong, calls are refused rule=bad error=limit: -1 is negative"},
			{"a failing store", func() { store.Fail(down); l.Admit(t.Context(), a.For("k")) },
				"ERROR rate limit store failed, calls pass unlimited rule=a error=down"},
			{"broken keys", func() { store.Fail(down); l.Admit(t.Context(), a.Try("", errors.New("nil pointer"))) },
				"ERROR rate limit key broken rule=a error=nil pointer"},
		}
		for _, s := range steps {
			time.Sleep(time.Second)
			log.drain()
			for range 1000 {
				s.call()
			}
			if got := log.drain(); len(got) == 0 || got[0] != s.want || len(got) > 2 {
				t.Errorf("%s: got %q, want first %q", s.name, got, s.want)
			}
		}
		store.Fail(nil)
		time.Sleep(time.Second)
		log.drain()
		l.Admit(t.Context(), a.For("k"))
		if got := log.drain(); len(got) != 1 || !strings.HasSuffix(got[0], " unlogged=999") {
			t.Errorf("a second later: got %q, want the 999 that were not logged counted", got)
		}
	})
}

func TestCallerThatHangsUpIsNotLogged(t *testing.T) {
	t.Parallel()
	log := &records{}
	l := ratelimit.New(ratelimittest.AllowStore(), ratelimit.WithLogger(slog.New(log)))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := rule("a")
	l.Admit(ctx, r.For("k"))
	if got := log.drain(); len(got) != 0 {
		t.Errorf("logged %q", got)
	}
}

func TestRegistryIsSafeAndExact(t *testing.T) {
	t.Parallel()
	l := ratelimittest.AllowAll()
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 400 {
				r := rule(fmt.Sprintf("rule%d", i))
				r.Limit = int64(i + 1)
				if _, err := l.Admit(t.Context(), r.For("k")); err != nil {
					t.Errorf("goroutine %d: %v", g, err)
				}
				r.Limit++
				if _, err := l.Admit(t.Context(), r.For("k")); !errors.Is(err, ratelimit.ErrRule) {
					t.Errorf("goroutine %d: a second rule%d passed: %v", g, i, err)
				}
			}
		})
	}
	wg.Wait()
}

func TestNoAllocations(t *testing.T) {
	store := ratelimittest.AllowStore()
	l := ratelimit.New(store, quiet())
	a, b := rule("a"), rule("b")
	for name, call := range map[string]func(){
		"one rule":  func() { l.Admit(t.Context(), a.For("k")) },
		"two rules": func() { l.Acquire(t.Context(), a.For("k"), b.For("k").WithCost(2)) },
	} {
		call()
		if n := testing.AllocsPerRun(1000, call); n != 0 {
			t.Errorf("%s: %v allocations, want 0", name, n)
		}
	}
}
