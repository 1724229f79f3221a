package main

import (
	"fmt"
	"math/bits"
	"strconv"

	"github.com/ratelimitgen/ratelimitgen/bench/page"
	"github.com/ratelimitgen/ratelimitgen/internal/rules"
	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

// values says how each algorithm is called and what numbers it takes.
func values() string {
	t := page.Table{Head: []string{"item", "in Go", "limit", "burst", "cost of a call that can pass"}}
	for _, r := range kinds() {
		info := rules.Algorithm(r.Algorithm).Info()
		if r.Calendar != 0 {
			t.Add("`window=day tz=...`", "`Rule.Calendar`, `Rule.Zone`", limits(info), "none", "up to the limit")
			continue
		}
		t.Add("`"+info.Item+"`", "`"+info.Const+"`", limits(info), bursts(r.Algorithm, info), costs(r.Algorithm, info))
	}
	return t.Words()
}

func limits(info rules.Info) string { return "1 to " + number(info.MaxLimit) }

func bursts(a ratelimit.Algorithm, info rules.Info) string {
	switch {
	case !info.Burst:
		return "none"
	case a == ratelimit.LeakyBucket:
		return "0 to " + number(info.MaxLimit) + ", default: limit"
	}
	return "1 to " + number(info.MaxLimit) + ", default: limit"
}

func costs(a ratelimit.Algorithm, info rules.Info) string {
	switch {
	case info.MaxCharge < info.MaxLimit:
		return "up to the limit, at most " + number(info.MaxCharge)
	case a == ratelimit.TokenBucket:
		return "up to burst"
	case a == ratelimit.LeakyBucket:
		return "up to 1 + burst"
	}
	return "up to the limit"
}

// number writes powers of two, and what is 1 below them, as such, and puts a
// comma between thousands.
func number(n int64) string {
	const large = 1 << 30
	switch {
	case n >= large && bits.OnesCount64(uint64(n)) == 1:
		return fmt.Sprintf("2^%d", bits.TrailingZeros64(uint64(n)))
	case n >= large && bits.OnesCount64(uint64(n+1)) == 1:
		return fmt.Sprintf("2^%d - 1", bits.TrailingZeros64(uint64(n+1)))
	}
	text := strconv.FormatInt(n, 10)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}
