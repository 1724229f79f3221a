package memory

import ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"

func init() {
	ratelimit.RegisterLocal(func(capacity int) ratelimit.Store { return New(WithCapacity(capacity)) })
}
