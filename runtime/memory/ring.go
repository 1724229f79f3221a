package memory

// ring is a queue of times, oldest first and never decreasing. What changes with each
// call is in the state, the times in an array beside it, as many as a power of two.
type ring struct{ *state }

const (
	minRing = 4
	// slackRing is how many times larger than needed a ring may be before it
	// shrinks.
	slackRing = 16
)

func (r ring) len() int { return int(r.count) }

// first is the oldest time, 0 where there is none, and head where in the array it is.
func (r ring) first() *int64 { return &r.rest }
func (r ring) head() *int64  { return &r.rate }

func (r ring) times() []int64 {
	if r.more == nil {
		return nil
	}
	return *r.more.times
}

// at returns the i-th oldest time.
func (r ring) at(i int) int64 { return *r.place(i) }

func (r ring) place(i int) *int64 {
	times := r.times()
	return &times[(int(*r.head())+i)&(len(times)-1)]
}

// until returns how many times are at most t.
func (r ring) until(t int64) int {
	if r.len() == 0 || *r.first() > t {
		return 0
	}
	low, high := 0, 1 // at(low) <= t, and then at(high) > t or there is none
	for high < r.len() && r.at(high) <= t {
		low, high = high, min(2*high, r.len())
	}
	for low+1 < high {
		if mid := (low + high) / 2; r.at(mid) <= t {
			low = mid
		} else {
			high = mid
		}
	}
	return high
}

// cap makes all times that are above t to t.
func (r ring) cap(t int64) {
	for i := r.until(t); i < r.len(); i++ {
		*r.place(i) = t
	}
	*r.first() = min(*r.first(), t)
}

// drop forgets the n oldest times.
func (r ring) drop(n int) {
	if n > 0 {
		*r.head() = int64((int(*r.head()) + n) & (len(r.times()) - 1))
		r.count -= int64(n)
		r.aim()
	}
}

// remove takes t out up to n times, and reports whether it was there.
func (r ring) remove(t int64, n int) bool {
	first, last := r.until(t-1), r.until(t)
	if n = min(n, last-first); n == 0 {
		return false
	}
	for i := last; i < r.len(); i++ {
		*r.place(i - n) = r.at(i)
	}
	r.count -= int64(n)
	r.aim()
	return true
}

// aim finds the oldest time.
func (r ring) aim() {
	*r.first() = 0
	if r.count > 0 {
		*r.first() = r.at(0)
	}
}

// push adds t n times.
func (r ring) push(t int64, n int) {
	if r.fit(r.len() + n); r.count == 0 {
		*r.first() = t
	}
	for range n {
		*r.place(r.len()) = t
		r.count++
	}
}

// fit makes the ring large enough for n times and not much larger.
func (r ring) fit(n int) {
	size := len(r.times())
	if n <= size && n*slackRing > size || size == minRing && n <= size {
		return
	}
	size = minRing
	for size < n {
		size *= 2
	}
	times := make([]int64, size)
	for i := range r.len() {
		times[i] = r.at(i)
	}
	*r.more.times, *r.head() = times, 0
}
