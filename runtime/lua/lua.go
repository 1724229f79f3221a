// Package lua holds the scripts that decide inside Redis, one algorithm a
// file, and composes from these files the scripts that a store sends.
//
// The file of an algorithm has sections. args names what it asks for beside
// the cost, with the format of struct.unpack; shared holds functions; check
// finds out whether a bucket has the quota, and writes nothing but a repair of
// times far ahead of the clock; after says what a charge makes of the answer,
// each if that depends on what was charged; charge deducts from a bucket that
// check has seen and found to have it; refund gives back. The last three may use
// the variables that check lists. The files in frame/ put the sections together: a
// call with few buckets runs a script of their algorithms straight through, as do
// calls that are alike and come together; any other runs one of all its algorithms,
// which checks all buckets, then charges all. They say which variables the sections
// find.
//
// The scripts keep to what hosted proxies and Redis Cluster ask for: every key
// is an element of KEYS and stands so in the call that uses it. They use
// commands and options that Redis 6.2 has.
//
// Numbers come and go as packed doubles, which hold integers to 2^53 and cost
// the server half of what decimal ones do.
package lua

import (
	"crypto/sha1"
	"embed"
	"encoding/hex"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/ratelimitgen/ratelimitgen/internal/rules"
)

//go:embed *.lua frame/*.lua
var files embed.FS

// Kind is what decides about a bucket: an algorithm, or the calendar.
type Kind uint8

// Calendar is the kind of fixed windows that follow the calendar.
const Calendar Kind = 5

const kinds = Calendar + 1

// KindOf returns the kind of a rule's buckets.
func KindOf(s rules.Spec) Kind {
	if s.Calendar != rules.NoCalendar {
		return Calendar
	}
	return Kind(s.Algorithm)
}

// Mark returns the letter of k in keys and in arguments.
func (k Kind) Mark() byte {
	if k == Calendar {
		return rules.CalendarMark
	}
	return rules.Algorithm(k).Info().Mark
}

func (k Kind) file() string {
	if k == Calendar {
		return "calendar"
	}
	return rules.Algorithm(k).Info().Item
}

// Kinds is a set of them.
type Kinds uint8

// With returns the set with k in it.
func (s Kinds) With(k Kind) Kinds { return s | 1<<k }

// Script is a script's text and what EVALSHA calls it.
type Script struct {
	Text string
	SHA  string
}

// Set is the scripts of a store.
type Set struct {
	frame  func(body string) string
	single [kinds]Script
	ready  Script
	reset  Script

	straights, repeats  straights
	composites, refunds [1 << kinds]atomic.Pointer[Script]

	making sync.Mutex // of one of these
}

var (
	// Server returns the scripts that decide by the server's clock.
	Server = sync.OnceValue(func() *Set { return newSet("server", strings.NewReplacer()) })

	// Given returns the scripts that decide by the time in their last argument.
	Given = sync.OnceValue(func() *Set { return newSet("given", absolute) })
)

// absolute are the commands and options that set an expiry by a time in place
// of those that set it by a duration.
var absolute = strings.NewReplacer("'PX'", "'PXAT'", "'PEXPIRE'", "'PEXPIREAT'")

func newSet(clock string, expiry *strings.Replacer) *Set {
	s := &Set{frame: func(body string) string { return expiry.Replace(file("frame/"+clock) + body) }}
	for k := range kinds {
		s.single[k] = newScript(s.frame(single(k)))
	}
	s.ready = newScript(s.frame(file("frame/ready")))
	s.reset = newScript(s.frame(file("frame/reset")))
	return s
}

// Single returns the script for one bucket.
func (s *Set) Single(k Kind) *Script { return &s.single[k] }

// Ready returns a script that writes nothing, but fails where others would.
func (s *Set) Ready() *Script { return &s.ready }

// Reset returns the script that forgets buckets.
func (s *Set) Reset() *Script { return &s.reset }

// Composite returns the script for buckets of the given kinds.
func (s *Set) Composite(of Kinds) *Script {
	return s.once(&s.composites[of], func() string { return composite(of, "composite", "check", "charge") })
}

// Refunds returns the script that gives back to buckets of the given kinds.
func (s *Set) Refunds(of Kinds) *Script {
	return s.once(&s.refunds[of], func() string { return composite(of, "refunds", "check", "refund") })
}

func (s *Set) once(made *atomic.Pointer[Script], body func() string) *Script {
	if script := made.Load(); script != nil {
		return script
	}
	s.making.Lock()
	defer s.making.Unlock()
	if made.Load() == nil {
		script := newScript(s.frame(body()))
		made.Store(&script)
	}
	return made.Load()
}

func file(name string) string {
	text, err := files.ReadFile(name + ".lua")
	if err != nil {
		panic(err)
	}
	return string(text)
}

func newScript(text string) Script {
	text = bare(text)
	sum := sha1.Sum([]byte(text))
	return Script{Text: text, SHA: hex.EncodeToString(sum[:])}
}

// bare returns text without comments.
func bare(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		if code := strings.TrimSpace(line); code != "" && !strings.HasPrefix(code, "--") {
			out.WriteString(line)
		}
	}
	return out.String()
}
