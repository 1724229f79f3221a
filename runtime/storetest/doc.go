// Package storetest defines what every store decides, and tests that a store
// does.
//
// The definition is [Oracle]: a store that is slow, keeps every accepted call
// and follows the words below literally. [Suite] runs named cases at exact
// boundaries and seeded random traces against a store, and compares every
// field of every decision with the oracle's.
//
// # Buckets
//
// A bucket is what a rule's name, algorithm, window, calendar word and zone, a
// tag, a key and the mark of broken keys make together: if one of them
// differs, it is another bucket. Limit and burst do not belong to it: a changed
// one applies at once to what the bucket has counted.
//
// # Time
//
// All times are whole microseconds. t is the store's clock when it decides,
// Batch.Time. W is the rule's window.
//
// A clock that steps back frees nothing: an algorithm sees n, the later of t
// and the newest time in the bucket's state. But a state whose newest time is
// ahead of t by more than W is repaired first, so that its newest time is t:
// each algorithm says how. A repair stays, even where the call is then refused;
// it is the only thing that a refusal writes.
//
// # Decisions
//
// Each algorithm says how many calls a bucket holds at n, used(n), a whole
// number. From that and from its capacity, which is the most that one instant
// can admit, all else follows:
//
//   - An item is allowed when used(n) + cost <= capacity.
//   - A batch is allowed when all its items are. Then all are charged, else
//     none.
//   - Remaining is capacity - used(n) after the decision, at least 0.
//   - RetryAfter of an item that is not allowed is the least time after which
//     it would be, if nobody else draws from the bucket; [ratelimit.Never]
//     where cost > capacity. It is 0 of an item that is allowed, although its
//     batch may not be.
//   - ResetAfter is the least time after which used is 0, seen after the
//     decision. The state is worthless from then on: a store may forget it, and
//     decides the same if it has not.
//   - Delay is 0 but for a leaky bucket.
//
// RetryAfter, ResetAfter and Delay count from t, not from n.
//
// The capacity is the limit but for a token bucket, where it is the burst, and
// a leaky bucket, where it is 1 + the burst; see [rules.Spec.Capacity].
//
// # Fixed window
//
// The state is the time start of the call that opened the window, and count.
//
//	used(n) = count while n < start+W, else 0
//
// A charge where used(n) is 0 opens a window: start = n, count = cost. Else
// it adds cost to count. A repair makes start t.
//
// # Calendar window
//
// A fixed window with a calendar word. The windows are those of
// [rules.Calendar]: they follow each other without gaps and have no common
// length. The state is the time start at which a window begins, and count.
//
//	used(n) = count while n is in the window that begins at start, else 0
//
// A charge where used(n) is 0 makes start the beginning of the window that n is
// in, and count = cost. Else it adds cost to count.
//
// With the clock behind, n is start. A state is repaired when start is not
// before the end of the window that follows the one that t is in: then start
// becomes the beginning of the window that t is in.
//
// So a store needs the window that t is in and the one after it. Of a start
// that is the beginning of neither, for whatever reason, it says: one before
// the window that t is in is past; one inside that window, or inside the next,
// stands for that window's beginning.
//
// # Sliding window
//
// The state is the list of the times of all accepted calls; a call of cost k
// is in it k times.
//
//	used(n) = how many times e in the list have e > n-W
//
// A charge forgets the times that used(n) does not count, and adds the time n,
// cost times. A repair makes all times t that are ahead of it, and those are
// all, since a charge had forgotten the others.
//
// One call costs at most [rules.MaxCharge] here, since each unit is an entry:
// above it, RetryAfter is Never.
//
// # Sliding window counter
//
// Time is cut into windows: window number i is W*i <= n < W*(i+1). The state
// is the beginning s of the window of the last charge, the count of that
// window, and the count of the one before it.
//
// At n, of which the window begins at b, current and previous are
//
//	count, before   where b = s
//	0, count        where b = s+W
//	0, 0            later
//
//	used(n) = current + previous * (b+W-n) / W, rounded up
//
// A charge makes s = b, count = current + cost and before = previous. The
// newest time in the state is s. A repair makes s the beginning of the window
// that t is in and leaves the counts.
//
// Calls of the previous window are taken as spread evenly over it. Where they
// were not, used(n) differs from the true number of calls in the last W by less
// than previous. Never more than 2*limit - 1 calls pass in W.
//
// # Token bucket and leaky bucket
//
// The state is a level, its time last, and rate, the limit of the last charge.
// The level is counted in units of 1/W call, so that a limit drains limit units
// in a microsecond. A token bucket holds burst - level tokens: what it refills
// is what drains here. A leaky bucket's level is the calls that queue.
//
//	level(n) = level - (n-last) * max(limit, rate), at least 0
//	used(n) = level(n) / W, rounded up
//
// A charge makes level = level(n) + cost*W, last = n, rate = limit. A repair
// makes last t.
//
// limit is that of the call that asks, so a raised limit applies from last on.
// A lowered one applies from the next charge on: what was taken drains as fast
// as ResetAfter has said.
//
// A leaky bucket also says when it is the call's turn: when the level that it
// found, at its own limit, has drained,
//
//	Delay = n-t + level(n)/limit, rounded up; 0 where level(n) is 0
//
// with the level before the charge. The cost does not matter: a call of cost k
// goes at its turn and keeps the next one waiting k times as long. With
// MaxDelay an item is allowed only if Delay would be at most that, and
// RetryAfter is the least time after which it would be. Remaining does not look
// at MaxDelay. Of an item that is not charged Delay is 0.
//
// In an interval of length d a token or leaky bucket lets at most
// capacity + limit*d/W calls pass. Of the turns of a leaky bucket at most
// 1 + limit*d/W, rounded up, are in it.
//
// # Operations
//
// An item in shadow has no say in whether a batch is allowed. When the batch
// is, and all others have been charged, each item in shadow is decided and, if
// it is allowed, charged, one after the other.
//
// A partial acquire makes the cost of all items the highest up to the one asked
// that each item not in shadow has, Batch.Granted; where one has nothing, the
// answer is that to a cost of 1.
//
// A peek finds what an acquire would find, and charges nothing. A reset makes
// the buckets such as were never used.
//
// A refund takes up to its cost out of the state again, at least to 0, and
// finds something to take it from, or not, which is the item's Allowed:
//
//   - Fixed and calendar window: used(n) > 0 and start is what it was at the
//     charge.
//   - Sliding window: the list has times of the charge, and they count at n.
//   - Counter: the window of the charge is that of count or before and counts
//     at n, and the count is not 0.
//   - Token bucket: level(n) > 0. Then last = n; rate stays.
//   - Leaky bucket: so too, and the time at which the level is 0 at the rate of
//     the last charge, last + level/rate rounded up, is what it was after the
//     charge: the call had the last turn.
//
// A state that a refund has made empty is such as was never used.
package storetest
