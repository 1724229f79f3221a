package redisstore

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/ratelimitgen/ratelimitgen/internal/redistest"
	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/redis/go-redis/v9"
)

// TestAllocations counts those of a decision, of which the client has the most.
func TestAllocations(t *testing.T) {
	most := 8.0
	if raced {
		most = 24
	}
	for _, rules := range []int{1, 3} {
		_, _, s := standalone(t)
		b := batch(time.Hour, items(rules)...)
		n := testing.AllocsPerRun(500, func() {
			if err := s.Do(context.Background(), b); err != nil {
				t.Fatal(err)
			}
		})
		t.Logf("%d rules: %.1f allocations", rules, n)
		if n > most {
			t.Errorf("%d rules: %.1f allocations, want %v at most", rules, n, most)
		}
	}
}

// TestLimiterAllocations counts those of a whole call, from the request to the
// decision.
func TestLimiterAllocations(t *testing.T) {
	most := 8.0
	if raced {
		most = 26
	}
	for _, prompt := range []bool{false, true} {
		client := redis.NewClient(&redis.Options{Addr: redistest.Start(t).Addr(), ContextTimeoutEnabled: prompt})
		defer client.Close()
		limiter := ratelimit.New(New(client), ratelimit.WithTimeout(longest))
		defer limiter.Close()
		r := rule("calls", ratelimit.TokenBucket, 1<<30, time.Hour)
		n := testing.AllocsPerRun(500, func() {
			if d, err := limiter.Admit(t.Context(), r.For("k")); err != nil || d.Degraded {
				t.Fatal(d, err)
			}
		})
		t.Logf("%.1f allocations", n)
		if n > most {
			t.Errorf("%.1f allocations, want %v at most", n, most)
		}
	}
}

func BenchmarkDo(b *testing.B) {
	for _, n := range []int{1, 3} {
		b.Run(fmt.Sprint(n, " rules"), func(b *testing.B) {
			_, _, s := standalone(b)
			b.ReportAllocs()
			b.RunParallel(func(p *testing.PB) {
				asked := batch(time.Hour, items(n)...)
				for p.Next() {
					if err := s.Do(context.Background(), asked); err != nil {
						b.Error(err)
					}
				}
			})
		})
	}
}

// BenchmarkClient is a bare command of the client, for comparison.
func BenchmarkClient(b *testing.B) {
	_, client, _ := standalone(b)
	b.ReportAllocs()
	b.RunParallel(func(p *testing.PB) {
		for p.Next() {
			if err := client.Get(context.Background(), "k").Err(); err == nil {
				b.Error("there is a value")
			}
		}
	})
}
