package redisstore

// queue is calls in the order in which they came. A call is in one queue at
// most.
type queue struct {
	first, last *call
	len         int
}

func (q *queue) push(c *call) {
	c.before, c.after = q.last, nil
	if q.last == nil {
		q.first = c
	} else {
		q.last.after = c
	}
	q.last = c
	q.len++
}

func (q *queue) pop() *call {
	c := q.first
	q.remove(c)
	return c
}

func (q *queue) remove(c *call) {
	if c.before == nil {
		q.first = c.after
	} else {
		c.before.after = c.after
	}
	if c.after == nil {
		q.last = c.before
	} else {
		c.after.before = c.before
	}
	c.before, c.after = nil, nil
	q.len--
}
