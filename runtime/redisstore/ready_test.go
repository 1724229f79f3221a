package redisstore

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ratelimitgen/ratelimitgen/internal/redistest"
	"github.com/redis/go-redis/v9"
)

// TestReadyWarms counts the connections that Ready opens: those that decisions
// usually need.
func TestReadyWarms(t *testing.T) {
	server := redistest.Start(t)
	for n, want := range map[int]int64{defaultBatch: 1 + usualBatches, 1: mostWarm} {
		t.Run(fmt.Sprint("batches of ", n), func(t *testing.T) {
			var dials atomic.Int64
			all := make(chan struct{})
			client := redis.NewClient(&redis.Options{
				Addr: server.Addr(), PoolSize: 10,
				Dialer: func(ctx context.Context, network, addr string) (net.Conn, error) {
					switch at := dials.Add(1); {
					case at == want:
						close(all)
					case at == 2 && n > 1: // a pipeline's: it must not serve both
						<-all
					}
					return net.Dial(network, addr)
				},
			})
			t.Cleanup(func() { client.Close() })
			s := open(t, client, WithBatching(n))
			if err := s.Ready(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := dials.Load(); got != want {
				t.Errorf("Ready has opened %d connections, want %d", got, want)
			}
		})
	}
}

// TestReadySaysWhy gives Ready less time than the client takes to give up.
func TestReadySaysWhy(t *testing.T) {
	server, err := redistest.Reserve()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	s := open(t, server.Client(t))
	eventually(t, "an error that says why", func() bool { // on a machine that has the time
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		err := s.Ready(ctx)
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("got %v", err)
		}
		return strings.Contains(err.Error(), "connection refused")
	})
}
