package main

import (
	"context"
	"fmt"

	"github.com/redis/go-redis/v9"
)

// recorder keeps the last call of a script, to be sent again.
type recorder struct{ args []any }

var _ redis.Hook = (*recorder)(nil)

// DialHook changes nothing.
func (r *recorder) DialHook(next redis.DialHook) redis.DialHook { return next }

// ProcessPipelineHook changes nothing.
func (r *recorder) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

// ProcessHook keeps copies of the arguments: the store uses theirs again.
func (r *recorder) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		if cmd.Name() == "evalsha" {
			r.args = nil
			for _, arg := range cmd.Args() {
				r.args = append(r.args, fmt.Sprint(arg))
			}
		}
		return next(ctx, cmd)
	}
}
