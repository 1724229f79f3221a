package main

// The rows that others are compared with.
const (
	nameOurs      = "`fixed`"
	nameNoCache   = "`fixed`, no deny cache"
	nameSingle    = "`fixed`, no batching"
	nameAsIs      = "`fixed`, no ContextTimeoutEnabled"
	nameNeither   = "`fixed`, neither"
	nameByHand    = "`fixed`, `Admit` by hand"
	nameAcquire   = "`fixed`, `Acquire`"
	namePlain     = "our script, go-redis"
	nameRueidis   = "our script, rueidis"
	nameAuto      = "our script, go-redis AutoPipeline"
	nameRedisRate = "go-redis/redis_rate"
	nameUlule     = "ulule/limiter"
	nameThrottled = "throttled/throttled"
	nameNothing   = "`return 1`, go-redis"
	namePipelined = "our script, redis-benchmark -P 50"
)
