package redistest

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"
)

// MasterName is what the sentinels call the master.
const MasterName = "main"

const quorum = 2

// Sentinel is a master with a replica, and three sentinels that watch over
// them. A master that is gone for a second is replaced.
type Sentinel struct {
	Data      [2]*Server // the first one is the master at the start
	Sentinels [3]*Server
}

// StartSentinel runs a [Sentinel] until tb ends. Further args are options of the
// master and the replica.
func StartSentinel(tb testing.TB, args ...string) *Sentinel {
	tb.Helper()
	s := new(Sentinel)
	args = slices.Concat(replication, args)
	s.Data[0] = Start(tb, args...)
	s.Data[1] = Start(tb, append(args, "--replicaof", "127.0.0.1 "+strconv.Itoa(s.Data[0].port))...)
	for i := range s.Sentinels {
		s.Sentinels[i] = reserveSentinel(tb, s.Data[0].port, strings.Repeat(strconv.Itoa(i+1), 40))
	}
	for i := range s.Sentinels {
		s.startSentinel(tb, i)
	}
	s.Await(tb)
	return s
}

func reserveSentinel(tb testing.TB, master int, id string) *Server {
	tb.Helper()
	s, err := Reserve()
	if err != nil {
		tb.Fatalf("redistest: %v", err)
	}
	tb.Cleanup(s.Close)
	s.config = []string{filepath.Join(s.dir, "sentinel.conf"), "--sentinel"}
	text := fmt.Sprintf(`sentinel myid %[1]s
sentinel monitor %[2]s 127.0.0.1 %[3]d %[4]d
sentinel down-after-milliseconds %[2]s 1000
sentinel failover-timeout %[2]s 3000
`, id, MasterName, master, quorum)
	if err := os.WriteFile(s.config[0], []byte(text), 0o600); err != nil {
		tb.Fatalf("redistest: %v", err)
	}
	return s
}

// startSentinel starts one sentinel and has it ask several times as often as
// usual. A replica is not promoted if the last five pings were too long ago
// for what it has said, which during a failover it is asked each second. That a
// busy machine stops for a moment is no reason to tilt.
func (s *Sentinel) startSentinel(tb testing.TB, i int) {
	tb.Helper()
	if err := s.Sentinels[i].Up(); err != nil {
		tb.Fatalf("redistest: %v", err)
	}
	err := s.Sentinels[i].Client(tb).Do(context.Background(), "SENTINEL", "DEBUG",
		"INFO-PERIOD", 200, "PING-PERIOD", 400, "ASK-PERIOD", 100, "PUBLISH-PERIOD", 200, "TILT-TRIGGER", 20_000).Err()
	if err != nil {
		tb.Fatalf("redistest: SENTINEL DEBUG: %v", err)
	}
}

// Await waits until all sentinels know each other and a replica that is up to
// date.
func (s *Sentinel) Await(tb testing.TB) {
	tb.Helper()
	for _, one := range s.Sentinels {
		c := one.Client(tb)
		await(tb, "a sentinel to know all", func() bool {
			master := redis.NewMapStringStringCmd(context.Background(), "SENTINEL", "MASTER", MasterName)
			err := c.Process(context.Background(), master)
			is := master.Val()
			return err == nil && is["flags"] == "master" && is["num-other-sentinels"] == "2" && is["num-slaves"] == "1"
		})
	}
	for _, one := range s.Data {
		c := one.Client(tb)
		await(tb, "the replica", func() bool { return replicated(c) })
	}
}

// Options are those of a client that asks the sentinels for the master.
func (s *Sentinel) Options() *redis.FailoverOptions {
	o := &redis.FailoverOptions{MasterName: MasterName}
	for _, one := range s.Sentinels {
		o.SentinelAddrs = append(o.SentinelAddrs, one.Addr())
	}
	return o
}

// Client returns a client with the library's own options that ends with tb.
func (s *Sentinel) Client(tb testing.TB) *redis.Client {
	c := redis.NewFailoverClient(s.Options())
	tb.Cleanup(func() { c.Close() })
	return c
}

// Master is the server that most sentinels take for the master.
func (s *Sentinel) Master(tb testing.TB) *Server {
	tb.Helper()
	votes := map[string]int{}
	for _, one := range s.Sentinels {
		addr, err := one.Client(tb).Do(context.Background(), "SENTINEL", "GET-MASTER-ADDR-BY-NAME", MasterName).StringSlice()
		if err == nil && len(addr) == 2 {
			votes[net.JoinHostPort(addr[0], addr[1])]++
		}
	}
	for _, server := range s.Data {
		if votes[server.Addr()] >= quorum {
			return server
		}
	}
	tb.Fatalf("redistest: the sentinels have no common master: %v", votes)
	return nil
}

// AwaitMaster waits until most sentinels take want for the master.
func (s *Sentinel) AwaitMaster(tb testing.TB, want *Server) {
	tb.Helper()
	await(tb, "another master", func() bool { return s.Master(tb) == want })
}

// Replica is the server that is not the master.
func (s *Sentinel) Replica(tb testing.TB) *Server {
	tb.Helper()
	if s.Master(tb) == s.Data[0] {
		return s.Data[1]
	}
	return s.Data[0]
}
