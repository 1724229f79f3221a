package main

import (
	"context"
	"time"

	"github.com/go-redis/redis_rate/v10"
	"github.com/ratelimitgen/ratelimitgen/bench/load"
	"github.com/throttled/throttled/v2"
	throttledstore "github.com/throttled/throttled/v2/store/goredisstore.v9"
	ulule "github.com/ulule/limiter/v3"
	ululestore "github.com/ulule/limiter/v3/drivers/store/redis"
)

// perSecond is a rate that no machine reaches.
const perSecond = 1_000_000_000

// libraryRows are other limiters over Redis.
func libraryRows(l *lab) []*contender {
	return []*contender{
		{name: nameRedisRate, often: true, open: redisRate(l)},
		{name: nameUlule, open: ululeLimiter(l)},
		{name: nameThrottled, open: throttledLimiter(l)},
	}
}

func nothing() {}

func redisRate(l *lab) func(job) (*subject, error) {
	limiter := redis_rate.NewLimiter(l.client())
	return func(j job) (*subject, error) {
		limit := redis_rate.PerSecond(perSecond)
		if !j.passes() {
			limit = redis_rate.Limit{Rate: 1, Burst: 1, Period: day}
		}
		return &subject{func(c *load.Caller) (bool, error) {
			r, err := limiter.Allow(context.Background(), j.key(c), limit)
			return err == nil && r.Allowed > 0, err
		}, nothing}, nil
	}
}

func ululeLimiter(l *lab) func(job) (*subject, error) {
	client := l.client()
	return func(j job) (*subject, error) {
		store, err := ululestore.NewStore(client)
		if err != nil {
			return nil, err
		}
		rate := ulule.Rate{Period: day, Limit: plenty}
		if !j.passes() {
			rate.Limit = 1
		}
		limiter := ulule.New(store, rate)
		return &subject{func(c *load.Caller) (bool, error) {
			r, err := limiter.Get(context.Background(), j.key(c))
			return err == nil && !r.Reached, err
		}, nothing}, nil
	}
}

func throttledLimiter(l *lab) func(job) (*subject, error) {
	client := l.client()
	return func(j job) (*subject, error) {
		store, err := throttledstore.NewCtx(client, "throttled:")
		if err != nil {
			return nil, err
		}
		quota := throttled.RateQuota{MaxRate: throttled.PerDuration(perSecond, time.Second), MaxBurst: perSecond}
		if !j.passes() {
			quota = throttled.RateQuota{MaxRate: throttled.PerDay(1)}
		}
		limiter, err := throttled.NewGCRARateLimiterCtx(store, quota)
		if err != nil {
			return nil, err
		}
		return &subject{func(c *load.Caller) (bool, error) {
			limited, _, err := limiter.RateLimitCtx(context.Background(), j.key(c), 1)
			return err == nil && !limited, err
		}, nothing}, nil
	}
}
