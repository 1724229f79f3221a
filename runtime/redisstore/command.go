package redisstore

import "github.com/redis/go-redis/v9"

// command is a script's call. The client must not repeat it by itself: it may
// have run although its answer was lost.
type command struct {
	*redis.StringCmd
	bundle *bundle
}

// NoRetry keeps the client from sending the command again.
func (*command) NoRetry() bool { return true }

// Clone keeps copies of the command from being sent again, too.
func (c *command) Clone() redis.Cmder {
	return &command{c.StringCmd.Clone().(*redis.StringCmd), c.bundle}
}

// Args are what the client writes. It asks when it has a connection: who has left
// by then is not charged. Where that is everybody, there is something in the
// command's place that charges nothing.
func (c *command) Args() []any {
	if c.bundle.present() == 0 {
		return nothing
	}
	return c.StringCmd.Args()
}

var nothing = []any{"ping"}

// arg is an argument in a buffer that is used again. The client takes it for
// a [encoding.BinaryMarshaler], traces take it for a [fmt.Stringer].
type arg struct{ text []byte }

func (a *arg) MarshalBinary() ([]byte, error) { return a.text, nil }

func (a *arg) String() string { return string(a.text) }
