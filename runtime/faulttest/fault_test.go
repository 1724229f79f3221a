package faulttest

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// fault is a kind of failure.
type fault struct {
	name string
	args []string // of the server

	// begin brings it about, end mends it. Both return when it is so.
	begin, end func(*rig)

	proxied bool // the client asks through the proxy
	user    bool // the client has a user and a password of its own
	pool    int  // connections of the client, if not as many as usual

	harmless bool // the store answers all the same
	setup    bool // it is a misconfiguration
	oneKey   bool // only the calls of the hot key fail
	reads    bool // the server still refuses calls, which changes nothing
	forgets  bool // the server starts again with less than it had
}

var faults = []fault{
	{
		name: "refused", forgets: true,
		begin: func(r *rig) { r.server.Kill() },
		end:   func(r *rig) { r.up() },
	},
	{
		name: "reset", proxied: true,
		begin: func(r *rig) { r.proxy.spoil.Store(&spoil{reset: true}) },
		end:   func(r *rig) { r.proxy.spoil.Store(nil) },
	},
	{
		name: "answers lost", proxied: true,
		begin: func(r *rig) { r.proxy.spoil.Store(&spoil{lost: true}) },
		end:   func(r *rig) { r.proxy.spoil.Store(nil) },
	},
	{
		name:  "hang",
		begin: func(r *rig) { r.server.Freeze(r.t) },
		end:   func(r *rig) { r.server.Thaw(r.t) },
	},
	{
		name: "slow", proxied: true,
		begin: func(r *rig) { r.proxy.spoil.Store(&spoil{delay: 6 * timeout}) },
		end:   func(r *rig) { r.proxy.spoil.Store(nil) },
	},
	{
		name: "LOADING", forgets: true,
		args:  []string{"--key-load-delay", "3000", "--loading-process-events-interval-bytes", "1024"},
		begin: func(r *rig) { r.fill(2000); r.admin("SAVE"); r.server.Kill(); r.up() },
		end:   func(r *rig) { r.admin("CONFIG", "SET", "key-load-delay", "0"); r.eventually("PING") },
	},
	{
		name: "BUSY", args: []string{"--busy-reply-threshold", "1"},
		begin: func(r *rig) { r.loop(); r.until("BUSY") },
		end:   func(r *rig) { r.admin("SCRIPT", "KILL") },
	},
	{
		name: "OOM", reads: true,
		begin: func(r *rig) { r.admin("CONFIG", "SET", "maxmemory", "1") },
		end:   func(r *rig) { r.admin("CONFIG", "SET", "maxmemory", "0") },
	},
	{
		name: "READONLY", reads: true,
		begin: func(r *rig) { r.admin("REPLICAOF", "127.0.0.1", "1") },
		end:   func(r *rig) { r.admin("REPLICAOF", "NO", "ONE") },
	},
	{
		name: "MASTERDOWN", args: []string{"--replica-serve-stale-data", "no"},
		begin: func(r *rig) { r.admin("REPLICAOF", "127.0.0.1", "1") },
		end:   func(r *rig) { r.admin("REPLICAOF", "NO", "ONE") },
	},
	{
		name: "NOREPLICAS", reads: true,
		begin: func(r *rig) { r.admin("CONFIG", "SET", "min-replicas-to-write", "1") },
		end:   func(r *rig) { r.admin("CONFIG", "SET", "min-replicas-to-write", "0") },
	},
	{
		name: "NOSCRIPT", harmless: true,
		begin: func(r *rig) { r.forever(20*time.Millisecond, func() { r.root.ScriptFlush(context.Background()) }) },
		end:   func(r *rig) { r.stop() },
	},
	answering("MOVED", "MOVED 1 127.0.0.1:1"),
	answering("ASK", "ASK 1 127.0.0.1:1"),
	answering("TRYAGAIN", "TRYAGAIN Multiple keys request during rehashing of slot"),
	{
		name: "CLUSTERDOWN", args: []string{"--cluster-enabled", "yes", "--cluster-node-timeout", "500"},
		begin: func(r *rig) { r.admin("CLUSTER", "DELSLOTSRANGE", "0", "16383") },
		end:   func(r *rig) { r.admin("CLUSTER", "ADDSLOTSRANGE", "0", "16383"); r.eventually("GET", "k") },
	},
	{
		name: "NOAUTH", setup: true,
		begin: func(r *rig) { r.admin("CONFIG", "SET", "requirepass", "x"); r.kick() },
		end:   func(r *rig) { r.admin("CONFIG", "SET", "requirepass", "") },
	},
	{
		name: "WRONGPASS", user: true, setup: true,
		begin: func(r *rig) { r.admin("ACL", "SETUSER", userName, "resetpass", ">other"); r.kick() },
		end:   func(r *rig) { r.admin("ACL", "SETUSER", userName, ">"+userPassword) },
	},
	{
		name: "NOPERM", user: true, setup: true,
		begin: func(r *rig) { r.admin("ACL", "SETUSER", userName, "-@all") },
		end:   func(r *rig) { r.admin("ACL", "SETUSER", userName, "+@all") },
	},
	{
		name: "pool exhausted", pool: 4,
		begin: func(r *rig) { r.occupy(4) },
		end:   func(r *rig) { r.stop() },
	},
	{
		name:  "no more clients",
		begin: func(r *rig) { r.admin("CONFIG", "SET", "maxclients", "1"); r.kick() },
		end:   func(r *rig) { r.admin("CONFIG", "SET", "maxclients", "1000") },
	},
	{
		name: "WRONGTYPE", oneKey: true,
		begin:   func(r *rig) { r.admin("EVAL", usurp, 1, hotKey) },
		end:     func(r *rig) { r.admin("DEL", hotKey) },
		forgets: true,
	},
}

