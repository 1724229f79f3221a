package rules

// Algorithm is a way to count calls.
type Algorithm uint8

const (
	FixedWindow Algorithm = iota
	SlidingWindow

	algorithms
)

// Info is what is said of an algorithm.
type Info struct {
	Item     string // the directive's flag
	Const    string // the constant's name in package runtime
	Mark     byte   // what marks its state in a store's key
	MaxLimit int64  // the highest limit that it holds exactly
}

var infos = [algorithms]Info{
	FixedWindow: {
		Item:     "fixed",
		Const:    "FixedWindow",
		Mark:     'f',
		MaxLimit: MaxLimit,
	},
	SlidingWindow: {
		Item:     "sliding",
		Const:    "SlidingWindow",
		Mark:     's',
		MaxLimit: MaxEntries,
	},
}

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
