//go:build !race

package redisstore

const raced = false
