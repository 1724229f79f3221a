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
// A bucket is what a rule's name, algorithm and window, a tag, a key and the
// mark of broken keys make together: if one of them differs, it is another
// bucket. A limit does not belong to it: a changed limit applies at once to
// what the bucket has counted.
//
// # Time
//
// All times are whole microseconds. t is the store's clock when it decides,
// Batch.Time. W is the rule's window.
//
// A clock that steps back frees nothing: an algorithm sees n, the later of t
// and the newest time in the bucket's state. But a state whose newest time is
// ahead of t by more than W is repaired first: every time in it that is ahead
// of t becomes t. A repair stays, even where the call is then refused; it is
// the only thing that a refusal writes.
//
// # Decisions
//
// Each algorithm says how many calls a bucket holds at n: used(n). From that
// and from its capacity, which is the limit, all else follows:
//
//   - An item is allowed when used(n) + cost <= capacity, in whole numbers.
//   - A batch is allowed when all its items are. Then all are charged, else
//     none.
//   - Remaining is capacity - used(n) after the decision, at least 0.
//   - RetryAfter of an item that is not allowed is the least time after which
//     it would be, if nobody else draws from the bucket; [ratelimit.Never]
//     where cost > capacity. It is 0 of an item that is allowed, although its
//     batch may not be.
//   - ResetAfter is the least time after which used is 0, seen after the
//     decision. The state is worthless from then on.
//
// RetryAfter and ResetAfter count from t, not from n.
//
// # Fixed window
//
// The state is the time start of the call that opened the window, and count.
//
//	used(n) = count while n < start+W, else 0
//
// A charge where used(n) is 0 opens a window: start = n, count = cost. Else
// it adds cost to count.
//
// # Sliding window
//
// The state is the list of the times of all accepted calls; a call of cost k
// is in it k times.
//
//	used(n) = how many times e in the list have e > n-W
//
// A charge forgets the times that used(n) does not count, and adds the time n,
// cost times. In particular a repair makes all remaining times t, since those
// that were not ahead of t had been forgotten.
package storetest
