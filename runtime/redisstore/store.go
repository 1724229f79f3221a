package redisstore

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/ratelimitgen/ratelimitgen/runtime/lua"
	"github.com/redis/go-redis/v9"
)

const (
	defaultPrefix = "ratelimit:"
	defaultBatch  = 64
	closeWait     = 5 * time.Second
)

// Store decides in Redis. It is safe for concurrent use.
type Store struct {
	prefix  string
	batch   int              // decisions in a round trip
	clock   func() time.Time // that decides, or nil
	now     func() time.Time // the client's
	sharded bool
	fault   error

	scripts *lua.Set
	windows windows

	client     redis.UniversalClient
	dispatcher *dispatcher
}

var _ ratelimit.Store = (*Store)(nil)

// New returns a store that keeps its buckets in the Redis behind client, which
// it never closes. Nothing is sent before the first decision.
func New(client redis.UniversalClient, opts ...Option) *Store {
	if absent(client) {
		client = nil
	}
	s := &Store{prefix: defaultPrefix, batch: defaultBatch, now: time.Now, client: client, sharded: sharded(client)}
	for _, opt := range opts {
		opt(s)
	}
	s.fault = s.validate()
	s.scripts = lua.Server()
	if s.clock != nil {
		s.scripts = lua.Given()
	}
	if client != nil {
		s.dispatcher = newDispatcher(client, s.batch)
	}
	return s
}

// absent reports whether client is nil, or an interface around a nil pointer.
func absent(client redis.UniversalClient) bool {
	if client == nil {
		return true
	}
	v := reflect.ValueOf(client)
	return v.Kind() == reflect.Pointer && v.IsNil()
}

func (s *Store) validate() error {
	if s.client == nil {
		return fmt.Errorf("%w: the store has no client", ratelimit.ErrRule)
	}
	if strings.ContainsAny(s.prefix, "{}") {
		return fmt.Errorf("%w: the prefix %q holds a brace, which would decide where Redis Cluster keeps a bucket", ratelimit.ErrRule, s.prefix)
	}
	return nil
}

// Do implements [ratelimit.Store] with one command of the client; with a second
// one if a rule follows the calendar and the clocks of the client and the server
// are more than a window apart.
func (s *Store) Do(ctx context.Context, b *ratelimit.Batch) error {
	if err := s.check(b); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	m := s.moment()
	for range 2 {
		c := s.pack(b, m)
		if err := s.dispatcher.do(ctx, b.Deadline, c); err != nil {
			return err
		}
		done, err := c.unpack(b)
		c.free()
		if done || err != nil {
			return err
		}
		m.t = b.Time
	}
	return errCalendar
}

var errCalendar = errors.New("redisstore: the server's clock jumps, no window of the calendar has its time")

// Close ends the store's goroutines, and leaves the client open. It waits for
// the commands in flight, five seconds at most.
func (s *Store) Close() error {
	if s.dispatcher == nil {
		return nil
	}
	return s.dispatcher.close(closeWait)
}
