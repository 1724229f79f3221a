package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"
)

type Kind int16

type Size uint64

type Label string

type Flag bool

type Shade int

func (s Shade) String() string { return fmt.Sprintf("shade %d", int(s)) }

type Address struct {
	City string
	Zip  int
	Tags []string
	Next *Address
}

func (a *Address) Line() string { return fmt.Sprintf("%s %d", a.City, a.Zip) }

type User struct {
	Name   string
	Age    int
	Score  float64
	Level  uint8
	Label  Label
	Kind   Kind
	Admin  bool
	Home   *Address
	Work   Address
	Roles  []string
	Limits map[string]int
	Nick   *string
}

func (u User) Full() string { return u.Name + " the user" }

func (u *User) Rank() int { return u.Age * 2 }

// Vals are the values of one evaluation.
type Vals struct {
	N, M    int
	I8      int8
	I16     int16
	I32     int32
	I64     int64
	U       uint
	U8      uint8
	U16     uint16
	U32     uint32
	U64     uint64
	F, G    float64
	F32     float32
	S, T    string
	Ok, On  bool
	Kind    Kind
	Size    Size
	Label   Label
	Flag    Flag
	Shade   Shade
	Pn      *int
	Ps      *string
	Pb      *bool
	User    *User
	Friend  User
	Ints    []int
	Wide    []int64
	Bytes   []uint8
	Floats  []float64
	Strs    []string
	Labels  []Label
	Users   []User
	Ptrs    []*User
	Array   [3]int
	Limits  map[string]int
	ByID    map[int]string
	Took    time.Duration
	When    time.Time
	Anybody any
}

func Half(n int) int { return n / 2 }

func Parse(s string) (int, error) {
	if len(s) > 3 {
		return 0, fmt.Errorf("%q is too long", s)
	}
	return len(s), nil
}

func Greet(name string) string { return "hello " + name }

func Old(u User) bool { return u.Age > 40 }

func ToInt64(n int64) int64 { return n + 1 }

var words = []string{"", "a", "b", "ab", "abc", "gold", "Gold ", "ü", "größe", "x,y", "12", "-7", " 3", "1.5", "a\\b", "\n", "日本語"}

func pick[T any](r *rand.Rand, from ...T) T { return from[r.IntN(len(from))] }

func pointer[T any](r *rand.Rand, v T) *T {
	if r.IntN(3) == 0 {
		return nil
	}
	return &v
}

func number(r *rand.Rand) int64 {
	switch r.IntN(8) {
	case 0:
		return pick[int64](r, 0, 1, -1, math.MaxInt64, math.MinInt64, math.MaxInt32, math.MinInt32, 255, 256, -128, 1<<53, 1<<53+1)
	case 1:
		return int64(r.Uint64())
	}
	return r.Int64N(12) - 3
}

func decimal(r *rand.Rand) float64 {
	switch r.IntN(6) {
	case 0:
		return pick[float64](r, 0, 1, -1, 0.1, 2.5, 1e300, math.Inf(1), math.NaN(), 1<<53, math.Copysign(0, -1))
	case 1:
		return r.NormFloat64() * 1e6
	}
	return float64(r.IntN(20)-5) / 4
}

func some[T any](r *rand.Rand, one func() T) []T {
	if r.IntN(5) == 0 {
		return nil
	}
	list := make([]T, r.IntN(4))
	for i := range list {
		list[i] = one()
	}
	return list
}

func word(r *rand.Rand) func() string { return func() string { return pick(r, words...) } }

func dict[K comparable, V any](r *rand.Rand, key func() K, value func() V) map[K]V {
	if r.IntN(5) == 0 {
		return nil
	}
	m := make(map[K]V)
	for range r.IntN(4) {
		m[key()] = value()
	}
	return m
}

func address(r *rand.Rand, depth int) *Address {
	if depth == 0 || r.IntN(3) == 0 {
		return nil
	}
	return &Address{City: pick(r, words...), Zip: int(number(r)), Tags: some(r, word(r)), Next: address(r, depth-1)}
}

func user(r *rand.Rand) User {
	u := User{
		Name: pick(r, words...), Age: r.IntN(90), Score: decimal(r), Level: uint8(r.Uint32()), Label: Label(pick(r, words...)), Kind: Kind(number(r)),
		Admin: r.IntN(2) == 0, Home: address(r, 2), Roles: some(r, word(r)), Nick: pointer(r, pick(r, words...)),
		Limits: dict(r, word(r), func() int { return int(number(r)) }),
	}
	if a := address(r, 2); a != nil {
		u.Work = *a
	}
	return u
}

// values returns the values of one evaluation for a seed.
func values(seed uint64) *Vals {
	r := rand.New(rand.NewPCG(seed, 7))
	n := func() int64 { return number(r) }
	v := &Vals{
		N: int(n()), M: int(n()), I8: int8(n()), I16: int16(n()), I32: int32(n()), I64: n(),
		U: uint(n()), U8: uint8(n()), U16: uint16(n()), U32: uint32(n()), U64: uint64(n()),
		F: decimal(r), G: decimal(r), F32: float32(decimal(r)), S: pick(r, words...), T: pick(r, words...), Ok: r.IntN(2) == 0, On: r.IntN(2) == 0,
		Kind: Kind(n()), Size: Size(n()), Label: Label(pick(r, words...)), Flag: r.IntN(2) == 0, Shade: Shade(n()),
		Pn: pointer(r, int(n())), Ps: pointer(r, pick(r, words...)), Pb: pointer(r, r.IntN(2) == 0),
		User: pointer(r, user(r)), Friend: user(r),
		Ints: some(r, func() int { return int(n()) }), Wide: some(r, n), Bytes: some(r, func() uint8 { return uint8(n()) }),
		Floats: some(r, func() float64 { return decimal(r) }), Strs: some(r, word(r)), Labels: some(r, func() Label { return Label(pick(r, words...)) }),
		Users: some(r, func() User { return user(r) }), Ptrs: some(r, func() *User { return pointer(r, user(r)) }),
		Array:  [3]int{int(n()), int(n()), int(n())},
		Limits: dict(r, word(r), func() int { return int(n()) }), ByID: dict(r, func() int { return r.IntN(5) }, word(r)),
		Took: time.Duration(n()), When: time.Unix(r.Int64N(2e9), 0).UTC(),
	}
	v.Anybody = pick[any](r, nil, int(n()), pick(r, words...), v.User, decimal(r), v.Ok, v.Strs)
	return v
}
