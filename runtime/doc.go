// Package ratelimit decides whether a call may pass. It is what the code that
// ratelimitgen generates calls, and it can be called by hand just as well:
//
//	var logins = ratelimit.Rule{
//		Name: "auth.logins", Algorithm: ratelimit.SlidingWindow, Limit: 5, Window: time.Minute,
//	}
//
//	limiter := ratelimit.New(redisstore.New(rdb, redisstore.WithPrefix("shop:")))
//	if _, err := limiter.Admit(ctx, logins.For(user)); err != nil {
//		return err // *ratelimit.LimitError
//	}
//
// One thing flows through the package, one way. A [Rule] and a key make a
// [Request]; the requests of a call become a [Batch] of distinct buckets; a
// [Store] checks all of them and then deducts from all of them, in one atomic
// step and, over a network, in one round trip; what it found becomes a
// [Decision].
//
// # Which method
//
// [Limiter.Admit] is for code that goes on or returns: nil means go, anything
// else is a [*LimitError]. [Limiter.Acquire] is the bare decision: a refusal
// is a decision and no error.
//
// # When no decision can be had
//
// A store has the limiter's timeout to answer ([WithTimeout], 50ms unless said
// otherwise), whatever the deadlines of its client are. If it fails or is too
// slow, the rule's [Rule.Fail] decides, else the limiter's [WithFailure]:
// [FailOpen] lets the call through with a decision that says Degraded,
// [FailClosed] refuses it with [ErrUnavailable], [FailLocal] limits it inside
// this process to its share ([WithLocalShare]). Of several rules, closed goes
// before local before open. [WithEscalation] replaces the policy of an outage
// that lasts. A store that is asked over a network stands behind a circuit
// breaker, so that during an outage calls need not wait for the timeout.
//
// Some calls are never let through by FailOpen, since each would be a way around the
// limit: those whose context has ended or whose rule is wrong ([ErrRule]), and those
// that could never pass, with a limit of zero or a cost above the limit.
//
// # Broken keys
//
// A key that could not be built ([Rule.Try] with an error, a negative cost)
// draws from one bucket that all broken keys of the rule share, or is refused
// with [ErrKey] where the rule fails closed.
//
// # The log
//
// Refusals, broken keys and failures of the store are logged to
// [log/slog.Default] unless [WithLogger] says otherwise: of each rule and kind
// one record a second at most, which counts those that were left out. Wrong
// rules share one such record. Behind an open circuit calls are counted and not
// logged: the records of the circuit say how many there were.
//
// An [Observer] is told of all of it, for metrics and traces.
package ratelimit
