package lua

import (
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ratelimitgen/ratelimitgen/internal/rules"
)

func sources(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, pattern := range []string{"*.lua", "frame/*.lua"} {
		names, err := fs.Glob(files, pattern)
		if err != nil || len(names) == 0 {
			t.Fatal(names, err)
		}
		for _, name := range names {
			texts[name] = file(strings.TrimSuffix(name, ".lua"))
		}
	}
	return texts
}

// Every command on a key names it as an element of KEYS, in the call itself.
var keyed = regexp.MustCompile(`^\('[A-Z]+', KEYS\[(i|1)\]`)

// keyless are the commands that scripts may call without a key.
const keyless = "('TIME')"

func TestKeysStandInTheCall(t *testing.T) {
	for name, text := range sources(t) {
		for _, call := range calls(text) {
			if !keyed.MatchString(call) && !strings.HasPrefix(call, keyless) {
				t.Errorf("%s: redis.call%.40q does not name its key as KEYS[i]", name, call)
			}
		}
		if n := strings.Count(text, "redis."); n != len(calls(text)) {
			t.Errorf("%s: %d uses of redis, of which %d are redis.call", name, n, len(calls(text)))
		}
	}
}

func calls(text string) []string {
	return strings.Split(text, "redis.call")[1:]
}

// known are the commands and options of Redis 6.2 that the scripts use.
var known = []string{
	"TIME", "GET", "SET", "PX", "PXAT", "XX", "SETRANGE", "PTTL", "PEXPIRE", "PEXPIREAT", "DEL",
	"LINDEX", "LLEN", "LTRIM", "LPOP", "RPUSH", "LREM",
}

func TestCommandsOfRedis62(t *testing.T) {
	word := regexp.MustCompile(`'([A-Z]+)'`)
	texts := sources(t)
	texts["composed"] = Given().Composite(everything).Text
	for name, text := range texts {
		for _, m := range word.FindAllStringSubmatch(text, -1) {
			if !slices.Contains(known, m[1]) {
				t.Errorf("%s: is %s in Redis 6.2? then list it", name, m[1])
			}
		}
	}
}

func TestASCII(t *testing.T) {
	for name, text := range sources(t) {
		for i, r := range text {
			if r > '~' || r < ' ' && r != '\n' {
				t.Errorf("%s: %q at %d", name, r, i)
			}
		}
	}
}

const everything = Kinds(1<<kinds - 1)

func TestEveryKindHasItsScript(t *testing.T) {
	if int(Calendar) != len(rules.Algorithms()) {
		t.Fatalf("the calendar's kind is %d, there are %d algorithms", Calendar, len(rules.Algorithms()))
	}
	seen := map[string]string{}
	for _, set := range []*Set{Server(), Given()} {
		all := map[string]*Script{"ready": set.Ready(), "reset": set.Reset()}
		for k := range kinds {
			all[k.file()] = set.Single(k)
			all["several of "+k.file()] = set.Repeated([]Kind{k})
			all["composite of "+k.file()] = set.Composite(Kinds(0).With(k))
		}
		all["straight through"] = set.Straight([]Kind{0, 0, 1, Calendar})
		all["several straight through"] = set.Repeated([]Kind{0, 0, 1, Calendar})
		all["composite of all"], all["refunds of all"] = set.Composite(everything), set.Refunds(everything)
		for name, s := range all {
			if before := seen[s.SHA]; before != "" || len(s.SHA) != 40 || strings.Contains(s.Text, "{{") {
				t.Errorf("%s: its digest is %q, that of %q, its text\n%s", name, s.SHA, before, s.Text)
			}
			seen[s.SHA] = name
		}
	}
}

func TestCompositeIsMadeOnce(t *testing.T) {
	if Server().Composite(3) != Server().Composite(3) {
		t.Error("two calls make two scripts")
	}
}

// TestScriptsAreMadeOnce has many first calls of the same rules: to make a script
// takes a good part of what a call may take.
func TestScriptsAreMadeOnce(t *testing.T) {
	var made atomic.Pointer[Script]
	var times atomic.Int64
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			Server().once(&made, func() string {
				times.Add(1)
				time.Sleep(time.Millisecond)
				return "return 1"
			})
		})
	}
	group.Wait()
	if n := times.Load(); n != 1 {
		t.Errorf("made %d times", n)
	}
}
