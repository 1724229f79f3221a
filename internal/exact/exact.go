// Package exact calculates with the products that decisions are made of, which
// take more than 64 bits: a limit times a window has 101.
package exact

import (
	"math"
	"math/bits"
)

// Wide is a whole number from 0 to 2^128-1.
type Wide struct{ hi, lo uint64 }

// Mul returns a * b, which must not be negative.
func Mul(a, b int64) Wide {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	return Wide{hi, lo}
}

// Plus returns w + n, which must not be negative.
func (w Wide) Plus(n int64) Wide {
	lo, carry := bits.Add64(w.lo, uint64(n), 0)
	return Wide{w.hi + carry, lo}
}

// Minus returns w - x, at least 0.
func (w Wide) Minus(x Wide) Wide {
	lo, borrow := bits.Sub64(w.lo, x.lo, 0)
	hi, borrow := bits.Sub64(w.hi, x.hi, borrow)
	if borrow != 0 {
		return Wide{}
	}
	return Wide{hi, lo}
}

// Zero reports whether w is 0.
func (w Wide) Zero() bool { return w.hi|w.lo == 0 }

// Div returns w / n, rounded down, and what is left. n must be positive. A
// quotient that no int64 holds is the largest one that does.
func (w Wide) Div(n int64) (quotient, rest int64) {
	if w.hi == 0 {
		return clamp(w.lo / uint64(n)), int64(w.lo % uint64(n))
	}
	if w.hi >= uint64(n) {
		return math.MaxInt64, 0
	}
	q, r := bits.Div64(w.hi, w.lo, uint64(n))
	return clamp(q), int64(r)
}

// DivUp returns w / n, rounded up, as Div does.
func (w Wide) DivUp(n int64) int64 {
	quotient, rest := w.Div(n)
	if rest > 0 && quotient < math.MaxInt64 {
		quotient++
	}
	return quotient
}

func clamp(n uint64) int64 { return int64(min(n, math.MaxInt64)) }
