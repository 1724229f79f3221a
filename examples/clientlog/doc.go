// Package clientlog shows how what go-redis says by itself gets into the
// program's log.
package clientlog
