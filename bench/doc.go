// Package bench measures the limiter side by side with what one would write
// without it. It is a module of its own, so that no peer enters the limiter's.
//
// The yardsticks in yardsticks/ are the usual scripts: they take the caller's
// time, answer with the time to wait, and are written to be fast.
package bench
