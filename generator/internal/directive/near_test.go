package directive

import "testing"

func TestNear(t *testing.T) {
	tests := []struct{ comment, hint string }{
		// As typed, and as gofmt leaves it.
		{`// ratelimit:key=id limit=3`, `this is no directive yet: write //ratelimit:key=id limit=3`},
		{`//Ratelimit:key=id`, `this is no directive yet: write //ratelimit:key=id`},
		{`// Ratelimit:key=id`, `this is no directive yet: write //ratelimit:key=id`},
		{`// RateLimit:key=id`, `this is no directive yet: write //ratelimit:key=id`},
		{`// ratelimit:Key=id`, `this is no directive yet: write //ratelimit:Key=id`},
		{`//rate_limit:limit=3`, `this is no directive yet: write //ratelimit:limit=3`},
		{`// rate_limit:limit=3`, `this is no directive yet: write //ratelimit:limit=3`},
		{`//rate-limit:limit=3`, `this is no directive yet: write //ratelimit:limit=3`},
		{`// rate limit:limit=3`, `this is no directive yet: write //ratelimit:limit=3`},
		{`//ratelimt:key=id`, `this is no directive yet: write //ratelimit:key=id`},
		{`//ratelimits:key=id`, `this is no directive yet: write //ratelimit:key=id`},
		{`//ratelimiter:key=id`, `this is no directive yet: write //ratelimit:key=id`},
		{`// ratelimit: key=id`, `this is no directive yet: write //ratelimit:key=id`},
		{`// ratelimit: key = id`, `this is no directive yet: write //ratelimit:key = id`},
		{`//ratelimit key=id`, `this is no directive yet: write //ratelimit:key=id`},
		{`// ratelimit key=id`, `this is no directive yet: write //ratelimit:key=id`},
		{`//@ratelimit:key=id`, `this is no directive yet: write //ratelimit:key=id`},
		{`//+ratelimit:key=id`, `this is no directive yet: write //ratelimit:key=id`},
		{`//	ratelimit:key=id`, `this is no directive yet: write //ratelimit:key=id`},
		{"// ratelimit:key=id\r", `this is no directive yet: write //ratelimit:key=id`},
		{`// ratelimit:sliding limit=3`, `this is no directive yet: write //ratelimit:sliding limit=3`},
		{`// ratelimit:lmit=3`, `this is no directive yet: write //ratelimit:lmit=3`},
		{`// ratelimit:skip`, `this is no directive yet: write //ratelimit:skip`},
		{`//rate_limit:skip // why`, `this is no directive yet: write //ratelimit:skip // why`},
		{`// Ratelimit:wrap as=X`, `this is no directive yet: write //ratelimit:wrap as=X`},
		{`//ratelimt:key="a long key of more than forty letters"`, `this is no directive yet: write //ratelimit:key="a long key of more than forty lette...`},
		{`/*ratelimit:key=id*/`, `a directive is a line comment: write //ratelimit:key=id`},
		{"/*\n * Sends.\n *\n * //ratelimit:key=id limit=3\n */", `a directive is a line comment: write //ratelimit:key=id limit=3`},

		// With a flag or another word first.
		{`// ratelimit: sliding limit=3 window=1s`, `this is no directive yet: write //ratelimit:sliding limit=3 window=1s`},
		{`//ratelimit sliding limit=3 window=1s`, `this is no directive yet: write //ratelimit:sliding limit=3 window=1s`},
		{`// ratelimit sliding shadow limit=3`, `this is no directive yet: write //ratelimit:sliding shadow limit=3`},
		{`// ratelimit: Fixed lmit=3`, `this is no directive yet: write //ratelimit:Fixed lmit=3`},
		{`// ratelimit: skip`, `this is no directive yet: write //ratelimit:skip`},
		{`//ratelimit skip`, `this is no directive yet: write //ratelimit:skip`},
		{`//ratelimit default limit=3`, `this is no directive yet: write //ratelimit:default limit=3`},
		{`//ratelimit and sliding limit=3`, `this is no directive yet: write //ratelimit:and sliding limit=3`},
		{`/* ratelimit: sliding limit=3 */`, `a directive is a line comment: write //ratelimit:sliding limit=3`},

		{`// ratelimit: rate=3 per=1m`, `this is no directive yet: write //ratelimit:rate=3 per=1m`},

		// With another word, another sign, or nothing at all.
		{`//ratelimitgen:limit=3 window=1s`, `this is no directive yet: write //ratelimit:limit=3 window=1s`},
		{`// ratelimitgen: limit=3`, `this is no directive yet: write //ratelimit:limit=3`},
		{`//ratelimit.limit=3`, `this is no directive yet: write //ratelimit:limit=3`},
		{`// ratelimit;limit=3`, `this is no directive yet: write //ratelimit:limit=3`},
		{`//ratelimit：limit=3`, `this is no directive yet: write //ratelimit:limit=3`},
		{"//ratelimit\u200b:limit=3", `this is no directive yet: write //ratelimit:limit=3`},
		{"//\ufeffratelimit:limit=3", `this is no directive yet: write //ratelimit:limit=3`},
		{`///ratelimit:limit=3`, `this is no directive yet: write //ratelimit:limit=3`},
		{`/// ratelimit:limit=3`, `this is no directive yet: write //ratelimit:limit=3`},
		{`//!ratelimit:limit=3`, `this is no directive yet: write //ratelimit:limit=3`},
		{`//#ratelimit:limit=3`, `this is no directive yet: write //ratelimit:limit=3`},
		{`//go:ratelimit limit=3`, `this is no directive yet: write //ratelimit:limit=3`},
		{`//go:ratelimit:limit=3`, `this is no directive yet: write //ratelimit:limit=3`},
		{`//	ratelimit:sliding limit=3`, `this is no directive yet: write //ratelimit:sliding limit=3`},
		{`//ratelimit`, `this is no directive yet: write //ratelimit:limit=3 window=60s`},
		{`//Ratelimit:`, `this is no directive yet: write //ratelimit:limit=3 window=60s`},
		{`//ratelimit-key=id`, `this is no directive yet: write //ratelimit:key=id`},
		{`// ratelimit_limit=3`, `this is no directive yet: write //ratelimit:limit=3`},
		{`//@RateLimit(limit=3, window=60s)`, `this is no directive yet: write //ratelimit:limit=3 window=60s`},
		{`//ratelimit=3 window=60s`, `this is no directive yet: write //ratelimit:limit=3 window=60s`},
		{`/*ratlimit:limit=3 window=1s*/`, `a directive is a line comment: write //ratelimit:limit=3 window=1s`},

		// Directives.
		{`//ratelimit:key=id`, ``},
		{`//ratelimit: key=id`, ``},
		{`//ratelimit:Key=id`, ``},
		{`//ratelimit:`, ``},

		// Taken out of service, or an example.
		{`// //ratelimit:key=id`, ``},
		{`////ratelimit:key=id`, ``},
		{`/////ratelimit:key=id`, ``},
		{`//	//ratelimit:key=id`, ``},

		// Prose and other directives.
		{`// ratelimit`, ``},
		{`// Ratelimit limits calls.`, ``},
		{`// ratelimit: limits calls`, ``},
		{`// ratelimit: see limit=3 below`, ``},
		{`// Rate limit: 3 calls`, ``},
		{`// Rate limit: fixed`, ``},
		{`// Rate limit: cost = 5 units`, ``},
		{`// rate limit key = user`, ``},
		{`// ratelimit:default applies here`, ``},
		{`// The ratelimit:key=id directive names the bucket.`, ``},
		{`// RateLimiter is a limiter.`, ``},
		{`//go:generate ratelimitgen`, ``},
		{`//nolint:all`, ``},
		{`// limit=3 window=60s`, ``},
		{`// ratelimit.Limit = 3`, ``},
		{`// ratelimit: max = 3 calls`, ``},
		{`// ratelimit.New(store, key = id)`, ``},
		{`// ratelimit default`, ``},
		{`// ratelimit: fixed`, ``},
		{`// ratelimit:`, ``},
		{`// ratelimit: wait and see`, ``},
		{`//	ratelimit limit=3`, ``},
		{`//	ratelimit: limit=3`, ``},
		{`//ratelimit... and so on`, ``},
		{`// rate-limit=3`, ``},
		{`//go:build ratelimit`, ``},
		{`/* ratelimit skips it */`, ``},
		{`//`, ``},
		{`/**/`, ``},
		{`/* ratelimit */`, ``},
		{``, ``},
	}
	for _, tt := range tests {
		hint, ok := Near(tt.comment)
		if ok != (tt.hint != "") || ok && hint != tt.hint {
			t.Errorf("Near(%q) = %q, %v, want %q", tt.comment, hint, ok, tt.hint)
		}
	}
}
