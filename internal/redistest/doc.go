// Package redistest runs real redis-server processes for tests, each on a free
// port of the loopback interface and in a folder of its own: single ones, a
// Cluster whose slots can be moved, a master with a replica under Sentinels. It
// needs Redis 7 or later.
//
// A test that needs a server and finds no redis-server installed fails; it is
// never skipped. A server ends with its test, and also when the test binary
// panics, runs into its timeout or is killed: a small shell process waits for
// the end of the test process and then kills the one server that it started.
package redistest
