package storetest

type sliding struct {
	window   int64
	accepted []int64 // oldest first
}

func (s *sliding) newest() (int64, bool) {
	if len(s.accepted) == 0 {
		return 0, false
	}
	return s.accepted[len(s.accepted)-1], true
}

func (s *sliding) repair(t int64) {
	for i, e := range s.accepted {
		s.accepted[i] = min(e, t)
	}
}

func (s *sliding) used(n int64) int64 {
	count := int64(0)
	for _, e := range s.accepted {
		if e > n-s.window {
			count++
		}
	}
	return count
}

func (s *sliding) charge(n, cost int64) {
	var live []int64
	for _, e := range s.accepted {
		if e > n-s.window {
			live = append(live, e)
		}
	}
	for range cost {
		live = append(live, n)
	}
	s.accepted = live
}
