package redisstore

import (
	"crypto/tls"
	"errors"
	"net"
	"strings"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/redis/go-redis/v9"
)

var (
	_ ratelimit.Remote     = (*Store)(nil)
	_ ratelimit.Classifier = (*Store)(nil)
)

// Remote implements [ratelimit.Remote]. A store under [WithClock] is none: its
// time is not that of the caches and circuits in front of a remote one.
func (s *Store) Remote() bool { return s.clock == nil }

// Classify implements [ratelimit.Classifier].
func (s *Store) Classify(err error) ratelimit.Fault {
	var answer redis.Error
	if !errors.As(err, &answer) {
		return unanswered(err)
	}
	text := answer.Error()
	for _, kind := range kinds {
		for _, sign := range kind.signs {
			if kind.in(text, sign) {
				return kind.fault
			}
		}
	}
	return ratelimit.StoreFault
}

// unanswered tells apart what is no answer of a server.
func unanswered(err error) ratelimit.Fault {
	var late *lateError
	var network net.Error
	switch {
	case untrusted(err):
		return ratelimit.SetupFault
	case errors.As(err, &late) && (late.cause == nil || late.cause == errBusy), errors.Is(err, redis.ErrPoolTimeout),
		!unrun(err) && errors.As(err, &network) && network.Timeout():
		return ratelimit.LateFault
	}
	return ratelimit.StoreFault
}

// untrusted reports whether err says that there is no TLS between the client and
// the server because one of them does not accept the other, or does not speak it.
func untrusted(err error) bool {
	var certificate *tls.CertificateVerificationError
	var header tls.RecordHeaderError
	var alert *net.OpError // of the record layer
	return errors.As(err, &certificate) || errors.As(err, &header) ||
		errors.As(err, &alert) && (alert.Op == "remote error" || alert.Op == "local error")
}

// kinds tells answers apart; the first one that fits counts. Before Redis 7, and
// in some cases after, the error of a command inside a script comes as the
// script's own, after a text of its own and without its code in the first place.
var kinds = []struct {
	in    func(text, sign string) bool
	signs []string
	fault ratelimit.Fault
}{
	{strings.HasPrefix, []string{"NOAUTH", "WRONGPASS", "NOPERM"}, ratelimit.SetupFault},
	{strings.Contains, []string{"The user executing the script", "-NOPERM", "Unknown Redis command"}, ratelimit.SetupFault},
	{strings.HasPrefix, []string{"WRONGTYPE"}, ratelimit.BucketFault},
	{strings.Contains, []string{"-OOM ", "-READONLY ", "-NOREPLICAS ", "-MISCONF ", "-MASTERDOWN "}, ratelimit.StoreFault},
	{scriptFailed, []string{"user_script:"}, ratelimit.BucketFault},
}

// scriptFailed reports whether a script could not read what it found in a key.
func scriptFailed(text, sign string) bool {
	return strings.HasPrefix(text, "ERR ") && strings.Contains(text, sign)
}
