package redisstore

import (
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/redis/go-redis/v9"
)

// TestClassify provokes errors of a real server and has them told apart.
func TestClassify(t *testing.T) {
	it := item(rule("fault", ratelimit.FixedWindow, 5, time.Hour), "k")
	for _, c := range []struct {
		name  string
		spoil func(*redis.Client, *Store) error
		text  string
		want  ratelimit.Fault
	}{
		{"other type", func(c *redis.Client, s *Store) error { return c.HSet(t.Context(), s.key(&it), "a", "b").Err() },
			"WRONGTYPE", ratelimit.BucketFault},
		{"other content", func(c *redis.Client, s *Store) error { return c.Set(t.Context(), s.key(&it), "other", 0).Err() },
			"too short", ratelimit.BucketFault},
		{"memory", func(c *redis.Client, _ *Store) error { return c.ConfigSet(t.Context(), "maxmemory", "1").Err() },
			"OOM", ratelimit.StoreFault},
		{"replicas", func(c *redis.Client, _ *Store) error {
			return c.ConfigSet(t.Context(), "min-replicas-to-write", "1").Err()
		},
			"NOREPLICAS", ratelimit.StoreFault},
		{"command", func(c *redis.Client, _ *Store) error { return acl(t, c, "-evalsha") }, "NOPERM", ratelimit.SetupFault},
		{"command in the script", func(c *redis.Client, _ *Store) error { return acl(t, c, "-get") }, "The user", ratelimit.SetupFault},
		{"key", func(c *redis.Client, _ *Store) error { return acl(t, c, "resetkeys") }, "NOPERM", ratelimit.SetupFault},
		{"user", func(c *redis.Client, _ *Store) error {
			return errors.Join(acl(t, c, "off"), c.Do(t.Context(), "CLIENT", "KILL", "USER", "svc").Err())
		}, "WRONGPASS", ratelimit.SetupFault},
	} {
		t.Run(c.name, func(t *testing.T) {
			server, admin, _ := standalone(t)
			if err := acl(t, admin, "reset", "on", ">pw", "~*", "+@all"); err != nil {
				t.Fatal(err)
			}
			client := redis.NewClient(&redis.Options{Addr: server.Addr(), Username: "svc", Password: "pw"})
			t.Cleanup(func() { client.Close() })
			s := open(t, client)
			if err := c.spoil(admin, s); err != nil {
				t.Fatal(err)
			}
			_, err := try(s, it)
			if err == nil || !strings.Contains(err.Error(), c.text) || s.Classify(err) != c.want {
				t.Errorf("%v is a fault of the %v, want %s of the %v", err, s.Classify(err), c.text, c.want)
			}
		})
	}
}

func acl(t *testing.T, c *redis.Client, rules ...any) error {
	return c.Do(t.Context(), append([]any{"ACL", "SETUSER", "svc"}, rules...)...).Err()
}

func TestClassifyWithoutAnAnswer(t *testing.T) {
	dial := &net.OpError{Op: "dial", Err: os.ErrDeadlineExceeded}
	for err, want := range map[error]ratelimit.Fault{
		&lateError{}:         ratelimit.LateFault,
		&lateError{errBusy}:  ratelimit.LateFault,
		redis.ErrPoolTimeout: ratelimit.LateFault,
		&net.OpError{Op: "read", Err: os.ErrDeadlineExceeded}: ratelimit.LateFault,
		dial:             ratelimit.StoreFault,
		&lateError{dial}: ratelimit.StoreFault,
		io.EOF:           ratelimit.StoreFault,
	} {
		if got := (&Store{}).Classify(err); got != want {
			t.Errorf("%v: a fault of the kind %v, want %v", err, got, want)
		}
	}
}

// answer is what a server of an earlier version says.
type answer string

func (a answer) Error() string { return string(a) }
func (answer) RedisError()     {}

func TestClassifyEarlierVersions(t *testing.T) {
	const before = "ERR Error running script (call to f_6a2f): @user_script:20: "
	for text, want := range map[answer]ratelimit.Fault{
		before + "WRONGTYPE Operation against a key":                             ratelimit.BucketFault,
		before + "@user_script: 20: -OOM command not allowed":                    ratelimit.StoreFault,
		before + "-READONLY You can't write against a read only replica.":        ratelimit.StoreFault,
		before + "The user executing the script can't run this command":          ratelimit.SetupFault,
		before + "@user_script: 3: Unknown Redis command called from Lua script": ratelimit.SetupFault,
		"BUSY Redis is busy running a script.":                                   ratelimit.StoreFault,
		"ERR max number of clients reached":                                      ratelimit.StoreFault,
	} {
		if got := (&Store{}).Classify(&lateError{text}); got != want {
			t.Errorf("%s: a fault of the %v, want %v", text, got, want)
		}
	}
}
