package main

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"strconv"
	"time"

	"github.com/ratelimitgen/ratelimitgen/bench/load"
	"github.com/ratelimitgen/ratelimitgen/bench/yardsticks"
	"github.com/ratelimitgen/ratelimitgen/internal/rules"
	"github.com/ratelimitgen/ratelimitgen/runtime/lua"
	"github.com/redis/go-redis/v9"
	"github.com/redis/rueidis"
)

// script is one that is called by its digest, for one key.
type script struct {
	text   string
	args   func(limit int64) []string
	fresh  bool // the arguments are others at each call
	passed func(reply any) (bool, error)
}

// ourScript is the limiter's own for one fixed window, called as package
// redisstore does.
var ourScript = script{
	text: lua.Server().Single(lua.Kind(rules.FixedWindow)).Text,
	args: func(limit int64) []string {
		return []string{doubles(1, limit, day.Microseconds()), strconv.FormatInt(day.Milliseconds()+500, 10)}
	},
	passed: func(reply any) (bool, error) {
		packed, ok := reply.(string)
		if !ok || len(packed) != 5*8 {
			return false, errReply
		}
		return packed[2*8:3*8] == doubles(0), nil // the time to wait
	},
}

var usualCounter = script{
	text:   yardsticks.Counter,
	args:   func(limit int64) []string { return numbers(day.Milliseconds(), limit) },
	passed: firstIsOne,
}

var usualBucket = script{
	text:  yardsticks.Hash,
	fresh: true,
	args: func(limit int64) []string {
		return numbers(time.Now().UnixMicro(), day.Microseconds(), limit, 1)
	},
	passed: firstIsOne,
}

// noScript does nothing: less cannot be asked of a server.
var noScript = script{
	text:   "return 1",
	args:   func(int64) []string { return nil },
	passed: func(reply any) (bool, error) { return reply == int64(1), nil },
}

var errReply = errors.New("the script's answer is none of its own")

func firstIsOne(reply any) (bool, error) {
	all, ok := reply.([]any)
	if !ok || len(all) == 0 {
		return false, errReply
	}
	return all[0] == int64(1), nil
}

func doubles(numbers ...int64) string {
	var b []byte
	for _, n := range numbers {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(float64(n)))
	}
	return string(b)
}

func numbers(all ...int64) []string {
	var texts []string
	for _, n := range all {
		texts = append(texts, strconv.FormatInt(n, 10))
	}
	return texts
}

func values(texts []string) []any {
	all := make([]any, len(texts))
	for i, t := range texts {
		all[i] = t
	}
	return all
}

func limitOf(j job) int64 {
	if j.passes() {
		return plenty
	}
	return 1
}

// evaluator is how go-redis calls scripts, with pipelines of its own or not.
type evaluator interface {
	EvalSha(ctx context.Context, sha string, keys []string, args ...any) *redis.Cmd
}

// argsFor returns what makes the arguments of a call.
func (s script) argsFor(j job) func() []string {
	limit := limitOf(j)
	if s.fresh {
		return func() []string { return s.args(limit) }
	}
	args := s.args(limit)
	return func() []string { return args }
}

// over calls s through go-redis.
func (s script) over(l *lab, client evaluator) func(job) (*subject, error) {
	return func(j job) (*subject, error) {
		sha, err := l.load(s.text)
		args := s.argsFor(j)
		return &subject{func(c *load.Caller) (bool, error) {
			reply, err := client.EvalSha(context.Background(), sha, []string{j.key(c)}, values(args())...).Result()
			if err != nil {
				return false, err
			}
			return s.passed(reply)
		}, nothing}, err
	}
}

// overRueidis calls s through rueidis.
func (s script) overRueidis(l *lab, client rueidis.Client) func(job) (*subject, error) {
	return func(j job) (*subject, error) {
		sha, err := l.load(s.text)
		args := s.argsFor(j)
		return &subject{func(c *load.Caller) (bool, error) {
			command := client.B().Evalsha().Sha1(sha).Numkeys(1).Key(j.key(c)).Arg(args()...).Build()
			reply, err := client.Do(context.Background(), command).ToAny()
			if err != nil {
				return false, err
			}
			return s.passed(reply)
		}, nothing}, err
	}
}

// scriptRows are scripts without a limiter around them.
func scriptRows(l *lab) ([]*contender, error) {
	auto, err := l.client().AutoPipeline()
	if err != nil {
		return nil, err
	}
	l.ends = append(l.ends, func() { auto.Close() })
	other, err := l.rueidis()
	if err != nil {
		return nil, err
	}
	return []*contender{
		{name: namePlain, often: true, open: ourScript.over(l, l.client())},
		{name: nameAuto, often: true, open: ourScript.over(l, auto)},
		{name: nameRueidis, often: true, open: ourScript.overRueidis(l, other)},
		{name: nameNothing, only: passes, open: noScript.over(l, l.client())},
		{name: "usual fixed window, go-redis", open: usualCounter.over(l, l.client())},
		{name: "usual fixed window, rueidis", open: usualCounter.overRueidis(l, other)},
		{name: "usual token bucket, go-redis", open: usualBucket.over(l, l.client())},
		{name: "usual token bucket, rueidis", open: usualBucket.overRueidis(l, other)},
	}, nil
}
