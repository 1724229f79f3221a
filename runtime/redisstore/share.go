package redisstore

import (
	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/ratelimitgen/ratelimitgen/runtime/lua"
)

// A reply to several calls that are alike says the time, how many they are and how
// many have passed; of each bucket what is left, when to retry and when it is as new
// for the others; and then of each bucket, for each of those that have passed or for
// all, when it is as new and the delay.
const (
	alone = -1 // the turn of a call that is alone in its reply

	shareHead = 3 // doubles before those of the buckets
	shareOf   = 3 // doubles of each bucket
	answers   = 2 // doubles of each call that has passed, or of all
)

// times is how many calls a reply is for that says so, and 0 where it says what
// cannot be.
func (r reply) times() int {
	if r.len() < shareHead+shareOf || r.at(1) > mostAlike || r.at(2) < 0 || r.at(2) > r.at(1) {
		return 0
	}
	return int(r.at(1))
}

// share writes what r says of the call whose turn it is into b, whose items it has
// in that order.
func (r reply) share(b *ratelimit.Batch, order []int, turn int) error {
	if turn >= r.times() || r.len() != r.shares(b, order) {
		return errReply
	}
	passed, at := int(r.at(2)), shareHead+shareOf*len(order)
	b.Allowed = turn < passed
	for n, i := range order {
		it := &b.Items[i]
		if r.rest(it, shareHead+shareOf*n); b.Allowed {
			r.answer(b, it, at, passed, turn)
			at += answers * answersOf(it, passed)
		}
		b.Allowed = b.Allowed || it.Shadow
	}
	return nil
}

// shares is how long r has to be.
func (r reply) shares(b *ratelimit.Batch, order []int) int {
	n, passed := shareHead+shareOf*len(order), int(r.at(2))
	for _, i := range order {
		n += answers * answersOf(&b.Items[i], passed)
	}
	return n
}

// answersOf is how many answers there are of the bucket of it.
func answersOf(it *ratelimit.Item, passed int) int {
	if passed > 0 && !lua.Each(lua.KindOf(spec(it.Rule))) {
		return 1
	}
	return passed
}

// rest writes what those find who have not passed.
func (r reply) rest(it *ratelimit.Item, at int) {
	it.Result = ratelimit.Result{
		Allowed: r.at(at+1) == 0, Remaining: r.at(at),
		RetryAfter: max(r.duration(at+1), ratelimit.Never), ResetAfter: r.duration(at + 2),
	}
}

// answer writes what one finds that has passed, in place of the rest.
func (r reply) answer(b *ratelimit.Batch, it *ratelimit.Item, at, passed, turn int) {
	at += answers * min(turn, answersOf(it, passed)-1)
	it.Result = ratelimit.Result{
		Allowed: true, Remaining: it.Remaining + it.Cost*int64(passed-turn-1),
		ResetAfter: r.duration(at), Delay: r.duration(at + 1),
		Receipt: receipt(it.Rule, b.Time+r.at(at)),
	}
}
