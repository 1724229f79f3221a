package faulttest

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/ratelimitgen/ratelimitgen/runtime/storetest"
)

// drive has calls made, each at its time or, where all callers are busy, as soon
// as one is free.
func (a attack) drive(calls int, call func(i int, due time.Time)) {
	var next atomic.Int64
	var group sync.WaitGroup
	began := time.Now()
	for range callers {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < calls; i = int(next.Add(1)) - 1 {
				due := began.Add(time.Duration(i) * a.every)
				time.Sleep(time.Until(due))
				call(i, due)
			}
		})
	}
	group.Wait()
}

// TestAttacksLive has each attack go on for a second or two of real time against
// the limiter as it is by default, with batches and the deny cache. The decisions
// must be right for the times at which they were made.
func TestAttacksLive(t *testing.T) {
	for _, a := range attacks {
		t.Run(a.name, func(t *testing.T) {
			r := newRig(t, fault{}, options{batch: 64, deny: ratelimit.DefaultDenyAge}, ratelimit.WithTimeout(10*time.Second))
			await(t, "Ready", func() bool { return r.limiter.Ready(t.Context()) == nil })
			began := time.Now()
			made := make([]ratelimit.Decision, a.lasting(1500*time.Millisecond))
			a.drive(len(made), func(i int, _ time.Time) {
				var err error
				if made[i], err = r.limiter.Acquire(context.Background(), a.requests(i)...); err != nil {
					t.Error(err)
				}
			})
			right(t, a.judge(made), len(made))
			r.log.bounded(t, began)
			if now, _ := r.connections(); now > 1+2*poolSize {
				t.Errorf("there are %d connections", now)
			}
			r.forgotten(a)
			r.close()
		})
	}
}

// judge counts the decisions that an exact oracle makes otherwise at the same
// times.
func (a attack) judge(made []ratelimit.Decision) (wrong int) {
	order := make([]int, len(made))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(x, y int) int {
		before := made[x].Allowed && !made[y].Allowed // of the same microsecond
		return cmp.Or(made[x].Time.Compare(made[y].Time), map[bool]int{true: -1}[before])
	})
	now := start()
	oracle := ratelimit.New(storetest.NewOracle(now.get), ratelimit.WithLogger(slog.New(slog.DiscardHandler)))
	defer oracle.Close()
	for _, i := range order {
		now.now = made[i].Time
		if d, _ := oracle.Acquire(context.Background(), a.requests(i)...); d.Allowed != made[i].Allowed {
			wrong++
		}
	}
	return wrong
}

// forgotten waits until the server has nothing left of an attack whose windows
// are short.
func (r *rig) forgotten(a attack) {
	if a.requests(0)[0].Rule != fresh {
		return
	}
	await(r.t, "all keys gone", func() bool { return r.root.DBSize(context.Background()).Val() == 0 })
}
