package rules

// Algorithm is a way to count calls.
type Algorithm uint8

const (
	FixedWindow Algorithm = iota
	SlidingWindow
	SlidingCounter
	TokenBucket
	LeakyBucket

	algorithms
)

// Info is what is said of an algorithm.
type Info struct {
	Item      string // the directive's flag
	Const     string // the constant's name in package runtime
	Mark      byte   // what marks its state in a store's key
	MaxLimit  int64  // the highest limit that it holds exactly
	MaxCharge int64  // the highest cost of one call, whatever the limit
	Burst     bool   // it has a burst
	Delay     bool   // its calls may have to wait for their turn
}

var infos = [algorithms]Info{
	FixedWindow: {
		Item:      "fixed",
		Const:     "FixedWindow",
		Mark:      'f',
		MaxLimit:  MaxLimit,
		MaxCharge: MaxLimit,
	},
	SlidingWindow: {
		Item:      "sliding",
		Const:     "SlidingWindow",
		Mark:      's',
		MaxLimit:  MaxEntries,
		MaxCharge: MaxCharge,
	},
	SlidingCounter: {
		Item:      "counter",
		Const:     "SlidingCounter",
		Mark:      'c',
		MaxLimit:  MaxLimit,
		MaxCharge: MaxLimit,
	},
	TokenBucket: {
		Item:      "token",
		Const:     "TokenBucket",
		Mark:      't',
		MaxLimit:  MaxLimit,
		MaxCharge: MaxLimit,
		Burst:     true,
	},
	LeakyBucket: {
		Item:      "leaky",
		Const:     "LeakyBucket",
		Mark:      'l',
		MaxLimit:  MaxLimit - 1,
		MaxCharge: MaxLimit,
		Burst:     true,
		Delay:     true,
	},
}

// CalendarMark marks the state of a calendar window in a store's key, in place
// of its algorithm's mark.
const CalendarMark = 'w'

// Valid reports whether a is one of the algorithms.
func (a Algorithm) Valid() bool { return a < algorithms }

// Info returns what is said of a, which must be Valid.
func (a Algorithm) Info() Info { return infos[a] }

// Algorithms returns all of them, the default first.
func Algorithms() []Algorithm {
	all := make([]Algorithm, algorithms)
	for i := range all {
		all[i] = Algorithm(i)
	}
	return all
}

// ByItem returns the algorithm that a directive's flag names.
func ByItem(item string) (Algorithm, bool) {
	for a, info := range infos {
		if info.Item == item {
			return Algorithm(a), true
		}
	}
	return 0, false
}
