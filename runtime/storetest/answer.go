package storetest

import (
	"fmt"
	"slices"
	"strings"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

// Answer is what a store said to a batch.
type Answer struct {
	Allowed bool
	Time    int64
	Results []ratelimit.Result // without receipts
	Granted int64

	receipts []int64
}

func answerOf(b *ratelimit.Batch) Answer {
	a := Answer{Allowed: b.Allowed, Time: b.Time, Granted: b.Granted}
	for i := range b.Items {
		r := b.Items[i].Result
		a.receipts = append(a.receipts, r.Receipt)
		r.Receipt = 0
		a.Results = append(a.Results, r)
	}
	return a
}

// equal does not look at receipts: what they say is each store's own affair.
func (a Answer) equal(b Answer) bool {
	return a.Allowed == b.Allowed && a.Time == b.Time && a.Granted == b.Granted && slices.Equal(a.Results, b.Results)
}

func (a Answer) String() string {
	var s strings.Builder
	fmt.Fprintf(&s, "%s at %d", word(a.Allowed), a.Time-epoch)
	if a.Granted != 0 {
		fmt.Fprintf(&s, " granted=%d", a.Granted)
	}
	for _, r := range a.Results {
		fmt.Fprintf(&s, " [%s remaining=%d", word(r.Allowed), r.Remaining)
		duration(&s, "retry", r.RetryAfter)
		duration(&s, "reset", r.ResetAfter)
		duration(&s, "delay", r.Delay)
		s.WriteByte(']')
	}
	return s.String()
}

func word(allowed bool) string {
	if allowed {
		return "pass"
	}
	return "refuse"
}

func duration(s *strings.Builder, name string, d time.Duration) {
	switch {
	case d == ratelimit.Never:
		fmt.Fprintf(s, " %s=never", name)
	case d != 0:
		fmt.Fprintf(s, " %s=%v", name, d)
	}
}

// show writes an item as a reader of a failed test needs it.
func show(it *ratelimit.Item) string {
	var s strings.Builder
	r := it.Rule
	fmt.Fprintf(&s, "%v limit=%d", r.Algorithm, it.Limit)
	if r.Calendar == 0 {
		fmt.Fprintf(&s, " window=%v", r.Window)
	} else {
		fmt.Fprintf(&s, " window=%v tz=%s", r.Calendar, r.Zone)
	}
	if r.Burst != 0 {
		fmt.Fprintf(&s, " burst=%d", r.Burst)
	}
	if it.MaxDelay != 0 {
		fmt.Fprintf(&s, " maxdelay=%v", it.MaxDelay)
	}
	if it.Cost != 1 {
		fmt.Fprintf(&s, " cost=%d", it.Cost)
	}
	fmt.Fprintf(&s, " rule=%s key=%q", r.Name, it.Key)
	if it.Broken {
		s.WriteString(" broken")
	}
	if it.Shadow {
		s.WriteString(" shadow")
	}
	if it.Tag != "" {
		fmt.Fprintf(&s, " tag=%q", it.Tag)
	}
	return s.String()
}
