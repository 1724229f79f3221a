package storetest

type fixed struct {
	atOnce
	window       int64
	start, count int64
}

func (f *fixed) newest() (int64, bool) { return f.start, f.count > 0 }

func (f *fixed) repair(t int64) {
	if f.start > t+f.window {
		f.start = t
	}
}

func (f *fixed) used(n, _ int64) int64 {
	if n >= f.start+f.window {
		return 0
	}
	return f.count
}

func (f *fixed) charge(n, cost, limit int64) int64 {
	if f.used(n, limit) == 0 {
		f.start, f.count = n, 0
	}
	f.count += cost
	return f.start
}

func (f *fixed) refund(n, receipt, cost, limit int64) bool {
	if f.used(n, limit) == 0 || f.start != receipt {
		return false
	}
	f.count = max(0, f.count-cost)
	return true
}
