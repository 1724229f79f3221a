package redistest

import (
	"fmt"
	"net"
	"os"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

const patience = 10 * time.Second

// Server is one redis-server process.
type Server struct {
	dir    string
	port   int
	config []string // a file of options and what stands before all others
	args   []string
	proc   *process
}

// Start runs a server until tb ends. Further args are options of redis-server,
// as in "--maxmemory", "10mb". A server that does not start fails tb.
func Start(tb testing.TB, args ...string) *Server {
	tb.Helper()
	s, err := Run(args...)
	if err != nil {
		tb.Fatalf("redistest: %v", err)
	}
	tb.Cleanup(s.Close)
	return s
}

// Run is [Start] for programs that are no tests. The caller calls Close.
func Run(args ...string) (*Server, error) {
	var last error
	for range 3 { // another process may take the port that was free
		s, err := Reserve(args...)
		if err != nil {
			return nil, err
		}
		if last = s.Up(); last == nil {
			return s, nil
		}
		s.Close()
	}
	return nil, last
}

// Reserve chooses a free port for a server that is not running yet: Up starts
// it. The caller calls Close.
func Reserve(args ...string) (*Server, error) {
	dir, err := os.MkdirTemp("", "redistest")
	if err != nil {
		return nil, err
	}
	port, err := freePort()
	return &Server{dir: dir, port: port, args: args}, err
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// Up starts the server if it is not running. It has no memory of an earlier
// run unless its options say so.
func (s *Server) Up() error {
	if s.running() {
		return nil
	}
	p, err := startProcess(s.dir, s.options())
	if err != nil {
		return err
	}
	s.proc = p
	return s.await()
}

func (s *Server) running() bool { return s.proc != nil }

func (s *Server) options() []string {
	return slices.Concat(s.config, []string{
		"--port", strconv.Itoa(s.port), "--bind", "127.0.0.1", "--dir", s.dir,
		"--logfile", "redis.log", "--save", "", "--appendonly", "no",
	}, s.args)
}

func (s *Server) await() error {
	for end := time.Now().Add(patience); time.Now().Before(end); {
		if s.answers() {
			return nil
		}
		if s.proc.gone(2 * time.Millisecond) {
			break
		}
	}
	log := s.proc.tail()
	s.Kill()
	return fmt.Errorf("redis-server on port %d does not answer; its log ends:\n%s", s.port, log)
}

func (s *Server) answers() bool {
	c, err := net.DialTimeout("tcp", s.Addr(), time.Second)
	if err != nil {
		return false
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(time.Second))
	if _, err := c.Write([]byte("PING\r\n")); err != nil {
		return false
	}
	var first [1]byte
	n, _ := c.Read(first[:])
	return n == 1 && (first[0] == '+' || first[0] == '-')
}

// Addr is the server's host and port.
func (s *Server) Addr() string { return "127.0.0.1:" + strconv.Itoa(s.port) }

// URL is the server's address for redis.ParseURL.
func (s *Server) URL() string { return "redis://" + s.Addr() }

// Client returns a client with the library's own options that ends with tb.
func (s *Server) Client(tb testing.TB) *redis.Client {
	c := redis.NewClient(&redis.Options{Addr: s.Addr()})
	tb.Cleanup(func() { c.Close() })
	return c
}

// Kill ends the server at once, as a crash would.
func (s *Server) Kill() {
	if s.running() {
		s.proc.end()
		s.proc = nil
	}
}

// Stop asks the server to shut down and waits until it has.
func (s *Server) Stop() {
	if !s.running() {
		return
	}
	s.proc.signal(syscall.SIGTERM)
	s.proc.gone(patience)
	s.Kill()
}

// Freeze keeps the server from running: connections stay open and are
// accepted, and nothing is answered until Thaw.
func (s *Server) Freeze(tb testing.TB) { s.mustSignal(tb, syscall.SIGSTOP) }

// Thaw lets the server go on after Freeze.
func (s *Server) Thaw(tb testing.TB) { s.mustSignal(tb, syscall.SIGCONT) }

func (s *Server) mustSignal(tb testing.TB, sig syscall.Signal) {
	tb.Helper()
	if !s.running() {
		tb.Fatalf("redistest: %v to a server that is not running", sig)
	}
	if err := s.proc.signal(sig); err != nil {
		tb.Fatalf("redistest: %v: %v", sig, err)
	}
}

// Close ends the server and removes its files.
func (s *Server) Close() {
	s.Kill()
	os.RemoveAll(s.dir)
}
