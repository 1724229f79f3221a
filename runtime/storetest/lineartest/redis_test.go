package lineartest

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"

	"github.com/ratelimitgen/ratelimitgen/internal/redistest"
	"github.com/ratelimitgen/ratelimitgen/runtime/redisstore"
	"github.com/ratelimitgen/ratelimitgen/runtime/storetest"
)

// otherVar makes the test binary the second process of TestRedis, and says
// where Redis is.
const otherVar = "LINEARTEST_OTHER"

func TestMain(m *testing.M) {
	logging.Disable()
	if addr := os.Getenv(otherVar); addr != "" {
		if err := other(addr); err != nil {
			panic(err)
		}
		return
	}
	os.Exit(m.Run())
}

// TestRedis has eight goroutines ask one Redis, four each of two processes,
// which have clients, connections and clocks of their own.
func TestRedis(t *testing.T) {
	server := redistest.Start(t)
	second := startOther(t, server.Addr())
	s := redisStores(server.Client(t))
	t.Cleanup(func() { errors.Join(s.real.Close(), s.given.Close()) })
	n := 0
	eachPlan(t, func(p plan) []event {
		n++
		theirs := second.ask(t, p)
		ours, err := half(p, s, second.shared, n, 0)
		if err != nil {
			t.Fatal(err)
		}
		return append(ours, theirs()...)
	})
}

func redisStores(client redis.UniversalClient) stores {
	clock := storetest.NewClock(time.Now().UnixMicro())
	return stores{redisstore.New(client), redisstore.New(client, redisstore.WithClock(clock.Now)), clock}
}

// half plays four callers of the nth history.
func half(p plan, s stores, m *shared, n, first int) ([]event, error) {
	return play(p, s, first, first+callers/2, m.tick, func() error { return m.meet(n) })
}

// process is the second one, as the first sees it.
type process struct {
	shared *shared
	plans  *json.Encoder
	events *json.Decoder
}

func startOther(t *testing.T, addr string) *process {
	t.Helper()
	file, err := newSharedFile(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	m, err := share(file)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), otherVar+"="+addr)
	cmd.ExtraFiles, cmd.Stderr = []*os.File{file}, os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("the second process: %v", err)
		}
	})
	return &process{m, json.NewEncoder(in), json.NewDecoder(bufio.NewReader(out))}
}

// ask has the second process begin with p. What it returns waits for the
// events.
func (o *process) ask(t *testing.T, p plan) (events func() []event) {
	t.Helper()
	if err := o.plans.Encode(p); err != nil {
		t.Fatal(err)
	}
	return func() (events []event) {
		if err := o.events.Decode(&events); err != nil {
			t.Fatalf("the second process: %v", err)
		}
		return events
	}
}

// other is the second process, which ends when its standard input does.
func other(addr string) error {
	m, err := share(os.NewFile(3, "shared"))
	if err != nil {
		return err
	}
	client := redis.NewClient(&redis.Options{Addr: addr})
	defer client.Close()
	s := redisStores(client)
	plans := make(chan plan)
	go readPlans(plans)
	out := json.NewEncoder(os.Stdout)
	n := 0
	for p := range plans {
		n++
		events, err := half(p, s, m, n, callers/2)
		if err != nil {
			return err
		}
		if err := out.Encode(events); err != nil {
			return err
		}
	}
	return nil
}

// readPlans ends this process with the other one.
func readPlans(plans chan<- plan) {
	in := json.NewDecoder(os.Stdin)
	for {
		var p plan
		err := in.Decode(&p)
		if errors.Is(err, io.EOF) {
			os.Exit(0)
		} else if err != nil {
			panic(err)
		}
		plans <- p
	}
}
