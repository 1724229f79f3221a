package redisstore

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"time"

	"github.com/ratelimitgen/ratelimitgen/internal/rules"
	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

const (
	maxKey = 200 // bytes after the prefix, where the name leaves that much
	maxTag = 64  // bytes of an escaped tag

	digested = '~'
	broken   = '!'
	given    = '@'
)

// appendKey appends the bucket of it, without the store's prefix.
func appendKey(b []byte, it *ratelimit.Item, injected bool) []byte {
	start := len(b)
	b = appendTag(b, it.Tag)
	b = append(b, it.Rule.Name...)
	b = append(b, ':')
	b = appendState(b, it.Rule, injected)
	b = append(b, ':')
	if it.Broken {
		return append(b, broken)
	}
	return appendPart(b, it.Key, maxKey-(len(b)-start))
}

func appendTag(b []byte, tag string) []byte {
	if tag == "" {
		return b
	}
	return append(appendPart(append(b, '{'), tag, maxTag), '}')
}

// appendState appends what distinguishes the states that a rule of one name
// can have: the algorithm and the window, and whose clock they go by.
func appendState(b []byte, r *ratelimit.Rule, injected bool) []byte {
	if injected {
		b = append(b, given)
	}
	if r.Calendar != 0 {
		b = append(append(b, rules.CalendarMark), r.Calendar.String()...)
		return append(append(b, '/'), spec(r).ZoneName()...)
	}
	b = append(b, rules.Algorithm(r.Algorithm).Info().Mark)
	return appendWindow(b, r.Window)
}

var units = []struct {
	size time.Duration
	name string
}{
	{24 * time.Hour, "d"}, {time.Hour, "h"}, {time.Minute, "m"},
	{time.Second, "s"}, {time.Millisecond, "ms"}, {time.Microsecond, "us"},
}

// appendWindow appends w in the largest unit of which it is a whole number.
func appendWindow(b []byte, w time.Duration) []byte {
	for _, unit := range units {
		if w%unit.size == 0 {
			return append(strconv.AppendInt(b, int64(w/unit.size), 10), unit.name...)
		}
	}
	return append(strconv.AppendInt(b, int64(w), 10), "ns"...)
}

// appendPart appends s escaped, or a digest of it where that is longer than
// most.
func appendPart(b []byte, s string, most int) []byte {
	start := len(b)
	if len(s) <= most {
		b = appendEscaped(b, s)
	}
	if len(s) > most || len(b)-start > most {
		b = appendDigest(b[:start], s)
	}
	return b
}

func appendDigest(b []byte, s string) []byte {
	sum := sha256.Sum256([]byte(s))
	return hex.AppendEncode(append(b, digested), sum[:16])
}

// appendEscaped appends s so that it holds no byte that means something in a
// key, and no two differing ones look the same.
func appendEscaped(b []byte, s string) []byte {
	const digits = "0123456789ABCDEF"
	for i := range len(s) {
		if c := s[i]; special(c) || i == 0 && (c == broken || c == digested) {
			b = append(b, '%', digits[c>>4], digits[c&15])
		} else {
			b = append(b, c)
		}
	}
	return b
}

func special(c byte) bool {
	return c < ' ' || c == 0x7f || c == '{' || c == '}' || c == '%'
}
