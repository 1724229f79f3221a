package faulttest

import (
	"context"
	"log/slog"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ratelimitgen/ratelimitgen/internal/redistest"
	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/ratelimitgen/ratelimitgen/runtime/redisstore"
	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"
	"go.uber.org/goleak"
)

const (
	timeout = ratelimit.DefaultTimeout
	slack   = time.Second // a call may take so much longer than its deadline

	prefix       = "fault:"
	userName     = "service"
	userPassword = "secret"

	poolSize = 10
)

// The hot key is asked for all the time and has a small limit, the wide one
// has a limit that is never reached. Their buckets are keys of the server.
const (
	hotLimit  = 100
	wideLimit = 1 << 40
	hotKey    = prefix + "{t}hot:f1h:k"
)

func TestMain(m *testing.M) {
	logging.Disable() // the client reports each server that a test has killed
	goleak.VerifyTestMain(m)
}

// rig is a server, a limiter that asks it, and what is known of both.
type rig struct {
	t       testing.TB
	server  *redistest.Server
	proxy   *proxy // nil unless the client asks through it
	root    *redis.Client
	client  *redis.Client
	store   *redisstore.Store
	limiter *ratelimit.Limiter
	log     *lines
	asked   *questions

	background sync.WaitGroup
	release    []func() // what ends it
}

// options are those of the limiter and the store, but for the policy.
type options struct {
	batch int
	deny  time.Duration
	keeps bool          // the client keeps deadlines, so that callers may send by themselves
	wait  time.Duration // of the client for the server, if not as long as usual
}

func newRig(t testing.TB, f fault, o options, more ...ratelimit.Option) *rig {
	r := &rig{t: t, server: redistest.Start(t, f.args...), log: &lines{}, asked: &questions{}}
	r.root = redis.NewClient(&redis.Options{Addr: r.server.Addr(), PoolSize: 1, MaxRetries: -1})
	t.Cleanup(func() { r.root.Close() })
	if f.name == "CLUSTERDOWN" {
		f.end(r)
	}
	settings := redis.Options{Addr: r.server.Addr(), PoolSize: poolSize, PipelinePoolSize: poolSize}
	settings.ContextTimeoutEnabled = o.keeps
	settings.DialTimeout, settings.ReadTimeout, settings.WriteTimeout = o.wait, o.wait, o.wait
	if f.pool > 0 {
		settings.PoolSize, settings.PipelinePoolSize = f.pool, f.pool
	}
	if f.proxied {
		r.proxy = newProxy(t, r.server.Addr())
		settings.Addr = r.proxy.addr()
	}
	if f.user {
		r.admin("ACL", "SETUSER", userName, "on", ">"+userPassword, "~*", "+@all")
		settings.Username, settings.Password = userName, userPassword
	}
	r.client = redis.NewClient(&settings)
	r.store = redisstore.New(r.client, redisstore.WithPrefix(prefix), redisstore.WithBatching(o.batch))
	r.limiter = ratelimit.New(r.store, append(more, ratelimit.WithLogger(slog.New(r.log)), ratelimit.WithObserver(r.asked),
		ratelimit.WithDenyCache(o.deny))...)
	return r
}

// close ends the limiter and the client, which must leave nothing behind.
func (r *rig) close() {
	began := time.Now()
	if err := r.limiter.Close(); err != nil {
		r.t.Errorf("Close: %v", err)
	}
	if d := time.Since(began); d > 100*time.Millisecond {
		r.t.Logf("Close took %v", d)
	}
	r.stop()
	r.client.Close()
}

// connections is how many connections the server has, and how many it had in
// all.
func (r *rig) connections() (now, ever int) {
	text, err := r.root.Info(context.Background(), "clients", "stats").Result()
	if err != nil {
		r.t.Fatal(err)
	}
	return number(r.t, text, "connected_clients:"), number(r.t, text, "total_connections_received:")
}

// lines counts the records of a log by their text.
type lines struct {
	mu    sync.Mutex
	count map[string]int
	total int
}

func (*lines) Enabled(context.Context, slog.Level) bool { return true }

func (l *lines) Handle(_ context.Context, r slog.Record) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.count == nil {
		l.count = map[string]int{}
	}
	l.count[r.Message]++
	l.total++
	return nil
}

func (l *lines) WithAttrs([]slog.Attr) slog.Handler { return l }
func (l *lines) WithGroup(string) slog.Handler      { return l }

func (l *lines) of(text string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.count[text]
}

// questions counts what the store was asked.
type questions struct {
	ratelimit.NoObserver
	failed atomic.Int64
	opened atomic.Int64 // how long the circuit was open at the longest

	mu    sync.Mutex
	last  time.Time // when the last call was asked that failed and was not late
	cause error
}

func (q *questions) ObserveStore(_ context.Context, e ratelimit.StoreEvent) {
	if e.Err == nil {
		return
	}
	q.failed.Add(1)
	asked := time.Now().Add(-e.Took)
	q.mu.Lock()
	defer q.mu.Unlock()
	if e.Fault != ratelimit.LateFault && asked.After(q.last) {
		q.last, q.cause = asked, e.Err
	}
}

func (q *questions) ObserveCircuit(e ratelimit.CircuitEvent) {
	if e.From == ratelimit.CircuitOpen {
		q.opened.Store(max(q.opened.Load(), int64(e.Lasted))) // told one after the other
	}
}

// lastFailure is when the last call was asked that failed and was not late.
func (q *questions) lastFailure() (time.Time, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.last, q.cause
}

func await(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		if holds() {
			return
		}
	}
	t.Fatalf("not in time: %s", what)
}

func full() bool { return os.Getenv("RATELIMIT_TEST_FULL") != "" }

// number reads a field of INFO.
func number(t testing.TB, info, field string) (n int) {
	t.Helper()
	_, after, ok := strings.Cut(info, field)
	for _, c := range after {
		if c < '0' || c > '9' {
			break
		}
		n = 10*n + int(c-'0')
	}
	if !ok {
		t.Fatalf("the server does not tell %s", field)
	}
	return n
}
