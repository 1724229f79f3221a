package storetest

type sliding struct {
	atOnce
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
	if last, ok := s.newest(); !ok || last <= t+s.window {
		return
	}
	for i, e := range s.accepted {
		s.accepted[i] = min(e, t)
	}
}

func (s *sliding) used(n, _ int64) int64 {
	count := int64(0)
	for _, e := range s.accepted {
		if e > n-s.window {
			count++
		}
	}
	return count
}

func (s *sliding) charge(n, cost, _ int64) {
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