// usurp puts something else into a key while others use it.
const usurp = "redis.call('DEL', KEYS[1]) return redis.call('HSET', KEYS[1], 'field', 'value')"

// answering is a fault that has the proxy answer.
func answering(name, answer string) fault {
	return fault{
		name: name, proxied: true,
		begin: func(r *rig) { r.proxy.spoil.Store(&spoil{answer: answer}) },
		end:   func(r *rig) { r.proxy.spoil.Store(nil) },
	}
}

// admin has the server carry out a command, past the proxy.
func (r *rig) admin(args ...any) {
	r.t.Helper()
	if err := r.root.Do(context.Background(), args...).Err(); err != nil && err != redis.Nil {
		r.t.Fatalf("%v: %v", args, err)
	}
}

// up starts the server again.
func (r *rig) up() {
	if err := r.server.Up(); err != nil {
		r.t.Fatal(err)
	}
}

// eventually waits until the server carries out a command.
func (r *rig) eventually(args ...any) {
	await(r.t, fmt.Sprint(args...), func() bool {
		err := r.root.Do(context.Background(), args...).Err()
		return err == nil || err == redis.Nil
	})
}

// until waits for the server to answer with code.
func (r *rig) until(code string) {
	await(r.t, code, func() bool {
		err := r.root.Ping(context.Background()).Err()
		return err != nil && strings.HasPrefix(err.Error(), code)
	})
}

// fill gives the server n keys to load.
func (r *rig) fill(n int) {
	r.admin("EVAL", "for i = 1, ARGV[1] do redis.call('SET', 'filler' .. i, 'some value of some length') end", 0, n)
}

// loop keeps the server busy until SCRIPT KILL.
func (r *rig) loop() {
	c := redis.NewClient(&redis.Options{Addr: r.server.Addr(), ReadTimeout: -1, MaxRetries: -1})
	r.background.Go(func() {
		defer c.Close()
		c.Eval(context.Background(), "while true do end", nil)
	})
}

// kick closes the connections of all others.
func (r *rig) kick() { r.admin("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes") }

// forever does something again and again until stop.
func (r *rig) forever(pause time.Duration, f func()) {
	stopping := make(chan struct{})
	r.release = append(r.release, func() { close(stopping) })
	r.background.Go(func() {
		for {
			select {
			case <-stopping:
				return
			case <-time.After(pause):
				f()
			}
		}
	})
}

// occupy takes n connections of each of the client's two pools until stop.
func (r *rig) occupy(n int) {
	ctx, cancel := context.WithCancel(context.Background())
	for i := range n {
		single, piped := fmt.Sprint("occupied", i), fmt.Sprint("occupied", n+i)
		r.background.Go(func() { r.client.BLPop(ctx, time.Minute, single) })
		r.background.Go(func() {
			r.client.Pipelined(ctx, func(p redis.Pipeliner) error { return p.BLPop(ctx, time.Minute, piped).Err() })
		})
	}
	r.release = append(r.release, func() {
		for i := range 2 * n {
			r.admin("RPUSH", fmt.Sprint("occupied", i), "x")
		}
		cancel()
	})
	await(r.t, "all connections occupied", func() bool {
		text, err := r.root.Info(context.Background(), "clients").Result()
		return err == nil && strings.Contains(text, fmt.Sprintf("blocked_clients:%d\r\n", 2*n))
	})
}

// stop ends what goes on in the background.
func (r *rig) stop() {
	for _, release := range r.release {
		release()
	}
	r.release = nil
	r.background.Wait()
}
