package redisstore

import (
	"errors"
	"net"
	"strings"

	"github.com/redis/go-redis/v9"
)

// unknownScript says that the server does not know the script by its digest.
func unknownScript(err error) bool { return err != nil && redis.HasErrorPrefix(err, "NOSCRIPT") }

// refusals are answers of a server that has not run the command.
var refusals = []string{
	"NOSCRIPT", "MOVED ", "ASK ", "TRYAGAIN", "CLUSTERDOWN", "LOADING", "MASTERDOWN",
}

// unrun reports whether err proves that the command has changed nothing: the
// server said so, or was never reached.
func unrun(err error) bool {
	if err == nil {
		return false
	}
	var answer redis.Error
	if errors.As(err, &answer) {
		return refused(answer)
	}
	if errors.Is(err, redis.ErrPoolExhausted) || errors.Is(err, redis.ErrPoolTimeout) {
		return true
	}
	var dial *net.OpError
	return errors.As(err, &dial) && dial.Op == "dial"
}

func refused(answer redis.Error) bool {
	for _, prefix := range refusals {
		if redis.HasErrorPrefix(answer, prefix) {
			return true
		}
	}
	return readOnly(answer)
}

// readOnly says that the server is a replica. Before Redis 7 the error of a
// command inside a script comes in another's clothes. A replica refuses the
// first one that writes.
func readOnly(err error) bool {
	var answer redis.Error
	return errors.As(err, &answer) &&
		(redis.HasErrorPrefix(answer, "READONLY") || strings.Contains(answer.Error(), "-READONLY "))
}
