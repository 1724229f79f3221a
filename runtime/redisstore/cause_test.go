package redisstore

import (
	"context"
	"crypto/tls"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ratelimitgen/ratelimitgen/internal/redistest"
	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/redis/go-redis/v9"
)

// TestLateSaysWhy has no connection come about, for which the client takes
// longer than any decision may: calls say why soon, and say so no longer when it
// is over.
func TestLateSaysWhy(t *testing.T) {
	authority := redistest.NewAuthority(t)
	tlsServer, tlsAddr := redistest.StartTLS(t, authority)
	down, err := redistest.Reserve()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(down.Close)
	trusting := &tls.Config{RootCAs: authority.Pool()}
	for name, c := range map[string]struct {
		options redis.Options
		text    string
		fault   ratelimit.Fault
	}{
		"refused":            {redis.Options{Addr: down.Addr()}, "connection refused", ratelimit.StoreFault},
		"untrusted":          {redis.Options{Addr: tlsAddr, TLSConfig: &tls.Config{}}, "certificate signed by unknown authority", ratelimit.SetupFault},
		"server without TLS": {redis.Options{Addr: tlsServer.Addr(), TLSConfig: trusting, DialTimeout: 200 * time.Millisecond}, "TLS handshake", ratelimit.StoreFault},
		"no client's own":    {redis.Options{Addr: tlsAddr, TLSConfig: trusting, DialerRetries: 1}, "certificate required", ratelimit.SetupFault},
		"the client's is wrong": {redis.Options{Addr: tlsAddr, DialerRetries: 1, TLSConfig: &tls.Config{
			RootCAs: authority.Pool(), Certificates: []tls.Certificate{redistest.NewAuthority(t).Certificate(t)},
		}}, "unknown certificate authority", ratelimit.SetupFault},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := redis.NewClient(&c.options)
			defer client.Close()
			s := open(t, client)
			it := item(rule("late", ratelimit.FixedWindow, 1<<40, time.Hour), "k")
			var err error
			eventually(t, "a call that says why", func() bool {
				err = s.Do(context.Background(), batch(20*time.Millisecond, it))
				return err != nil && strings.Contains(err.Error(), c.text)
			})
			if got := s.Classify(err); got != c.fault {
				t.Errorf("%v: a fault of the %v, want of the %v", err, got, c.fault)
			}
		})
	}
}

// TestLateSaysWhyInACluster has no node of a Cluster be there when it is first
// asked, or refuse the password.
func TestLateSaysWhyInACluster(t *testing.T) {
	down, err := redistest.Reserve()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(down.Close)
	client := redis.NewClusterClient(&redis.ClusterOptions{Addrs: []string{down.Addr()}})
	defer client.Close()
	s := open(t, client)
	it := item(rule("late", ratelimit.FixedWindow, 1<<40, time.Hour), "k")
	eventually(t, "a call that says why", func() bool {
		err := s.Do(context.Background(), batch(20*time.Millisecond, it))
		var late *lateError
		return errors.As(err, &late) && strings.Contains(err.Error(), "connection refused")
	})
}

// TestGreetAsAClusterDoes has the node ask for a password, and for TLS.
func TestGreetAsAClusterDoes(t *testing.T) {
	authority := redistest.NewAuthority(t)
	server, addr := redistest.StartTLS(t, authority)
	if err := acl(t, server.Client(t), "on", ">pw", "~*", "+@all"); err != nil {
		t.Fatal(err)
	}
	config := &tls.Config{RootCAs: authority.Pool(), Certificates: []tls.Certificate{authority.Certificate(t)}}
	for want, o := range map[string]redis.ClusterOptions{
		"":          {Addrs: []string{addr}, TLSConfig: config, Username: "svc", Password: "pw"},
		"WRONGPASS": {Addrs: []string{addr}, TLSConfig: config, Username: "svc", Password: "other"},
		"authority": {Addrs: []string{addr}, TLSConfig: &tls.Config{}},
	} {
		client := redis.NewClusterClient(&o)
		err := greet(optionsOf(client))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
		client.Close()
	}
}

// TestCauseIsLookedForSeldom has many calls be late: the client's connections
// apart, one is made each second.
func TestCauseIsLookedForSeldom(t *testing.T) {
	server, _, s := standalone(t)
	l := s.dispatcher.whole
	before := statOf(t, server, "total_connections_received:")
	began := time.Now()
	for range 1000 {
		if err := l.explain(&lateError{}); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatal(err)
		}
		time.Sleep(100 * time.Microsecond)
	}
	made := func() int { return statOf(t, server, "total_connections_received:") - before - 1 }
	eventually(t, "a connection", func() bool { return made() > 0 })
	if n, most := made(), 2+int(time.Since(began)/causeEvery); n > most {
		t.Errorf("%d connections, want %d at most", n, most)
	}
}

// TestCauseIsOver has the server be back, after which nothing is said of what
// it was.
func TestCauseIsOver(t *testing.T) {
	l := &lane{}
	l.cause.note(errors.New("cause"))
	if err := l.explain(&lateError{}); !strings.Contains(err.Error(), "cause") {
		t.Errorf("got %v", err)
	}
	l.cause.at = time.Now().Add(-causeHolds - time.Second)
	if err := l.explain(&lateError{}); strings.Contains(err.Error(), "cause") {
		t.Errorf("got %v", err)
	}
	l.cause.note(nil)
	if err := l.explain(&lateError{errBusy}); !errors.Is(err, errBusy) {
		t.Errorf("got %v", err)
	}
}

// TestLookingForACauseBesideTheClient looks for a cause while the client connects,
// which writes to what its options point to.
func TestLookingForACauseBesideTheClient(t *testing.T) {
	server := redistest.Start(t)
	for range 40 {
		client := redis.NewClient(&redis.Options{Addr: server.Addr()})
		var group sync.WaitGroup
		group.Go(func() { client.Ping(t.Context()) })
		group.Go(func() {
			if err := greet(optionsOf(client)); err != nil {
				t.Error(err)
			}
		})
		group.Wait()
		client.Close()
	}
}
