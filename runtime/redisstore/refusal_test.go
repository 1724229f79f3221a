package redisstore

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/ratelimitgen/ratelimitgen/runtime/storetest"
	"github.com/redis/go-redis/v9"
)

// idle is a store that is asked at random, and what has left it as it was.
type idle struct {
	*rand.Rand
	store *Store
	clock *storetest.Clock
	rules []*ratelimit.Rule
	past  []ratelimit.Item // that were charged
}

// TestWhatChangesNothing asks at random and compares DUMP of every key, and its
// expiry, before and after what was refused, peeks, and refunds that came too
// late.
func TestWhatChangesNothing(t *testing.T) {
	clock := storetest.NewClock(time.Now().UnixMicro())
	_, client, s := standalone(t, WithClock(clock.Now))
	d := &idle{Rand: rand.New(rand.NewPCG(7, 8)), store: s, clock: clock}
	for i, a := range algorithms {
		d.rules = append(d.rules,
			rule(fmt.Sprint("a", i), a, 1+d.Int64N(6), time.Second), rule(fmt.Sprint("b", i), a, 1+d.Int64N(6), time.Minute))
	}
	d.rules = append(d.rules, daily("day", 20))
	seen := map[string]int{}
	for range 800 {
		b, what := d.next()
		before := dumps(t, client)
		if err := s.Do(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		d.remember(b)
		if changes(b) {
			continue
		}
		seen[what]++
		if after := dumps(t, client); after != before {
			t.Fatalf("%s: %+v has changed\n%s to\n%s", what, b, before, after)
		}
	}
	t.Log(seen)
	if len(seen) < 4*5+1 {
		t.Errorf("only %d kinds of calls have changed nothing", len(seen))
	}
}

// changes reports whether b may have left something.
func changes(b *ratelimit.Batch) bool {
	switch b.Op {
	case ratelimit.OpPeek:
		return false
	case ratelimit.OpRefund:
		return b.Items[0].Allowed
	}
	return b.Allowed
}

// next returns a call and of what kind it is, after a while.
func (d *idle) next() (b *ratelimit.Batch, what string) {
	if d.IntN(3) == 0 {
		d.clock.Add(time.Duration(d.IntN(700)) * time.Millisecond)
	}
	if len(d.past) > 0 && d.IntN(6) == 0 {
		b = batch(10*time.Second, d.past[d.IntN(len(d.past))])
		b.Op = ratelimit.OpRefund
		return b, "refund"
	}
	items := d.items()
	b = batch(10*time.Second, items...)
	what = fmt.Sprint(min(len(items), 5), " rules")
	switch d.IntN(6) {
	case 0:
		b.Op, what = ratelimit.OpPeek, "peek of "+what
	case 1:
		b.Partial, what = true, "at most, "+what
	case 2:
		last := b.Items[len(items)-1]
		last.Shadow, last.Cost = true, 1
		b.Items, what = append(b.Items, last), "shadow, "+what
	}
	return b, what
}

func (d *idle) items() (items []ratelimit.Item) {
	cost := 1 + d.Int64N(3)*d.Int64N(2)
	for _, i := range d.Perm(len(d.rules))[:1+d.IntN(6)] {
		items = append(items, costing(item(d.rules[i], "k"), cost))
	}
	return items
}

func (d *idle) remember(b *ratelimit.Batch) {
	for _, it := range b.Items {
		if b.Op == ratelimit.OpAcquire && b.Allowed && it.Allowed && !b.Partial {
			d.past = append(d.past, it)
		}
	}
	d.past = d.past[max(0, len(d.past)-100):]
}

// dumps is all that the server holds.
func dumps(t *testing.T, client *redis.Client) string {
	t.Helper()
	keys := client.Keys(t.Context(), "*").Val()
	slices.Sort(keys)
	pipe := client.Pipeline()
	var values []*redis.StringCmd
	var expiries []*redis.Cmd
	for _, key := range keys {
		values = append(values, pipe.Dump(t.Context(), key))
		expiries = append(expiries, pipe.Do(t.Context(), "PEXPIRETIME", key))
	}
	if _, err := pipe.Exec(t.Context()); err != nil && len(keys) > 0 {
		t.Fatal(err)
	}
	var text strings.Builder
	for i, key := range keys {
		fmt.Fprintf(&text, "%s %x %v\n", key, values[i].Val(), expiries[i].Val())
	}
	return text.String()
}
