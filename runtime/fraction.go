package ratelimit

import (
	"errors"
	"fmt"
	"math/bits"
)

// fraction is a part of a whole, in units of 2^-fractionBits: a number above 0 and
// at most 1, rounded down to a unit, so that what is meant to be a tenth is not
// more than one.
type fraction int64

const fractionBits = 48

var errShare = errors.New("the local share is not above 0 and at most 1")

// fractionOf turns the number of [WithLocalShare] into the integer that decides.
func fractionOf(number func() float64) (f fraction, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the local share: %v", r)
		}
	}()
	x := number()
	if x > 0 && x <= 1 {
		return max(fraction(x*(1<<fractionBits)), 1), nil
	}
	return 0, fmt.Errorf("%w: %v", errShare, x)
}

// of is the part of n, rounded up.
func (f fraction) of(n int64) int64 {
	hi, lo := bits.Mul64(uint64(n), uint64(f))
	lo, carry := bits.Add64(lo, 1<<fractionBits-1, 0)
	return int64((hi+carry)<<(64-fractionBits) | lo>>fractionBits)
}
