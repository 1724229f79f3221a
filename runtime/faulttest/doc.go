// Package faulttest holds the tests of a whole limiter, the one of package
// ratelimit with a store of package redisstore, against servers that fail: every
// kind of failure under every policy, answers that are lost, data that is lost,
// users with too few rights, certificates that nobody trusts, and attacks.
//
// The servers are real. What a server cannot be brought to say, a proxy says in
// its place.
//
// The whole matrix takes twenty minutes and runs with RATELIMIT_TEST_FULL=1; it
// logs the tables that docs/operations.md has. Otherwise every kind of failure is run once, with a
// policy and options that are chosen by RATELIMIT_TEST_SEED, a number; the test
// prints which share that is.
package faulttest
