package redisstore

import ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"

// A reply to several calls that are alike says the time, how many they are, how
// many have passed, what is left, when to retry and when the bucket is as new for
// the others, and then for those that have passed, for each or for all, when it is
// as new and the delay.
const (
	alone = -1 // the turn of a call that is alone in its reply

	repeats = 6 // doubles before those of the calls that have passed
	answers = 2 // doubles of each of these
)

// times is how many calls a reply is for that says so.
func (r reply) times() int {
	if r.len() < repeats {
		return 0
	}
	return int(r.at(1))
}

// share writes what r says of the call whose turn it is into b.
func (r reply) share(b *ratelimit.Batch, turn int) error {
	if r.len() < repeats || turn >= r.times() {
		return errReply
	}
	it, passed, answered := &b.Items[0], int(r.at(2)), (r.len()-repeats)/answers
	if passed > 0 && answered != passed && answered != 1 {
		return errReply
	}
	found := ratelimit.Result{Remaining: r.at(3), RetryAfter: max(r.duration(4), ratelimit.Never), ResetAfter: r.duration(5)}
	if turn < passed {
		at := repeats + answers*min(turn, answered-1)
		left := it.Cost * int64(passed-turn-1)
		found = ratelimit.Result{
			Allowed: true, Remaining: found.Remaining + left, ResetAfter: r.duration(at), Delay: r.duration(at + 1),
			Receipt: receipt(it.Rule, b.Time+r.at(at)),
		}
	}
	b.Allowed = found.Allowed || it.Shadow
	it.Result = found
	return nil
}
