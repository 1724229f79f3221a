// Command demo calls the limited SMS service and shows what becomes of each
// call. It decides in memory, or on a server: REDIS_URL=redis://host:6379/0.
package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/ratelimitgen/ratelimitgen/examples/sms"
	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/ratelimitgen/ratelimitgen/runtime/memory"
	"github.com/ratelimitgen/ratelimitgen/runtime/redisstore"
)

func main() {
	if err := run(context.Background(), os.Stdout, os.Getenv("REDIS_URL")); err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer, redisURL string) error {
	store, where, err := open(redisURL)
	if err != nil {
		return err
	}
	limiter := ratelimit.New(store, ratelimit.WithTimeout(2*time.Second),
		ratelimit.WithFailure(ratelimit.FailClosed), ratelimit.WithLogger(slog.New(slog.DiscardHandler)))
	defer limiter.Close()
	if err := limiter.Ready(ctx); err != nil {
		return err
	}
	fmt.Fprintf(out, "Limits are decided %s.\n", where)
	show(ctx, out, limiter)
	return nil
}

// open returns the store and says where it decides. Each run on a server has
// a prefix of its own, so that none finds what an earlier one used up.
func open(redisURL string) (ratelimit.Store, string, error) {
	if redisURL == "" {
		return memory.New(), "in this process's memory; REDIS_URL=redis://localhost:6379/0 uses a server", nil
	}
	options, err := redis.ParseURL(redisURL)
	if err != nil {
		return nil, "", fmt.Errorf("REDIS_URL: %w", err)
	}
	prefix := fmt.Sprintf("sms-demo-%x:", time.Now().UnixNano())
	client := redis.NewClient(options)
	return redisstore.New(client, redisstore.WithPrefix(prefix)),
		fmt.Sprintf("by the Redis server at %s, under the prefix %s", options.Addr, prefix), nil
}

func show(ctx context.Context, out io.Writer, limiter *ratelimit.Limiter) {
	gateway := &gateway{}
	service := sms.NewRateLimitedSMSService(&sms.SMSService{Gateway: gateway}, limiter)
	table := &table{out: out, gateway: gateway}

	table.head("SendVerifyCode: 3 calls in any minute for each user; then SendFallback answers")
	for _, user := range []int64{10086, 10086, 10086, 10086, 10086, 10087} {
		table.row(ctx, fmt.Sprint("user ", user), func(ctx context.Context) error {
			return service.SendVerifyCode(ctx, user, "555-0100")
		})
	}

	invite := func(to string) time.Duration {
		return table.row(ctx, "user 10086 to "+to, func(ctx context.Context) error {
			return service.SendInvite(ctx, 10086, to)
		})
	}
	table.head("SendInvite: 4 a day from each user and 1 in any 2s to each number, decided together")
	invite("555-0101")
	table.pause(invite("555-0101"), "a refused call has taken nothing from either rule")
	invite("555-0101")
	invite("555-0102")
	invite("555-0103")
	invite("555-0104")
}
