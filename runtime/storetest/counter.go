package storetest

import (
	"math"
	"math/big"
)

type counter struct {
	atOnce
	window int64
	start  int64 // of the window that count is of
	count  int64
	before int64 // the count of the window before
}

func (c *counter) newest() (int64, bool) { return c.start, c.count+c.before > 0 }

// begin returns the beginning of the window that n is in.
func (c *counter) begin(n int64) int64 { return n / c.window * c.window }

func (c *counter) repair(t int64) {
	if c.start > t+c.window {
		c.start = c.begin(t)
	}
}

// counts returns the counts of the window that n is in and of the one before.
func (c *counter) counts(n int64) (current, previous int64) {
	switch c.begin(n) {
	case c.start:
		return c.count, c.before
	case c.start + c.window:
		return 0, c.count
	}
	return 0, 0
}

func (c *counter) used(n, _ int64) int64 {
	current, previous := c.counts(n)
	left := c.begin(n) + c.window - n
	weighed := new(big.Int).Mul(big.NewInt(previous), big.NewInt(left))
	return current + divideUp(weighed, c.window)
}

func (c *counter) charge(n, cost, _ int64) int64 {
	c.count, c.before = c.counts(n)
	c.start = c.begin(n)
	c.count += cost
	return c.start
}

func (c *counter) refund(n, receipt, cost, _ int64) bool {
	if current, previous := c.counts(n); current+previous == 0 || receipt < c.begin(n)-c.window {
		return false
	}
	cell := &c.count
	if receipt == c.start-c.window {
		cell = &c.before
	} else if receipt != c.start {
		return false
	}
	found := *cell > 0
	*cell = max(0, *cell-cost)
	return found
}

// divideUp returns a / b, rounded up.
func divideUp(a *big.Int, b int64) int64 {
	q, r := new(big.Int).QuoRem(a, big.NewInt(b), new(big.Int))
	if r.Sign() > 0 {
		q.Add(q, big.NewInt(1))
	}
	if !q.IsInt64() {
		return math.MaxInt64
	}
	return q.Int64()
}
