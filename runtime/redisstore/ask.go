package redisstore

import (
	"context"
	"slices"
	"time"

	"github.com/redis/go-redis/v9"
)

// The time between an answer that proves that nothing ran and the next try
// doubles from firstPause to lastPause.
const (
	firstPause = time.Millisecond
	lastPause  = 32 * time.Millisecond
)

// ask sends the command of j, again only after proof that it has not run.
func ask(client redis.UniversalClient, j job) (reply, error) {
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		answer, err := evaluate(client, j)
		if !unrun(err) || !j.pause(err, pause) {
			return answer, err
		}
	}
}

func evaluate(client redis.UniversalClient, j job) (reply, error) {
	answer, err := process(client, j.ctx, j.args)
	if !unknownScript(err) {
		return answer, err
	}
	args := slices.Clone(j.args)
	args[0], args[1] = "eval", j.script.Text
	return process(client, j.ctx, args)
}

func process(client redis.UniversalClient, ctx context.Context, args []any) (reply, error) {
	cmd := newCommand(ctx, args)
	if err := client.Process(ctx, cmd); err != nil {
		return "", err
	}
	return reply(cmd.Val()), nil
}

// pause waits after err, unless there is no more time or the caller has left.
func (j job) pause(err error, d time.Duration) bool {
	if !j.deadline.IsZero() && time.Until(j.deadline) <= d {
		return false
	}
	j.trouble.Store(&err)
	select {
	case <-time.After(d):
		return true
	case <-j.ctx.Done():
		return false
	}
}
