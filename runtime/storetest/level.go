package storetest

import "math/big"

// level is the state of a token bucket.
type level struct {
	atOnce
	window int64
	units  big.Int // of 1/window call
	last   int64
	rate   int64
}

func (l *level) newest() (int64, bool) { return l.last, l.units.Sign() > 0 }

func (l *level) repair(t int64) {
	if l.last > t+l.window {
		l.last = t
	}
}

// at returns the units that are left at n.
func (l *level) at(n, limit int64) *big.Int {
	if _, ok := l.newest(); !ok { // a refund may leave a time behind
		return new(big.Int)
	}
	drained := new(big.Int).Mul(big.NewInt(n-l.last), big.NewInt(max(limit, l.rate)))
	left := new(big.Int).Sub(&l.units, drained)
	if left.Sign() < 0 {
		return new(big.Int)
	}
	return left
}

func (l *level) used(n, limit int64) int64 { return divideUp(l.at(n, limit), l.window) }

// of returns the units of a cost.
func (l *level) of(cost int64) *big.Int {
	return new(big.Int).Mul(big.NewInt(cost), big.NewInt(l.window))
}

func (l *level) charge(n, cost, limit int64) int64 {
	l.units.Add(l.at(n, limit), l.of(cost))
	l.last, l.rate = n, limit
	return 0
}

func (l *level) refund(n, _, cost, limit int64) bool {
	left := l.at(n, limit)
	if left.Sign() == 0 {
		return false
	}
	l.last = n
	if l.units.Sub(left, l.of(cost)); l.units.Sign() < 0 {
		l.units.SetInt64(0)
	}
	return true
}

// leaky is the state of a leaky bucket.
type leaky struct{ level }

// end returns when the queue is empty.
func (l *leaky) end() int64 { return l.last + divideUp(&l.units, l.rate) }

func (l *leaky) charge(n, cost, limit int64) int64 {
	l.level.charge(n, cost, limit)
	return l.end()
}

func (l *leaky) refund(n, receipt, cost, limit int64) bool {
	return l.units.Sign() > 0 && l.end() == receipt && l.level.refund(n, receipt, cost, limit)
}

// turn stops at 2^52 microseconds: no rule has a turn that is further off, but
// a bucket that was filled under a far higher limit may look so.
func (l *leaky) turn(n, limit int64) int64 { return min(divideUp(l.at(n, limit), limit), 1<<52) }
