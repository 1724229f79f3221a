package clientlog

import (
	"context"
	"fmt"
	"log/slog"
	"os"

	"github.com/redis/go-redis/v9"
)

// clientLog is where go-redis writes, in place of stderr.
type clientLog struct{ to *slog.Logger }

func (l clientLog) Printf(ctx context.Context, format string, v ...any) {
	l.to.WarnContext(ctx, fmt.Sprintf(format, v...))
}

func Example() {
	log := slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: timeless}))
	redis.SetLogger(clientLog{log}) // before the first client is made, for all of the program

	rdb := redis.NewClient(&redis.Options{Addr: "127.0.0.1:1", MaxRetries: -1, DialerRetries: 1}) // where nothing listens
	defer rdb.Close()
	rdb.Ping(context.Background())
	// Output:
	// level=WARN msg="redis: connection pool: failed to dial after 1 attempts: dial tcp 127.0.0.1:1: connect: connection refused"
}

func timeless(_ []string, a slog.Attr) slog.Attr {
	if a.Key == slog.TimeKey {
		return slog.Attr{}
	}
	return a
}
