// Package memory is a store in the memory of this process. It makes the same
// decisions as every other store, but shares its buckets with nobody and loses
// them when the process ends.
//
//	limiter := ratelimit.New(memory.New())
//
// # Bounds
//
// A store holds at most [WithCapacity] buckets. When it is full, a new bucket
// takes the place of one whose state is worthless or, failing that, of one that
// has not been asked for in a while: the second-chance approximation of "least
// recently used", in which buckets that were asked for only once go first. The
// bucket that goes is as if never used when it is asked for again, so the
// capacity should be above the number of keys that are active within their
// windows.
//
// A bucket takes about 115 bytes, on 64-bit machines, with a key and a tag of up to 26
// bytes together; longer ones take 24 bytes and their length in addition, and are
// kept as digests above 200 bytes each. An exact sliding window takes 48 bytes
// more, and 8 bytes, at times up to 16, for each call that it counts.
//
// Buckets whose state is worthless go by themselves, within about a minute,
// a few at a time. What does it is a timer that runs only while there are
// buckets, and not after Close.
//
// # Clock
//
// The clock is the wall clock when the store is made, carried on by the
// monotonic one: it never steps back. When the wall clock is found more than a
// second ahead, as after a suspended machine wakes up, it follows.
//
// # Concurrency
//
// A call for one bucket finds it without a lock and decides under the bucket's
// own. Buckets come and go under up to 128 locks, over which they are spread by a
// hash of their keys. A call for several buckets takes theirs in order, and those
// of the buckets, and decides under all of them. A decision about buckets that
// exist allocates nothing, but for an exact sliding window that grows.
package memory
