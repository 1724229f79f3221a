//go:build race

package redisstore

// raced says that the race detector runs, with which pools drop what they hold.
const raced = true
