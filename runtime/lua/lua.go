// Package lua holds the scripts that decide inside Redis, one algorithm a
// file, and composes from these files the scripts that a store sends.
//
// The file of an algorithm has sections. args names what it asks for beside
// the cost, with the format of struct.unpack; shared holds functions; check
// finds out whether a bucket has the quota, and writes nothing but a repair of
// times far ahead of the clock; charge deducts from a bucket that check has
// seen and found to have it, and may use the variables that check lists. The
// files in frame/ put the sections together: a call with one bucket runs a
// script of that one algorithm, straight through, a call with several one of
// all algorithms that checks all, then charges all. They say which variables
// the sections find.
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

	"github.com/ratelimitgen/ratelimitgen/internal/rules"
)

//go:embed *.lua frame/*.lua
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
	Single    []Script // by algorithm; empty for one that has none
	Composite Script
	Ready     Script
}

var (
	// Server returns the scripts that decide by the server's clock.
	Server = sync.OnceValue(func() *Set { return compose("server", nil) })

	// Given returns the scripts that decide by the time in their last argument.
	Given = sync.OnceValue(func() *Set { return compose("given", absolute) })
)

// absolute are the commands and options that set an expiry by a time in place
// of those that set it by a duration.
var absolute = strings.NewReplacer("'PX'", "'PXAT'", "'PEXPIRE'", "'PEXPIREAT'")

func compose(clock string, expiry *strings.Replacer) *Set {
	set := &Set{}
	script := func(body string) Script {
		text := file("frame/"+clock) + body
		if expiry != nil {
			text = expiry.Replace(text)
		}
		return newScript(text)
	}
	functions := ""
	for _, a := range rules.Algorithms() {
		if names[a] == "" {
			set.Single = append(set.Single, Script{})
			continue
		}
		parts := sections(file(names[a]))
		parts["mark"] = string(a.Info().Mark)
		set.Single = append(set.Single, script(fill("single", parts)))
		functions += fill("function", parts)
	}
	set.Composite = script(fill("composite", map[string]string{"functions": functions}))
	set.Ready = script(file("frame/ready"))
	return set
}

func file(name string) string {
	text, err := files.ReadFile(name + ".lua")
	if err != nil {
		panic(err)
	}
	return string(text)
}

func newScript(text string) Script {
	sum := sha1.Sum([]byte(text))
	return Script{Text: text, SHA: hex.EncodeToString(sum[:])}
}
