package ratelimit

// recents is a power of two.
const recents = 8

// recent is a few of the rules that the calls of a batch have had. Whoever holds
// the batch is the only one to use it. It holds of a Limiter what is known of
// its rules and nothing else, however long the Limiter has been gone.
type recent [recents]*known

// find returns what g knows of the rule called name, or nil.
func (c *recent) find(g *registry, name string) *known {
	if k := c[place(name)]; k != nil && k.by == g && k.rule.Name == name {
		return k
	}
	return nil
}

func (c *recent) keep(k *known) { c[place(k.rule.Name)] = k }

// place tells names apart that differ at their end, as those of the rules of a
// program do.
func place(name string) uint {
	n := uint(len(name))
	if n == 0 {
		return 0
	}
	return (n + uint(name[n-1])) % recents
}
