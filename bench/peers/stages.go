package main

import "github.com/ratelimitgen/ratelimitgen/bench/page"

// stages tells what one caller pays for what, by the differences between rows.
func (f *figures) stages() string {
	at := cell{admitted, 1}
	us := func(row string) float64 { return median(f.remote.all(row, at, p50)) }
	wrapper := median(f.local.nanoseconds(nameWrapper, admitted)) / 1000
	store := median(f.local.nanoseconds(nameTokenStore, admitted)) / 1000
	bare := us(nameNothing)
	t := page.Table{Head: []string{"one caller", "µs"}}
	t.Add("the wrapper and a Limiter, over memory", short(wrapper))
	t.Add("of this the store in memory", short(store))
	t.Add("`EVALSHA` of `return 1`: client, system calls, Redis", short(bare))
	t.Add("our script in place of `return 1`, with its arguments and answer", signed(us(namePlain)-bare))
	t.Add("the wrapper, the Limiter and the lane in place of a plain `EVALSHA`", signed(us(nameOurs)-us(namePlain)))
	t.Add("a wrapper's call over Redis in all", short(us(nameOurs)))
	return t.Numbers()
}

func signed(f float64) string {
	if f < 0 {
		return "-" + short(-f)
	}
	return "+" + short(f)
}
