package redistest

import (
	"bufio"
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

func TestServerLives(t *testing.T) {
	s := Start(t)
	c := s.Client(t)
	ctx := t.Context()
	s.ResetStats(t)
	for range 3 {
		if err := c.Set(ctx, "a", "b", 0).Err(); err != nil {
			t.Fatal(err)
		}
	}
	stat := s.Stats(t)["set"]
	if stat.Calls != 3 || stat.PerCall() <= 0 {
		t.Errorf("after 3 SET the server counts %+v", stat)
	}
}

func TestKillAndUp(t *testing.T) {
	for name, end := range map[string]func(*Server){"kill": (*Server).Kill, "stop": (*Server).Stop} {
		t.Run(name, func(t *testing.T) {
			s := Start(t)
			end(s)
			if s.answers() {
				t.Fatal("it answers after its end")
			}
			if err := s.Up(); err != nil {
				t.Fatal(err)
			}
			if err := s.Client(t).Ping(t.Context()).Err(); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func TestFreezeAndThaw(t *testing.T) {
	s := Start(t)
	s.Freeze(t)
	c, err := net.Dial("tcp", s.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.Write([]byte("PING\r\n"))
	c.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
	answer := bufio.NewReader(c)
	if _, err := answer.ReadString('\n'); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatalf("a frozen server: %v", err)
	}
	s.Thaw(t)
	c.SetReadDeadline(time.Now().Add(patience))
	if line, err := answer.ReadString('\n'); line != "+PONG\r\n" {
		t.Fatalf("a thawed server: %q, %v", line, err)
	}
}

func TestBadOptionIsTold(t *testing.T) {
	_, err := Run("--no-such-option", "1")
	if err == nil || !strings.Contains(err.Error(), "does not answer") {
		t.Fatalf("got %v", err)
	}
}

// TestEndsWithTheProcess runs itself as a process that starts a server and is
// then killed, and looks whether the server is left.
func TestEndsWithTheProcess(t *testing.T) {
	if os.Getenv("REDISTEST_ORPHAN") != "" {
		orphan()
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestEndsWithTheProcess$")
	cmd.Env = append(os.Environ(), "REDISTEST_ORPHAN=1", "TMPDIR="+t.TempDir())
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	addr, err := bufio.NewReader(out).ReadString('\n')
	cmd.Process.Kill()
	cmd.Wait()
	if err != nil {
		t.Fatal(err)
	}
	awaitRefusal(t, strings.TrimSpace(addr))
}

func orphan() {
	s, err := Run()
	if err != nil {
		panic(err)
	}
	os.Stdout.WriteString(s.Addr() + "\n")
	select {}
}

func awaitRefusal(t *testing.T, addr string) {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for ctx.Err() == nil {
		c, err := net.Dial("tcp", addr)
		if err != nil {
			return
		}
		c.Close()
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("the server at %s is still there", addr)
}

func TestProxyCutsAfterTheServerHasRun(t *testing.T) {
	s := Start(t)
	p := NewProxy(t, s.Addr())
	ask := func() (string, error) {
		c, err := net.Dial("tcp", p.Addr())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		c.Write([]byte("INCR a\r\n"))
		return bufio.NewReader(c).ReadString('\n')
	}
	p.CutAfter("INCR")
	if line, err := ask(); err == nil {
		t.Errorf("the answer %q came through", line)
	}
	if line, _ := ask(); line != ":2\r\n" {
		t.Errorf("the first INCR did not run: %q", line)
	}
	if n := p.Accepted(); n != 2 {
		t.Errorf("%d connections, want 2", n)
	}
}
