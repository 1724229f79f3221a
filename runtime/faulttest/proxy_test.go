package faulttest

import (
	"bufio"
	"bytes"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// proxy stands before a server. It passes on one request after the other, each
// with its answer, and can spoil the calls of scripts.
type proxy struct {
	listener net.Listener
	target   atomic.Pointer[string]
	spoil    atomic.Pointer[spoil]
	accepted atomic.Int64
	conns    sync.WaitGroup

	mu   sync.Mutex
	open map[net.Conn]bool
}

// spoil is what becomes of a script's call.
type spoil struct {
	answer string        // in place of the server's, which is not asked
	reset  bool          // the connection is, and the server is not asked
	lost   bool          // the connection is, when the server has answered
	delay  time.Duration // of the answer
	times  atomic.Int64  // how often it is done, if not for ever
	bound  bool
}

func newProxy(t testing.TB, target string) *proxy {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{listener: l, open: map[net.Conn]bool{}}
	p.lead(target)
	p.conns.Go(p.accept)
	t.Cleanup(p.close)
	return p
}

func (p *proxy) addr() string { return p.listener.Addr().String() }

// lead sets the server of connections that come.
func (p *proxy) lead(target string) { p.target.Store(&target) }

// once spoils n calls.
func (p *proxy) once(s *spoil, n int64) {
	s.times.Store(n)
	s.bound = true
	p.spoil.Store(s)
}

func (p *proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.accepted.Add(1)
		server, err := net.Dial("tcp", *p.target.Load())
		if err != nil {
			client.Close()
			continue
		}
		p.keep(client, server)
		p.conns.Go(func() { p.serve(client.(*net.TCPConn), server) })
	}
}

func (p *proxy) keep(conns ...net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range conns {
		p.open[c] = true
	}
}

// cut closes all connections.
func (p *proxy) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.open {
		c.Close()
	}
	clear(p.open)
}

func (p *proxy) close() {
	p.listener.Close()
	p.cut()
	p.conns.Wait()
}

func (p *proxy) serve(client *net.TCPConn, server net.Conn) {
	defer client.Close()
	defer server.Close()
	requests, answers := bufio.NewReader(client), bufio.NewReader(server)
	for {
		request, err := readValue(requests)
		if err != nil {
			return
		}
		answer, ok := p.pass(request, server, answers, p.spoils(request))
		if !ok {
			client.SetLinger(0) // a reset in place of an end
			return
		}
		if _, err := client.Write(answer); err != nil {
			return
		}
	}
}

// spoils returns what is to become of a request, or nil.
func (p *proxy) spoils(request []byte) *spoil {
	s := p.spoil.Load()
	if s == nil || !bytes.Contains(request[:min(len(request), 32)], []byte("eval")) {
		return nil
	}
	if s.bound && s.times.Add(-1) < 0 {
		return nil
	}
	return s
}

func (p *proxy) pass(request []byte, server net.Conn, answers *bufio.Reader, s *spoil) (answer []byte, ok bool) {
	switch {
	case s != nil && s.reset:
		return nil, false
	case s != nil && s.answer != "":
		return []byte("-" + s.answer + "\r\n"), true
	}
	if _, err := server.Write(request); err != nil {
		return nil, false
	}
	answer, err := readValue(answers)
	if s != nil {
		time.Sleep(s.delay)
	}
	return answer, err == nil && (s == nil || !s.lost)
}
