package exact

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

var edges = []int64{0, 1, 2, 3, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1 << 32, 1<<53 - 1, 1 << 53, math.MaxInt64 - 1, math.MaxInt64}

func (w Wide) big() *big.Int {
	hi := new(big.Int).Lsh(new(big.Int).SetUint64(w.hi), 64)
	return hi.Or(hi, new(big.Int).SetUint64(w.lo))
}

// TestAgainstBig compares with math/big at the edges and at random numbers of
// every size.
func TestAgainstBig(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	number := func() int64 {
		if r.IntN(3) == 0 {
			return edges[r.IntN(len(edges))]
		}
		return r.Int64() >> r.IntN(63)
	}
	for range 200_000 {
		check(t, number(), number(), number(), number(), number(), max(1, number()))
		if t.Failed() {
			return
		}
	}
}

// check tests all operations on a*b + add - c*d, divided by by.
func check(t *testing.T, a, b, add, c, d, by int64) {
	sum := Mul(a, b).Plus(add)
	want := new(big.Int).Mul(big.NewInt(a), big.NewInt(b))
	want.Add(want, big.NewInt(add))
	if sum.big().Cmp(want) != 0 {
		t.Errorf("%d*%d + %d = %v, want %v", a, b, add, sum.big(), want)
	}
	less := sum.Minus(Mul(c, d))
	if want.Sub(want, new(big.Int).Mul(big.NewInt(c), big.NewInt(d))); want.Sign() < 0 {
		want.SetInt64(0)
	}
	if less.big().Cmp(want) != 0 || less.Zero() != (want.Sign() == 0) {
		t.Errorf("%d*%d + %d - %d*%d = %v, want %v", a, b, add, c, d, less.big(), want)
	}
	divide(t, less, by)
}

func divide(t *testing.T, w Wide, by int64) {
	most := big.NewInt(math.MaxInt64)
	q, r := new(big.Int).QuoRem(w.big(), big.NewInt(by), new(big.Int))
	up := new(big.Int).Set(q)
	if r.Sign() > 0 {
		up.Add(up, big.NewInt(1))
	}
	quotient, rest := w.Div(by)
	switch {
	case q.Cmp(most) > 0:
		if quotient != math.MaxInt64 || w.DivUp(by) != math.MaxInt64 {
			t.Errorf("%v / %d = %d, want the largest", w.big(), by, quotient)
		}
		return
	case big.NewInt(quotient).Cmp(q) != 0 || big.NewInt(rest).Cmp(r) != 0:
		t.Errorf("%v / %d = %d, %d, want %v, %v", w.big(), by, quotient, rest, q, r)
	}
	if up.Cmp(most) > 0 {
		up.Set(most)
	}
	if got := w.DivUp(by); big.NewInt(got).Cmp(up) != 0 {
		t.Errorf("%v / %d rounded up = %d, want %v", w.big(), by, got, up)
	}
}
