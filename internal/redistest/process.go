package redistest

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// keeper starts a server, prints its process id and kills it when its standard
// input ends, which happens at the latest when the test process does.
//
// Of the pipe that is its standard output only the server keeps the writing
// end, so that reading it ends when the server does.
const keeper = `"$@" & p=$!; echo $p; exec >&-; read _; kill -9 $p; wait $p 2>&-`

// process is a redis-server and the shell that watches over it.
type process struct {
	keeper *exec.Cmd
	stdin  io.Closer
	pid    int
	ended  chan struct{}
	log    string
}

func startProcess(dir string, args []string) (*process, error) {
	path, err := exec.LookPath("redis-server")
	if err != nil {
		return nil, errors.New("redis-server is not installed, and these tests need a real one: apt-get install redis-server, or brew install redis")
	}
	p := &process{ended: make(chan struct{}), log: filepath.Join(dir, "redis.log")}
	p.keeper = exec.Command("/bin/sh", append([]string{"-c", keeper, "keeper", path}, args...)...)
	p.keeper.Dir = dir
	// An interrupt from the terminal is for the test; the keeper must outlive it.
	p.keeper.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return p, p.launch()
}

func (p *process) launch() error {
	stdin, err := p.keeper.StdinPipe()
	if err != nil {
		return err
	}
	stdout, err := p.keeper.StdoutPipe()
	if err != nil {
		return err
	}
	if err := p.keeper.Start(); err != nil {
		return err
	}
	p.stdin = stdin
	return p.readPid(stdout)
}

func (p *process) readPid(stdout io.Reader) error {
	r := bufio.NewReader(stdout)
	line, err := r.ReadString('\n')
	if err == nil {
		p.pid, err = strconv.Atoi(strings.TrimSpace(line))
	}
	go func() {
		io.Copy(io.Discard, r)
		close(p.ended)
	}()
	if err != nil {
		p.end()
		return fmt.Errorf("redis-server did not start: %w", err)
	}
	return nil
}

// end kills the server, whatever state it is in, and waits until it is gone.
func (p *process) end() {
	p.stdin.Close()
	<-p.ended
	p.keeper.Wait()
}

func (p *process) signal(s syscall.Signal) error { return syscall.Kill(p.pid, s) }

// gone waits for the server to have ended by itself.
func (p *process) gone(within time.Duration) bool {
	select {
	case <-p.ended:
		return true
	case <-time.After(within):
		return false
	}
}

func (p *process) tail() string {
	text, err := os.ReadFile(p.log)
	if err != nil {
		return ""
	}
	if n := len(text); n > 2000 {
		text = text[n-2000:]
	}
	return string(text)
}
