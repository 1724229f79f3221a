package bench

import (
	"strconv"
	"time"

	"github.com/ratelimitgen/ratelimitgen/bench/yardsticks"
	"github.com/ratelimitgen/ratelimitgen/internal/rules"
	"github.com/ratelimitgen/ratelimitgen/runtime/lua"
)

// single is our script for one bucket, with the arguments of package redisstore.
func single(a rules.Algorithm, key string, limit int64, window time.Duration) *contender {
	us := window.Microseconds()
	args := []any{asked(a, limit, us), (us+999)/1000 + 500, -limit}
	return &contender{
		text:   lua.Server().Single(lua.Kind(a)).Text,
		keys:   []string{key},
		args:   func() []any { return args },
		passed: func(reply any) bool { return double(reply, 2) == 0 },
	}
}

// asked is a cost of 1 and what the algorithm asks for, with a burst that is
// the limit.
func asked(a rules.Algorithm, limit, us int64) []byte {
	switch a {
	case rules.SlidingWindow:
		return doubles(1, limit, us, rules.MaxCharge)
	case rules.TokenBucket:
		return doubles(1, limit, limit, us)
	case rules.LeakyBucket:
		return doubles(1, limit, limit, us, -1)
	}
	return doubles(1, limit, us)
}

// several is our script for buckets of several rules.
func several(algorithms []rules.Algorithm, limit int64, window time.Duration) *contender {
	us := window.Microseconds()
	c := &contender{passed: func(reply any) bool { return double(reply, 2) == 0 }}
	var args []any
	var kinds []lua.Kind
	for i, a := range algorithms {
		kinds = append(kinds, lua.Kind(a))
		c.keys = append(c.keys, "{t}"+strconv.Itoa(i))
		args = append(args, asked(a, limit, us), (us+999)/1000+500)
		if lua.Arguments(lua.Kind(a)) > 2 {
			args = append(args, -limit)
		}
	}
	c.text = lua.Server().Straight(kinds).Text
	c.args = func() []any { return args }
	return c
}

func yardstick(text, key string, args func() []any) *contender {
	return &contender{
		text:   text,
		keys:   []string{key},
		args:   args,
		passed: func(reply any) bool { return reply.([]any)[0].(int64) == 1 },
	}
}

func sortedSet(key string, limit int64, window time.Duration) *contender {
	member := 0
	return yardstick(yardsticks.SortedSet, key, func() []any {
		member++
		now := time.Now().UnixMicro()
		return []any{now, window.Microseconds(), limit, strconv.FormatInt(now, 10) + ":" + strconv.Itoa(member)}
	})
}

func counter(key string, limit int64, window time.Duration) *contender {
	return yardstick(yardsticks.Counter, key, func() []any { return []any{window.Milliseconds(), limit} })
}

func hash(key string, limit int64, window time.Duration) *contender {
	return yardstick(yardsticks.Hash, key, func() []any {
		return []any{time.Now().UnixMicro(), window.Microseconds(), limit, 1}
	})
}
