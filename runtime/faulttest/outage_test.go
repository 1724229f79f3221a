package faulttest

import "time"

// outage is when a run's outage began, for calls that are told how long it has
// lasted.
type outage struct {
	earliest time.Duration // the first call that failed was asked
	surely   time.Duration // the first one had failed that failed after the last answer
}

// spread finds the outage in the records.
func (r *run) spread() outage {
	answered := r.warm
	o := outage{earliest: r.mended, surely: r.mended}
	for _, c := range r.records {
		switch {
		case c.end < r.warm:
		case !c.outcome.decided():
			o.earliest = min(o.earliest, c.begin)
		case c.begin < r.mended && (!c.hot || c.outcome == passed):
			answered = max(answered, c.end)
		}
	}
	for _, c := range r.records {
		if !c.outcome.decided() && c.end > answered {
			o.surely = min(o.surely, c.end)
		}
	}
	return o
}
