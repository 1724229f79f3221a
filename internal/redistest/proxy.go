package redistest

import (
	"bytes"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Proxy passes connections on to a server and can spoil them.
type Proxy struct {
	listener net.Listener
	target   string
	cut      atomic.Pointer[[]byte]
	delay    atomic.Int64
	accepted atomic.Int64
	conns    sync.WaitGroup
	mu       sync.Mutex
	open     map[net.Conn]bool
}

// NewProxy returns a proxy before the server at target that ends with tb.
func NewProxy(tb testing.TB, target string) *Proxy {
	tb.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatalf("redistest: %v", err)
	}
	p := &Proxy{listener: l, target: target, open: map[net.Conn]bool{}}
	go p.accept()
	tb.Cleanup(p.close)
	return p
}

// Addr is where the proxy listens.
func (p *Proxy) Addr() string { return p.listener.Addr().String() }

// Accepted is how many connections there have been.
func (p *Proxy) Accepted() int64 { return p.accepted.Load() }

// CutAfter closes the next connection on which a request with text goes to the
// server: after the server has answered and before the answer is passed on.
func (p *Proxy) CutAfter(text string) {
	b := []byte(text)
	p.cut.Store(&b)
}

// Delay holds up every answer of the server for d.
func (p *Proxy) Delay(d time.Duration) { p.delay.Store(int64(d)) }

func (p *Proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.accepted.Add(1)
		server, err := net.Dial("tcp", p.target)
		if err != nil {
			client.Close()
			continue
		}
		p.join(client, server)
	}
}

func (p *Proxy) join(client, server net.Conn) {
	p.mu.Lock()
	p.open[client], p.open[server] = true, true
	p.mu.Unlock()
	var doomed atomic.Bool
	end := func() { client.Close(); server.Close() }
	p.conns.Go(func() { defer end(); p.requests(server, client, &doomed) })
	p.conns.Go(func() { defer end(); p.answers(client, server, &doomed) })
}

func (p *Proxy) requests(server io.Writer, client io.Reader, doomed *atomic.Bool) {
	buf := make([]byte, 64<<10)
	for {
		n, err := client.Read(buf)
		if text := p.cut.Load(); text != nil && bytes.Contains(buf[:n], *text) && p.cut.CompareAndSwap(text, nil) {
			doomed.Store(true)
		}
		if _, werr := server.Write(buf[:n]); err != nil || werr != nil {
			return
		}
	}
}

func (p *Proxy) answers(client io.Writer, server io.Reader, doomed *atomic.Bool) {
	buf := make([]byte, 64<<10)
	for {
		n, err := server.Read(buf)
		time.Sleep(time.Duration(p.delay.Load()))
		if doomed.Load() {
			return
		}
		if _, werr := client.Write(buf[:n]); err != nil || werr != nil {
			return
		}
	}
}

func (p *Proxy) close() {
	p.listener.Close()
	p.mu.Lock()
	for c := range p.open {
		c.Close()
	}
	p.mu.Unlock()
	p.conns.Wait()
}
