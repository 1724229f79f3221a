// Command peers measures the limiter side by side with other limiters, and
// with scripts that one would call without any. It writes the tables of
// docs/performance.md and the one that README.md quotes, where that has a place
// for it, and draws docs/performance.svg. From the folder bench:
//
//	go run ./peers
//
// It runs a redis-server of its own on a free port of the loopback interface
// and takes eight minutes at most. -short takes one or so, prints the tables
// and leaves the page alone. -row looks at one row, with profiles if asked for.
//
// # Method
//
// Each row of a table makes its calls in short slices. A round is one slice of
// every row, one after the other in a random order, for one job and one number
// of callers: what else the machine does meets all of them. A ratio is one of
// two rows in one round; what stands in a table is the median of all rounds.
// All random numbers come from one seed.
//
// Before each slice the server is emptied, each row has its client warm and
// has made the call that fills a bucket which is to refuse. A slice in which
// a single call fails, or passes where it should not, or is refused where it
// should pass, has no figure.
//
// All clients of go-redis have the same options: those that the library
// chooses, and ContextTimeoutEnabled. rueidis has its own.
package main
