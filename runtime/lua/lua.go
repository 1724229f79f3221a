// Package lua holds the scripts that decide inside Redis, one algorithm a
// file, and composes from these files the scripts that a store sends.
//
// A file of an algorithm defines two functions. check says whether a bucket
// has the quota, and writes nothing but a repair of times far ahead of the
// clock; charge deducts from a bucket that check has seen. A call with one
// bucket runs a script of that one algorithm, a call with several buckets one
// of all algorithms that checks all, then charges all.
//
// The scripts keep to what hosted proxies and Redis Cluster ask for: every key
// is an element of KEYS and stands so in the call that uses it. They use
// commands and options that Redis 6.2 has.
package lua

import (
	"crypto/sha1"
	"embed"
	"encoding/hex"
	"fmt"
	"strings"
	"sync"

	"github.com/ratelimitgen/ratelimitgen/internal/rules"
)

//go:embed *.lua
var files embed.FS

var names = map[rules.Algorithm]string{
	rules.FixedWindow:   "fixed",
	rules.SlidingWindow: "sliding",
}

// Script is a script's text and what EVALSHA calls it.
type Script struct {
	Text string
	SHA  string
}

// Set is the scripts of a store.
type Set struct {
	Single    []Script // by algorithm
	Composite Script
	Ready     Script
}

var (
	// Server returns the scripts that decide by the server's clock.
	Server = sync.OnceValue(func() *Set { return compose("clock_server") })

	// Given returns the scripts that decide by the time in their last argument.
	Given = sync.OnceValue(func() *Set { return compose("clock_given") })
)

func compose(clock string) *Set {
	set := &Set{}
	all := file(clock) + "local checks, charges = {}, {}\n"
	for _, a := range rules.Algorithms() {
		text := file(names[a])
		set.Single = append(set.Single, script(file(clock), text, file("single")))
		all += block(a.Info().Mark, text)
	}
	set.Composite = script(all, file("composite"))
	set.Ready = script(file(clock), file("ready"))
	return set
}

func file(name string) string {
	text, err := files.ReadFile(name + ".lua")
	if err != nil {
		panic(err)
	}
	return string(text)
}

func block(mark byte, text string) string {
	return fmt.Sprintf("do\n%schecks['%c'], charges['%c'] = check, charge\nend\n", text, mark, mark)
}

func script(parts ...string) Script {
	text := strings.Join(parts, "")
	sum := sha1.Sum([]byte(text))
	return Script{Text: text, SHA: hex.EncodeToString(sum[:])}
}
