package lineartest

import (
	"errors"
	"os"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

// shared is memory that two processes have in common. Its counters order the
// events of both: no clock is as fine.
type shared struct {
	ticks   *atomic.Int64
	arrived *atomic.Int64
}

const sharedSize = 16

// newSharedFile returns a file for share.
func newSharedFile(dir string) (*os.File, error) {
	f, err := os.CreateTemp(dir, "shared")
	if err != nil {
		return nil, err
	}
	return f, f.Truncate(sharedSize)
}

func share(f *os.File) (*shared, error) {
	b, err := syscall.Mmap(int(f.Fd()), 0, sharedSize, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		return nil, err
	}
	return &shared{(*atomic.Int64)(unsafe.Pointer(&b[0])), (*atomic.Int64)(unsafe.Pointer(&b[8]))}, nil
}

func (s *shared) tick() int64 { return s.ticks.Add(1) }

var errAlone = errors.New("the other process has not come")

// meet returns when as many callers have come as all histories to the nth have.
func (s *shared) meet(n int) error {
	s.arrived.Add(1)
	for end := time.Now().Add(30 * time.Second); s.arrived.Load() < int64(n*callers); {
		if time.Now().After(end) {
			return errAlone
		}
		time.Sleep(20 * time.Microsecond)
	}
	return nil
}
