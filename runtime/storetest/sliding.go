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

func (s *sliding) charge(n, cost, _ int64) int64 {
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
	return n
}

func (s *sliding) refund(n, receipt, cost, _ int64) bool {
	if receipt <= n-s.window {
		return false
	}
	var kept []int64
	for _, e := range s.accepted {
		if e == receipt && cost > 0 {
			cost--
			continue
		}
		kept = append(kept, e)
	}
	found := len(kept) < len(s.accepted)
	s.accepted = kept
	return found
}
