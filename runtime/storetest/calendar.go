package storetest

import ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"

type calendar struct {
	atOnce
	rule         *ratelimit.Rule
	start, count int64
}

func (c *calendar) newest() (int64, bool) { return c.start, c.count > 0 }

func (c *calendar) repair(t int64) {
	begin, end := c.rule.WindowAt(t)
	_, nextEnd := c.rule.WindowAt(end)
	if c.start >= nextEnd {
		c.start = begin
	}
}

func (c *calendar) used(n, _ int64) int64 {
	if begin, _ := c.rule.WindowAt(n); c.start != begin {
		return 0
	}
	return c.count
}

func (c *calendar) charge(n, cost, limit int64) int64 {
	if c.used(n, limit) == 0 {
		c.start, _ = c.rule.WindowAt(n)
		c.count = 0
	}
	c.count += cost
	return c.start
}

func (c *calendar) refund(n, receipt, cost, limit int64) bool {
	if c.used(n, limit) == 0 || c.start != receipt {
		return false
	}
	c.count = max(0, c.count-cost)
	return true
}
