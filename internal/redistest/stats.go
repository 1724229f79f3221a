package redistest

import (
	"bufio"
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"
)

// Stat is what a server has counted for one command.
type Stat struct {
	Calls int64
	Usec  int64 // all calls together, without waiting and input
}

// PerCall is the mean of Usec.
func (s Stat) PerCall() float64 {
	if s.Calls == 0 {
		return 0
	}
	return float64(s.Usec) / float64(s.Calls)
}

// Stats are the counts of one server by command, in lower case as in
// "evalsha". Commands that a script calls are counted too.
type Stats map[string]Stat

// Stats reads the server's command statistics.
func (s *Server) Stats(tb testing.TB) Stats {
	tb.Helper()
	return ReadStats(tb, s.Client(tb))
}

// ReadStats reads the command statistics of the server behind c.
func ReadStats(tb testing.TB, c *redis.Client) Stats {
	tb.Helper()
	text, err := c.Info(context.Background(), "commandstats").Result()
	if err != nil {
		tb.Fatalf("redistest: INFO commandstats: %v", err)
	}
	return parseStats(text)
}

// ResetStats sets the server's counts to zero.
func (s *Server) ResetStats(tb testing.TB) {
	tb.Helper()
	if err := s.Client(tb).ConfigResetStat(context.Background()).Err(); err != nil {
		tb.Fatalf("redistest: CONFIG RESETSTAT: %v", err)
	}
}

func parseStats(text string) Stats {
	stats := Stats{}
	for lines := bufio.NewScanner(strings.NewReader(text)); lines.Scan(); {
		name, fields, ok := strings.Cut(lines.Text(), ":")
		if command, is := strings.CutPrefix(name, "cmdstat_"); ok && is {
			stats[command] = parseStat(fields)
		}
	}
	return stats
}

func parseStat(fields string) Stat {
	var s Stat
	for field := range strings.SplitSeq(fields, ",") {
		name, value, _ := strings.Cut(field, "=")
		switch name {
		case "calls":
			s.Calls = count(value)
		case "usec":
			s.Usec = count(value)
		}
	}
	return s
}

func count(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		panic(fmt.Sprintf("redistest: the server counts %q", text))
	}
	return n
}
