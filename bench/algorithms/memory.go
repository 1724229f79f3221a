package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"time"

	"github.com/ratelimitgen/ratelimitgen/bench/page"
	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/ratelimitgen/ratelimitgen/runtime/memory"
)

const (
	keyBytes  = 20
	heldLimit = 100_000
)

// held is a state whose memory is measured: a rule after so many calls.
type held struct {
	rule  *ratelimit.Rule
	calls int
}

func (h held) title() string {
	if h.rule.Algorithm == ratelimit.SlidingWindow {
		return fmt.Sprintf("%s, %s calls", title(h.rule), number(int64(h.calls)))
	}
	return title(h.rule)
}

// entries are the calls that a state is measured with that keeps each of them.
var entries = []int{20, 1_000, 100_000}

func heldStates() []held {
	var all []held
	for _, r := range everyKind(heldLimit) {
		if r.Calendar == 0 {
			r.Window = time.Hour
		}
		if r.Algorithm != ratelimit.SlidingWindow {
			all = append(all, held{r, entries[0]})
			continue
		}
		for _, n := range entries {
			all = append(all, held{r, n})
		}
	}
	return all
}

// memoryUse says how many bytes a key takes in each store.
func (l *lab) memoryUse() (string, error) {
	t := page.Table{Head: []string{"rule", "in Redis", "for each call", "in `runtime/memory`"}}
	for _, h := range heldStates() {
		there, err := l.inRedis(h)
		if err != nil {
			return "", err
		}
		here, err := inProcess(h)
		if err != nil {
			return "", err
		}
		t.Add(h.title(), number(there), each(h, there), number(here))
	}
	if err := l.addUsual(&t); err != nil {
		return "", err
	}
	return t.Numbers(), nil
}

func each(h held, bytes int64) string {
	if h.rule.Algorithm != ratelimit.SlidingWindow {
		return ""
	}
	return perCall(bytes, h.calls)
}

func perCall(bytes int64, calls int) string {
	return fmt.Sprintf("%.1f", float64(bytes)/float64(calls))
}

// inRedis measures a key of 20 bytes, the rule's name and state included.
func (l *lab) inRedis(h held) (int64, error) {
	key, err := l.padding(h.rule)
	if err != nil {
		return 0, err
	}
	for range h.calls {
		if err := l.draw(key, 1, h.rule); err != nil {
			return 0, err
		}
	}
	return l.usage()
}

// padding returns the key with which a bucket's key in Redis has 20 bytes.
func (l *lab) padding(r *ratelimit.Rule) (string, error) {
	if err := l.empty(); err != nil {
		return "", err
	}
	if err := l.draw("", 1, r); err != nil {
		return "", err
	}
	name, err := l.onlyKey()
	if err != nil {
		return "", err
	}
	return strings.Repeat("k", keyBytes-len(name)), l.empty()
}

func (l *lab) empty() error { return l.client.FlushAll(context.Background()).Err() }

func (l *lab) onlyKey() (string, error) {
	keys, err := l.client.Keys(context.Background(), "*").Result()
	if err == nil && len(keys) != 1 {
		err = fmt.Errorf("there are %d keys, where one is measured", len(keys))
	}
	if err != nil {
		return "", err
	}
	return keys[0], nil
}

// usage is what the server's only key takes, of which all is counted.
func (l *lab) usage() (int64, error) {
	key, err := l.onlyKey()
	if err != nil {
		return 0, err
	}
	if len(key) != keyBytes {
		return 0, fmt.Errorf("the key %q does not have %d bytes", key, keyBytes)
	}
	return l.client.MemoryUsage(context.Background(), key, 0).Result()
}

func (l *lab) addUsual(t *page.Table) error {
	for _, u := range []usual{usualCounter, usualHash} {
		bytes, err := l.usualInRedis(u, entries[0])
		if err != nil {
			return err
		}
		t.Add(u.title, number(bytes), "", "")
	}
	for _, n := range entries {
		bytes, err := l.usualInRedis(usualSet, n)
		if err != nil {
			return err
		}
		t.Add(fmt.Sprintf("%s, %s calls", usualSet.title, number(int64(n))), number(bytes), perCall(bytes, n), "")
	}
	return nil
}

func (l *lab) usualInRedis(u usual, calls int) (int64, error) {
	if err := l.empty(); err != nil {
		return 0, err
	}
	for range calls {
		if passes, err := l.script(u.name, strings.Repeat("k", keyBytes), u.args(heldLimit)...); err != nil || !passes {
			return 0, errors.Join(err, fmt.Errorf("%s: passes: %v", u.name, passes))
		}
	}
	return l.usage()
}

// inProcess measures as many buckets as make what else is allocated small.
func inProcess(h held) (int64, error) {
	const calls = 400_000
	store := memory.New()
	limiter := ratelimit.New(store, ratelimit.WithLogger(slog.New(slog.DiscardHandler)))
	defer limiter.Close()
	buckets := max(8, calls/h.calls)
	before := heap()
	for i := range buckets {
		key := fmt.Sprintf("%0*d", keyBytes, i)
		for range h.calls {
			if d, err := limiter.Acquire(context.Background(), h.rule.For(key)); err != nil || !d.Allowed {
				return 0, errors.Join(err, fmt.Errorf("%s: allowed: %v", title(h.rule), d.Allowed))
			}
		}
	}
	if n := store.Len(); n != buckets {
		return 0, fmt.Errorf("%d of %d buckets are there", n, buckets)
	}
	return (heap() - before) / int64(buckets), nil
}

// heap is the bytes that are in use.
func heap() int64 {
	runtime.GC()
	runtime.GC() // what the first one has found in pools
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
