package memory_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/ratelimitgen/ratelimitgen/runtime/memory"
)

func BenchmarkDo(b *testing.B) {
	for a := ratelimit.FixedWindow; a <= ratelimit.LeakyBucket; a++ {
		for _, keys := range []int{1, 100_000} {
			for _, goroutines := range []int{1, 16} {
				name := fmt.Sprintf("%v/keys=%d/goroutines=%d", a, keys, goroutines)
				b.Run(name, func(b *testing.B) { benchmark(b, a, keys, goroutines) })
			}
		}
	}
}

func benchmark(b *testing.B, a ratelimit.Algorithm, keys, goroutines int) {
	s := memory.New()
	defer s.Close()
	r := &ratelimit.Rule{Name: "bench", Algorithm: a, Limit: 1000, Window: time.Second}
	names := make([]string, keys)
	for i := range names {
		names[i] = fmt.Sprint("user:", i)
	}
	b.ReportAllocs()
	b.ResetTimer()
	done := make(chan bool)
	for g := range goroutines {
		go func() {
			batch := ratelimit.NewBatch()
			batch.Items = append(batch.Items, item(r, ""))
			at := uint32(g * 7919)
			for range b.N / goroutines {
				at = at*1664525 + 1013904223
				batch.Items[0].Key = names[at%uint32(keys)]
				s.Do(context.Background(), batch)
			}
			done <- true
		}()
	}
	for range goroutines {
		<-done
	}
}
