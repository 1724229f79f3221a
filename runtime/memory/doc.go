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
// A bucket takes 120 bytes and its key, on 64-bit machines; keys and tags of more
// than 200 bytes are kept as digests. An exact sliding window takes 8 bytes, at
// times up to 16, for each call that it counts.
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
// Buckets are spread over up to 256 locks by a hash of their keys. A call for
// several buckets takes theirs in order, and decides under all of them. A
// decision about buckets that exist allocates nothing, but for an exact sliding
// window that grows.
package memory
