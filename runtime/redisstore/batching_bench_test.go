package redisstore

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ratelimitgen/ratelimitgen/internal/redistest"
	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/redis/go-redis/v9"
)

// BenchmarkCallers compares decisions with and without batching with the same
// script over the client alone. Each iteration is a round in which all take
// turns, so that what else the machine does meets all; the metrics are medians
// of the ratios within a round, and the median rate of the store as it is.
func BenchmarkCallers(b *testing.B) {
	for _, callers := range []int{1, 16, 128, 1024} {
		b.Run(fmt.Sprint(callers), func(b *testing.B) {
			server := redistest.Start(b)
			rows := contestants(b, server)
			rates := make([][]float64, len(rows))
			for b.Loop() {
				for i, row := range rows {
					rates[i] = append(rates[i], rate(b, callers, row.call))
				}
			}
			for i, row := range rows {
				if i > 0 {
					b.ReportMetric(medianRatio(rates[i], rates[0]), row.name+"/plain")
				}
			}
			b.ReportMetric(median(rates[1]), "batched/s")
		})
	}
}

type contestant struct {
	name string
	call func() error
}

func contestants(b *testing.B, server *redistest.Server) []contestant {
	client := func() *redis.Client {
		c := redis.NewClient(&redis.Options{Addr: server.Addr(), ContextTimeoutEnabled: true})
		b.Cleanup(func() { c.Close() })
		return c
	}
	rows := []contestant{{"plain", evalsha(b, client())}}
	for _, n := range []int{defaultBatch, 1} {
		name := map[int]string{defaultBatch: "batched", 1: "single"}[n]
		s := open(b, client(), WithBatching(n))
		rows = append(rows, contestant{name, func() error { return decide(s) }})
	}
	return rows
}

var benchItem = item(rule("bench", ratelimit.FixedWindow, 1<<40, 24*time.Hour), "user:123456")

func decide(s *Store) error {
	b := ratelimit.NewBatch()
	defer b.Release()
	b.Deadline = time.Now().Add(longest)
	b.Items = append(b.Items, benchItem)
	return s.Do(context.Background(), b)
}

// evalsha is what a program does that calls the script by itself.
func evalsha(b *testing.B, client *redis.Client) func() error {
	args, sha := scriptArgs(b, client)
	return func() error { return client.EvalSha(context.Background(), sha, args[:1:1], values(args)...).Err() }
}

func values(args []string) []any {
	var all []any
	for _, a := range args[1:] {
		all = append(all, a)
	}
	return all
}

// scriptArgs loads the script of benchItem, and returns its key and arguments.
func scriptArgs(b *testing.B, client *redis.Client) (args []string, sha string) {
	s := New(client)
	defer closeStore(b, s)
	asked := batch(time.Minute, benchItem)
	c := s.pack(asked, s.moment())
	for _, a := range c.args[3:] {
		args = append(args, a.(*arg).String())
	}
	if err := client.ScriptLoad(context.Background(), c.script.Text).Err(); err != nil {
		b.Fatal(err)
	}
	return args, c.script.SHA
}

// rate is how many calls a second pass.
func rate(b *testing.B, callers int, call func() error) float64 {
	const span = 100 * time.Millisecond
	var calls atomic.Int64
	var group sync.WaitGroup
	start := time.Now()
	for range callers {
		group.Go(func() {
			for n := int64(1); ; n++ {
				if err := call(); err != nil {
					b.Error(err)
					return
				}
				if time.Since(start) > span {
					calls.Add(n)
					return
				}
			}
		})
	}
	group.Wait()
	return float64(calls.Load()) / time.Since(start).Seconds()
}

func medianRatio(of, to []float64) float64 {
	var ratios []float64
	for i := range of {
		ratios = append(ratios, of[i]/to[i])
	}
	return median(ratios)
}

func median(numbers []float64) float64 {
	sorted := slices.Sorted(slices.Values(numbers))
	return sorted[len(sorted)/2]
}
