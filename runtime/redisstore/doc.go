// Package redisstore keeps the buckets of rate limits in Redis 6.2 or later,
// standalone, behind Sentinel, in a Cluster or a Ring.
//
// A decision is one command of the client at most, whatever the number of rules: a
// script checks all buckets, then charges all or none, by Redis's own clock.
// It is called by its digest; a server that does not know it gets it once.
//
// # Batching
//
// Decisions that are asked at the same time share round trips. A decision that
// finds nothing in flight goes out at once; those that come while two
// batches are in flight to a node are the next one, of 64 at most, see
// [WithBatching]. Where a full batch waits, or those in flight take longer than
// 5ms, further ones go out beside them, as many as the client has connections.
// A batch is a pipeline, not a transaction: each
// decision has its own answer, error and deadline.
//
// Decisions of a batch that are alike, of the same buckets, costs and limits as those
// on a hot key are, are one command: a script reads each bucket once, lets as many
// pass as there is quota for everywhere, in the order in which they came, and writes
// each bucket once. What each is told is what it would have been told had they been
// asked one after the other at that moment. A command is for 1,000 calls of one bucket
// at most, or as many fewer as there are buckets, and charges 10,000. Not so are
// decided: calls of more than four rules, of several of which one is in shadow, and
// those of a leaky bucket that bound their delay.
//
// The calls of a batch that have a bucket in common are decided in the order in which
// they came, but for those whose script the server has to be sent first. Batches that
// are in flight beside each other have no order, as calls of several connections have
// none.
//
// Hooks of the client see the commands, on goroutines of the store: a panic of a hook
// ends the program, unless a caller has sent its command itself. What they are given
// must not be kept: the arguments are used again when the command is over.
//
// A caller that finds nothing in flight, and has between 20ms and 200ms, sends
// its command itself, if the client has
// [redis.Options.ContextTimeoutEnabled]: that saves two changes of goroutine, a
// quarter of the time of a decision when one asks at a time. It stays for the
// answer or its deadline, and if no answer comes, the client closes that one
// connection; until the next quick answer nobody does so again.
//
// # At most once
//
// The client is kept from sending a command again: one whose answer is lost
// may have run. Only what proves that it has not run (a failed dial, the
// answers NOSCRIPT, MOVED, ASK, TRYAGAIN, CLUSTERDOWN, LOADING, MASTERDOWN and
// READONLY) is asked again, within the deadline.
//
// # Deadlines
//
// Do returns on time whatever the timeouts of the client are. A command in
// flight is not cut off with it, since that would close its connection and
// make a slow server slower still: it goes on until the client's ReadTimeout,
// and its answer is dropped. A decision that is given up before there was a
// connection for it is not sent. As many batches are in flight to a node as the
// client has connections; without batching as many commands, up to eight times
// as many where there are several nodes. Calls beyond wait for a place until
// their own deadline.
//
// An answer that is late says why where that is known. As the client dials and
// greets a server in vain for longer than most deadlines, the store does so by
// itself, once a second while answers are late.
//
// # Keys
//
// A bucket is one key:
//
//	PREFIX [ "{" tag "}" ] name ":" state ":" key
//
// as in "ratelimit:sms.SMSService.SendVerifyCode:s1m:sms:uid:10086".
//
//   - PREFIX is [WithPrefix]'s.
//   - The tag is there if the rule or the request has one. Buckets of one tag
//     are on one node of a Cluster.
//   - The name is the rule's.
//   - The state is what the value means: the algorithm (f fixed window,
//     s sliding window, c sliding window counter, t token bucket, l leaky
//     bucket) and the window's length in the largest of the units d, h, m, s,
//     ms and us of which it is a whole number: s1m, f500ms, t7d. Of a calendar
//     window it is w, the calendar's word and the zone: wday/Europe/Berlin. It
//     begins with @ under [WithClock]. A rule whose algorithm, window or zone
//     changes starts with new buckets; one whose limit or burst changes keeps
//     them.
//   - The key is the request's. Control characters, braces and percent signs,
//     and a ! or ~ at its start, are written as % and two hexadecimal digits.
//     What would make all after PREFIX longer than 200 bytes is replaced by ~
//     and 128 bits of its SHA-256 in hexadecimal. The bucket that the broken
//     keys of a rule share is the bare key !.
//
// A tag is escaped as a key is, and digested beyond 64 bytes. No two buckets
// have one key, and only a tag decides about a key's node.
package redisstore
