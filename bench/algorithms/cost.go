package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/ratelimitgen/ratelimitgen/bench/page"
	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

const (
	plenty     = 50_000 // a limit that no round reaches
	costRounds = 21
	costCalls  = 100 // of a round
)

// contender is calls whose time on the server is measured: all pass, or all
// are refused.
type contender struct {
	prepare func() error
	ask     func() (passes bool, err error) // makes one call
	args    func() []any                    // of the next; nil: as of the last
	pass    bool
	best    float64 // of its rounds, in microseconds
}

// pair is a contender whose calls pass and one whose calls are refused.
type pair [2]*contender

// rowOfCosts is what the table says of one rule, or of one usual script.
type rowOfCosts struct {
	title      string
	one, three pair
}

func (r *rowOfCosts) contenders() []*contender {
	all := r.one[:]
	if r.three[0] != nil {
		all = append(all, r.three[:]...)
	}
	return all
}

// costs says how long a decision takes the server.
func (l *lab) costs() (string, error) {
	rows := l.costRows()
	for range costRounds {
		for _, row := range rows {
			for _, c := range row.contenders() {
				if err := l.round(c); err != nil {
					return "", fmt.Errorf("%s: %w", row.title, err)
				}
			}
		}
	}
	return costTable(rows), nil
}

// costRows are the usual fixed window first, which the others are compared
// with.
func (l *lab) costRows() []*rowOfCosts {
	rows := []*rowOfCosts{l.usualRow(usualCounter, entries[0])}
	for _, h := range heldStates() {
		if h.calls < entries[2] {
			rows = append(rows, l.ourRow(h))
		}
	}
	rows = append(rows, l.usualRow(usualHash, entries[0]))
	for _, n := range entries[:2] {
		row := l.usualRow(usualSet, n)
		row.title = fmt.Sprintf("%s, %s calls", row.title, number(int64(n)))
		rows = append(rows, row)
	}
	return rows
}

func (l *lab) usualRow(u usual, calls int) *rowOfCosts {
	contend := func(pass bool) *contender {
		limit := limitFor(calls, pass)
		const key = "usual"
		ask := func() (bool, error) { return l.script(u.name, key, u.args(limit)...) }
		args := func() []any { return append([]any{"evalsha", l.usual[u.name].Hash(), 1, key}, u.args(limit)...) }
		return &contender{pass: pass, ask: ask, args: args, prepare: func() error {
			err := l.empty()
			for range calls {
				_, failed := ask()
				err = errors.Join(err, failed)
			}
			return err
		}}
	}
	return &rowOfCosts{title: u.title, one: pair{contend(true), contend(false)}}
}

func limitFor(calls int, pass bool) int64 {
	if pass {
		return plenty
	}
	return int64(calls)
}

func (l *lab) ourRow(h held) *rowOfCosts {
	return &rowOfCosts{
		title: h.title(),
		one:   pair{l.decide(h, 1, true), l.decide(h, 1, false)},
		three: pair{l.decide(h, 3, true), l.decide(h, 3, false)},
	}
}

// decide is decisions about so many buckets like h in one call.
func (l *lab) decide(h held, buckets int, pass bool) *contender {
	var from []*ratelimit.Rule
	for i := range buckets {
		r := *h.rule
		r.Limit = limitFor(h.calls, pass)
		r.Name = fmt.Sprintf("%s.%d.%d.%d.%v", r.Name, h.calls, buckets, i, pass)
		from = append(from, &r)
	}
	asked := requests("k", 1, from)
	return &contender{
		pass: pass,
		prepare: func() error {
			fill := int64(h.calls)
			if !pass {
				fill = from[0].Capacity(from[0].Limit)
			}
			return errors.Join(l.empty(), l.draw("k", fill, from...))
		},
		ask: func() (bool, error) {
			d, err := l.limiter.Acquire(context.Background(), asked...)
			return d.Allowed, err
		},
	}
}

// round measures a contender once. The best round counts: what else runs on
// the machine only ever adds to a time. All commands are sent by the client
// itself, one right after the other, so that none finds a colder server than
// another does.
func (l *lab) round(c *contender) error {
	if err := c.prepare(); err != nil {
		return err
	}
	if err := c.check(); err != nil {
		return err
	}
	usec, err := l.perCall(c)
	if err != nil {
		return err
	}
	if c.best == 0 {
		c.best = usec
	}
	c.best = min(c.best, usec)
	return c.check()
}

// check makes a call, which must pass or be refused as the others.
func (c *contender) check() error {
	if passes, err := c.ask(); err != nil || passes != c.pass {
		return errors.Join(err, fmt.Errorf("a call that should pass: %v, passes: %v", c.pass, passes))
	}
	return nil
}

// perCall is the server's mean time for a call, in microseconds.
func (l *lab) perCall(c *contender) (float64, error) {
	ctx, args := context.Background(), c.args
	if args == nil {
		again := l.sent.args
		args = func() []any { return again }
	}
	if err := l.client.ConfigResetStat(ctx).Err(); err != nil {
		return 0, err
	}
	for range costCalls {
		if err := l.client.Do(ctx, args()...).Err(); err != nil {
			return 0, err
		}
	}
	return l.stat()
}

// stat is what the server says of the calls since it has been reset.
func (l *lab) stat() (float64, error) {
	text, err := l.client.Info(context.Background(), "commandstats").Result()
	if err != nil {
		return 0, err
	}
	_, line, found := strings.Cut(text, "cmdstat_evalsha:")
	var calls, usec int64
	if _, err := fmt.Sscanf(line, "calls=%d,usec=%d,", &calls, &usec); err != nil || !found || calls != costCalls {
		return 0, errors.Join(err, fmt.Errorf("the server counts %d calls in %q", calls, line))
	}
	return float64(usec) / float64(calls), nil
}

func costTable(rows []*rowOfCosts) string {
	t := page.Table{Head: []string{"rule", "passes", "is refused", "three rules pass", "three rules are refused"}}
	than := rows[0].one
	for _, row := range rows {
		cells := []string{row.title}
		for i, c := range row.contenders() {
			cells = append(cells, fmt.Sprintf("%.2f (%.1f µs)", c.best/than[i%2].best, c.best))
		}
		for len(cells) < len(t.Head) {
			cells = append(cells, "")
		}
		t.Add(cells...)
	}
	return t.Numbers()
}
