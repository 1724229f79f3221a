package ratelimit

// Request asks a Rule for quota. The zero Request asks for nothing.
type Request struct {
	Rule  *Rule
	Key   string // which bucket of the rule; any bytes, may be empty
	Cost  int64  // how much the call takes; 0 means 1
	Limit int64  // in place of the rule's; 0 means the rule's, below 0 refuses
	Tag   string // in place of the rule's; empty means the rule's
	Err   error  // why Key, or Cost, could not be made

	tagged bool // Tag is set, if to nothing
}

// WithCost returns r with cost n. A call of cost 0 takes nothing and is not
// asked for. A negative cost is a broken key, see [Rule.Try].
func (r Request) WithCost(n int64) Request {
	switch {
	case n == 0:
		return Request{}
	case n < 0:
		r.Cost = 1
		if r.Err == nil {
			r.Err = errNegativeCost
		}
	default:
		r.Cost = n
	}
	return r
}

// WithLimit returns r with limit n in place of the rule's. A limit of 0 or
// less refuses the call.
func (r Request) WithLimit(n int64) Request {
	r.Limit = n
	if n <= 0 {
		r.Limit = denyAll
	}
	return r
}

// WithTag returns r with tag s in place of the rule's.
func (r Request) WithTag(s string) Request {
	r.Tag, r.tagged = s, true
	return r
}

const denyAll = -1

// quota returns the limit of r, 0 where r is to be refused.
func (r *Request) quota() (int64, error) {
	switch {
	case r.Limit < 0:
		return 0, nil
	case r.Limit == 0 && r.Rule.Limit == 0:
		return 0, errNoLimit
	case r.Limit == 0:
		return r.Rule.Limit, nil // which was checked with the rule
	}
	if f := r.Rule.spec().CheckLimit(r.Limit); f != nil {
		return 0, f
	}
	return r.Limit, nil
}

// key returns the key as it may be seen.
func (r *Request) key() string {
	if r.Rule.Private {
		return digest(r.Key)
	}
	return r.Key
}

func (r *Request) tag() string {
	if r.Tag == "" {
		return r.Rule.Tag
	}
	return r.Tag
}

// untagged reports whether r lacks the tag that it should bring.
func (r *Request) untagged() bool { return r.Rule.Tagged && r.Tag == "" && !r.tagged }

func (r *Request) cost() int64 {
	return min(max(r.Cost, 1), MaxCost)
}

// broken returns why r draws from the bucket of broken keys, or nil.
func (r *Request) broken() error {
	if r.Err == nil && r.Cost < 0 {
		return errNegativeCost
	}
	return r.Err
}
