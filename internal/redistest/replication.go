package redistest

import (
	"context"
	"strings"

	"github.com/redis/go-redis/v9"
)

// replication are options with which a replica gets all that its master writes
// at once. One that was synchronised without a file would wait for its first
// acknowledgement, up to a second.
var replication = []string{"--repl-diskless-sync", "no", "--repl-ping-replica-period", "1"}

// replicated reports whether the server behind c has nothing to do with
// replicas, or its own link and those of its replicas are up.
func replicated(c *redis.Client) bool {
	text, err := c.Info(context.Background(), "replication").Result()
	return err == nil && !strings.Contains(text, "master_link_status:down") &&
		strings.Count(text, "ip=") == strings.Count(text, "state=online")
}
