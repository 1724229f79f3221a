package redisstore

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

// cause finds out why a node does not answer. The client dials and greets a
// server again and again, for longer than any decision may take, and tells nobody
// why it does.
type cause struct {
	mu   sync.Mutex
	next time.Time // when it may be looked for again
	err  error
	at   time.Time // when err was found
}

const (
	causeEvery = time.Second     // and takes no longer
	causeHolds = 3 * time.Second // when it was looked for this long ago it may be over
)

// explain adds to err, which says that an answer was late, why, if that is
// known by now, and has it looked for.
func (l *lane) explain(err error) error {
	late, is := err.(*lateError)
	if !is || late.cause != nil && late.cause != errBusy {
		return err
	}
	if o := optionsOf(l.node); o != nil && l.cause.due() {
		l.dispatcher.start(func() { l.cause.note(greet(o)) })
	}
	if why := l.cause.known(); why != nil {
		return &lateError{why}
	}
	return err
}

// optionsOf are those that n connects with, or nil. Those of a Cluster are for
// the first of its nodes that it has been told of.
func optionsOf(n any) *redis.Options {
	switch client := n.(type) {
	case *redis.Client:
		o := *client.Options()
		o.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled} // the client writes to its own
		return &o
	case *redis.ClusterClient:
		return first(client.Options())
	}
	return nil
}

func first(all *redis.ClusterOptions) *redis.Options {
	if len(all.Addrs) == 0 {
		return nil
	}
	o := &redis.Options{
		Network: "tcp", Addr: all.Addrs[0], ClientName: all.ClientName, Dialer: all.Dialer, OnConnect: all.OnConnect,
		Protocol: all.Protocol, Username: all.Username, Password: all.Password,
		CredentialsProvider: all.CredentialsProvider, CredentialsProviderContext: all.CredentialsProviderContext,
		StreamingCredentialsProvider: all.StreamingCredentialsProvider,
		DialTimeout:                  causeEvery, TLSConfig: all.TLSConfig,
	}
	if o.Dialer == nil {
		o.Dialer = redis.NewDialer(o)
	}
	return o
}

// greet connects as the client would and says why that is not possible, or why
// the server does not want it.
func greet(o *redis.Options) error {
	ctx, cancel := context.WithTimeout(context.Background(), causeEvery)
	defer cancel()
	conn, err := o.Dialer(ctx, o.Network, o.Addr)
	if err != nil {
		return err
	}
	o.Dialer = func(context.Context, string, string) (net.Conn, error) { return conn, nil }
	o.MaxRetries, o.DialerRetries, o.ContextTimeoutEnabled = -1, 1, true
	o.PoolSize, o.PipelinePoolSize, o.MinIdleConns = 1, 1, 0
	once := redis.NewClient(o)
	defer once.Close()
	if err := once.Ping(ctx).Err(); ctx.Err() == nil {
		return err
	}
	return nil // it hangs: there is no more to know
}

func (c *cause) due() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	if now.Before(c.next) {
		return false
	}
	c.next = now.Add(time.Hour) // until there is a result
	return true
}

func (c *cause) note(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.err, c.at = err, time.Now()
	c.next = c.at.Add(causeEvery)
	if err == context.DeadlineExceeded {
		c.err = errHandshake
	}
}

func (c *cause) known() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Since(c.at) > causeHolds {
		return nil
	}
	return c.err
}

var errHandshake = errors.New("no answer to the TLS handshake")
