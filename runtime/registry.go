package ratelimit

import (
	"fmt"
	"hash/maphash"
	"maps"
	"sync"
	"sync/atomic"
)

// registry knows the rules that a Limiter has seen, by name. It does not hold
// them by address: a rule may be made anew for each call.
//
// Calls read settled without a lock. New rules are added to fresh, which
// becomes part of settled once it has been asked as often as settled is large:
// then the copy has cost no more than the lock.
//
// A call looks at what its batch was last used for before it reads settled.
type registry struct {
	settled atomic.Pointer[map[string]*known]

	mu    sync.Mutex
	fresh map[string]*known
	asked int
}

// known is the rule that was first seen under a name.
type known struct {
	by   *registry
	sum  uint64 // of the name
	rule Rule

	refusals throttle
	shadowed throttle
	broken   throttle
	store    throttle

	local atomic.Pointer[Rule] // the rule as FailLocal has it
}

// of returns what is known of r, which is checked the first time.
func (g *registry) of(r *Rule, last *recent) (*known, error) {
	k := last.find(g, r.Name)
	if k == nil {
		learned, err := g.learn(r)
		if err != nil {
			return nil, err
		}
		last.keep(learned)
		k = learned
	}
	if diff := k.rule.differs(r); diff != "" {
		return nil, fmt.Errorf("name: another rule %q has another %s", r.Name, diff)
	}
	if f := r.checkPolicy(); f != nil {
		return nil, f
	}
	return k, nil
}

func (g *registry) learn(r *Rule) (*known, error) {
	if k := g.get(r.Name); k != nil {
		return k, nil
	}
	if f := r.check(); f != nil {
		return nil, f
	}
	if err := contested(r.Name); err != nil {
		return nil, err
	}
	return g.add(r), nil
}

// get returns what is known of the rule called name, or nil.
func (g *registry) get(name string) *known {
	if k := g.all()[name]; k != nil {
		return k
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.latest(name)
}

func (g *registry) add(r *Rule) *known {
	g.mu.Lock()
	defer g.mu.Unlock()
	if k := g.latest(r.Name); k != nil {
		return k
	}
	if g.fresh == nil {
		g.fresh = map[string]*known{}
	}
	k := &known{by: g, sum: sumOf(r.Name), rule: *r}
	g.fresh[r.Name] = k
	return k
}

func (g *registry) all() map[string]*known {
	if p := g.settled.Load(); p != nil {
		return *p
	}
	return nil
}

// latest needs mu: what is fresh settles under it.
func (g *registry) latest(name string) *known {
	k := g.fresh[name]
	if k == nil {
		return g.all()[name]
	}
	if g.asked++; g.asked > len(g.all()) {
		g.settle()
	}
	return k
}

func (g *registry) settle() {
	all := make(map[string]*known, len(g.all())+len(g.fresh))
	maps.Copy(all, g.all())
	maps.Copy(all, g.fresh)
	g.settled.Store(&all)
	clear(g.fresh)
	g.asked = 0
}

// nameSeed is one for all Limiters, any of which may refund what another took.
var nameSeed = maphash.MakeSeed()

func sumOf(name string) uint64 { return maphash.String(nameSeed, name) }

// differs names the first field that decides and is not the same in both.
func (r *Rule) differs(other *Rule) string {
	switch {
	case r.Algorithm != other.Algorithm:
		return "algorithm"
	case r.Limit != other.Limit:
		return "limit"
	case r.Window != other.Window || r.Calendar != other.Calendar:
		return "window"
	case r.Burst != other.Burst:
		return "burst"
	case !same(r.Zone, other.Zone) && r.spec().ZoneName() != other.spec().ZoneName():
		return "time zone"
	case !same(r.Tag, other.Tag) || r.Tagged != other.Tagged:
		return "tag"
	}
	return ""
}
