package faulttest

import (
	"context"
	"runtime"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

const (
	// recovery is how soon after the store's return calls are decided again: the
	// circuit asks twice a second.
	recovery = 3 * time.Second

	// busy is how late timers are on a machine on which answers are late as well,
	// so that recovery is a matter of the machine. Even there calls fail only
	// because of that, see returns, and the circuit asks twice a second.
	busy = 5 * time.Millisecond

	// returns is how long after the store's return calls may fail otherwise: the
	// client looks once a second whether there is a server again.
	returns = 2 * time.Second

	// dials is how many connections a fault may cost that ends them with each
	// answer: each caller asks once in a pause, until a timeout after the last
	// answer the circuit opens.
	dials = 2*poolSize + callers*int(timeout/pause+1)
)

func (r *run) check() {
	r.outage = r.spread()
	r.outcomes()
	r.bounds()
	r.times()
	r.leftovers()
	r.logged()
}

// outcomes checks what became of each call while the fault was there.
func (r *run) outcomes() {
	wrong := 0
	for _, c := range r.records {
		during := c.begin > r.began && c.end < r.mended
		if during {
			r.outcome[c.outcome]++
		}
		if r.right(c, during) {
			continue
		}
		if wrong++; wrong < 5 {
			r.t.Errorf("hot %v, from %v to %v (fault from %v to %v): %v, %v", c.hot, c.begin, c.end, r.began, r.mended, c.outcome, c.err)
		}
	}
	if wrong > 0 {
		r.t.Errorf("%d calls of %d ended as they should not", wrong, len(r.records))
	}
	r.t.Logf("while it lasted: %v; recovered after %v", r.outcome, r.recovered.Round(time.Millisecond))
	if r.outcome.all() == 0 {
		r.t.Error("no call was made while the fault was there")
	}
}

// right reports whether c ended as it should.
func (r *run) right(c record, during bool) bool {
	switch {
	case c.begin < r.warm:
		return c.outcome != other
	case c.outcome.decided():
		return !during || r.fault.harmless || !c.hot && r.fault.oneKey || c.outcome == refused && r.fault.reads || r.remembered(c)
	}
	touched := !r.fault.harmless && (c.hot || !r.fault.oneKey)
	if r.policy.escalates != 0 && (r.fault.reads || c.end > r.mended) { // an answer ends the outage, and there may be another
		return touched && (c.outcome == passedDegraded || c.outcome == unavailable)
	}
	return touched && r.policy.fits(c.outcome, c.hot, c.begin-r.surely, c.end-r.earliest)
}

// remembered reports whether c may have been refused by what is remembered of
// the time before the fault.
func (r *run) remembered(c record) bool {
	return c.hot && c.outcome == refused && r.options.deny > 0 && c.begin < r.began+r.options.deny
}

// bounds checks how many calls passed.
func (r *run) bounds() {
	var hot, local, wide int64
	for _, c := range r.records {
		switch {
		case c.outcome == passed && c.hot:
			hot++
		case c.outcome == passed:
			wide++
		case c.outcome == passedDegraded && c.hot:
			local++
		}
	}
	most := int64(hotLimit)
	if r.fault.forgets {
		most *= 2
	}
	if hot > most {
		r.t.Errorf("the store let %d calls of the hot key pass, want %d at most", hot, most)
	}
	if share := int64(hotLimit * localShare); r.policy.local() && local > share {
		r.t.Errorf("%d calls of the hot key passed in this process, want %d at most", local, share)
	}
	r.charges(wide)
}

// charges checks that no call was charged twice: beside those that passed only
// calls whose answer was lost can have been charged.
func (r *run) charges(passed int64) {
	var d ratelimit.Decision
	await(r.t, "the number of calls charged", func() bool {
		var err error
		d, err = r.limiter.Peek(context.Background(), r.crowd.wide[:1]...)
		return err == nil && !d.Degraded
	})
	charged, lost := wideLimit-d.Remaining, r.asked.failed.Load()
	switch {
	case charged > passed+lost:
		r.t.Errorf("%d calls were charged, of %d that passed and %d that had no answer", charged, passed, lost)
	case charged < passed && !r.fault.forgets:
		r.t.Errorf("%d calls were charged, of %d that passed", charged, passed)
	}
}

func (r *run) times() {
	slowest := record{}
	for _, c := range r.records {
		if c.end > r.warm && c.end-c.begin > slowest.end-slowest.begin {
			slowest = c
		}
	}
	r.slowest = slowest.end - slowest.begin
	// A call has a few turns to wait for where a timer has one.
	if most := min(r.deadline, slack) + 3*r.latest + slack; r.slowest > most {
		r.t.Errorf("the call that was %v took from %v to %v, want %v at most; timers were %v late; the fault was from %v to %v",
			slowest.outcome, slowest.begin, slowest.end, most, r.latest, r.began, r.mended)
	}
	if at, err := r.asked.lastFailure(); at.After(r.crowd.start.Add(r.back + returns + r.latest)) {
		r.t.Errorf("a call failed that was asked %v after the store's return: %v", at.Sub(r.crowd.start)-r.back, err)
	}
	if r.recovered > recovery && r.latest < busy {
		r.t.Errorf("calls were decided again %v after the store's return, want %v at most", r.recovered, recovery)
	}
	if open := time.Duration(r.asked.opened.Load()); open > time.Second+r.latest {
		r.t.Errorf("the circuit was open for %v without a question; timers were %v late", open, r.latest)
	}
}

// leftovers checks that goroutines and connections are as they were.
func (r *run) leftovers() {
	await(r.t, "the goroutines that were there before", func() bool { return runtime.NumGoroutine() <= r.goroutines })
	// The client has a pool for commands and one for pipelines.
	most := 1 + r.client.Options().PoolSize + r.client.Options().PipelinePoolSize
	now, ever := r.connections()
	for end := time.Now().Add(10 * time.Second); now > most && time.Now().Before(end); now, ever = r.connections() {
		time.Sleep(10 * time.Millisecond)
	}
	if now > most {
		r.t.Errorf("there are %d connections, want %d at most", now, most)
	}
	if r.proxy != nil {
		ever = int(r.proxy.accepted.Load())
	}
	most = dials
	if r.fault.reads {
		most += dials // refusals close the circuit once
	}
	if r.dials = ever; ever > most {
		r.t.Errorf("there were %d connections in all, want %d at most", ever, most)
	}
}

// logged checks that the log says what it must and not much more.
func (r *run) logged() {
	seconds := int(r.crowd.now()/time.Second) + 1
	// Refusals of a rule and failures of it one a second each, and the circuit.
	r.lines = r.log.total
	if most := 5*seconds + 10; r.log.total > most {
		r.t.Errorf("%d lines in %d seconds, want %d at most: %v", r.log.total, seconds, most, r.log.count)
	}
	if setup := r.log.of(misconfigured) > 0; setup != r.fault.setup {
		r.t.Errorf("the log tells of a misconfiguration: %v, want %v", setup, r.fault.setup)
	}
	open, shut := r.log.of(opened), r.log.of(closed)
	switch {
	case r.fault.harmless || r.fault.oneKey:
		if open != 0 {
			r.t.Errorf("the circuit was open: %v", r.log.count)
		}
	case open == 0 && r.fault.reads: // half of the calls are answered, each time
	case open == 0 || shut == 0:
		r.t.Errorf("the log does not tell of the circuit: %v", r.log.count)
	}
}

const (
	opened = "rate limit circuit open, the store is not asked"
	closed = "rate limit circuit closed, the store answers again"
)
