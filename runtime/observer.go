package ratelimit

import (
	"context"
	"time"
)

// Observer is told what a Limiter does: it is what metrics and traces are made
// of. Its methods are called by the goroutines of the calls themselves, many
// at a time, and without any lock of the Limiter's: what they take, the call
// takes longer.
//
// Embed [NoObserver] to implement some of the methods, and to stay an Observer
// when there are more.
type Observer interface {
	// ObserveDecision is told of every call of Admit, Acquire, AcquireAtMost
	// and Peek at its end.
	ObserveDecision(ctx context.Context, e DecisionEvent)

	// ObserveStore is told whenever the store has been asked, by whatever.
	ObserveStore(ctx context.Context, e StoreEvent)

	// ObserveRefund is told of everything that was to be given back.
	ObserveRefund(ctx context.Context, e RefundEvent)

	// ObserveCircuit is told of each change of the circuit once, in order.
	ObserveCircuit(e CircuitEvent)
}

// NoObserver is an [Observer] that takes no notice.
type NoObserver struct{}

func (NoObserver) ObserveDecision(context.Context, DecisionEvent) {}
func (NoObserver) ObserveStore(context.Context, StoreEvent)       {}
func (NoObserver) ObserveRefund(context.Context, RefundEvent)     {}
func (NoObserver) ObserveCircuit(CircuitEvent)                    {}

// Decider is who made a decision.
type Decider uint8

const (
	// ByNobody: there was no need to ask, or no use in it: the call asked for
	// nothing, had a limit of 0, a bad rule, a broken key, an ended context, or
	// the Limiter was closed.
	ByNobody Decider = iota

	ByStore     // the store
	ByDenyCache // a refusal of the store that is remembered, see [WithDenyCache]
	ByLocal     // the buckets in this process, since the store did not answer
	ByPolicy    // FailOpen or FailClosed, since the store did not answer
)

// String returns "nobody", "store", "deny cache", "local" or "policy".
func (d Decider) String() string {
	switch d {
	case ByNobody:
		return "nobody"
	case ByStore:
		return "store"
	case ByDenyCache:
		return "deny cache"
	case ByLocal:
		return "local"
	case ByPolicy:
		return "policy"
	}
	return "unknown decider"
}

// DecisionEvent is a call and its decision.
type DecisionEvent struct {
	Op       Op // OpAcquire or OpPeek
	Decision Decision
	Decider  Decider

	// Err is nil or a [*LimitError] that is not ErrLimited, but for a context
	// that has ended: why there is no decision.
	Err error

	// Took is how long it took in all, of which Waited was the wait for quota
	// or for the call's turn.
	Took, Waited time.Duration

	// Items are all buckets that the call drew from, with what was found in
	// each: those in Shadow, too, whose Allowed says what they would have
	// done. It is empty unless the store decided, and must not be kept nor
	// changed.
	Items []Item
}

// StoreEvent is one question to the store.
type StoreEvent struct {
	Op   Op
	Took time.Duration

	// Err is why there was no answer, or nil; Fault what the store says of it.
	// An error that is the end of the caller's context is none of the store's.
	Err   error
	Fault Fault
}

// RefundEvent is quota that was to be given back.
type RefundEvent struct {
	Items []Item // with Cost what each was to get back; not to be kept
	Err   error  // why it is not known whether it arrived, or nil
}

// CircuitEvent is a change of the circuit between the Limiter and a [Remote]
// store.
type CircuitEvent struct {
	From, To CircuitState
	Time     time.Time
	Lasted   time.Duration // how long the circuit was in From
	Down     time.Duration // how long the store has given no answer
	Cause    error         // of the last failure

	// Undecided counts the calls of the outage so far.
	Undecided
}

func (l *Limiter) watched() bool { return len(l.observers) > 0 }

// clock is the time if there is somebody to tell how long something took.
func (l *Limiter) clock() (t time.Time) {
	if l.watched() {
		t = time.Now()
	}
	return t
}

func (l *Limiter) observeDecision(ctx context.Context, b *Batch, began time.Time, d *Decision, err *LimitError) {
	if !l.watched() {
		return
	}
	e := DecisionEvent{Op: b.Op, Decision: *d, Decider: b.decider, Took: time.Since(began), Waited: b.waited}
	if err != nil {
		e.Err = err
	}
	if b.decider == ByStore {
		e.Items = b.Items
	}
	for _, o := range l.observers {
		o.ObserveDecision(ctx, e)
	}
}

func (l *Limiter) observeStore(ctx context.Context, op Op, took time.Duration, err error) {
	e := StoreEvent{Op: op, Took: took, Err: err}
	if err != nil && l.judge(ctx, err) != noVerdict {
		e.Fault = l.fault(err)
	}
	for _, o := range l.observers {
		o.ObserveStore(ctx, e)
	}
}

func (l *Limiter) observeRefund(ctx context.Context, items []Item, err error) {
	for _, o := range l.observers {
		o.ObserveRefund(ctx, RefundEvent{Items: items, Err: err})
	}
}

// circuitChanged is called for one change at a time.
func (l *Limiter) circuitChanged(e CircuitEvent) {
	if e.To == CircuitOpen {
		l.lines.release(l.circuit.refusal.Load())
	}
	l.log.circuit(e)
	for _, o := range l.observers {
		o.ObserveCircuit(e)
	}
}
