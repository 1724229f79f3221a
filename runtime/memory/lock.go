package memory

import "sync"

// lock is a mutex that is held for so short that whoever does not get it tries a
// few times more before it sleeps: to be woken up takes many times as long.
type lock struct{ sync.Mutex }

const (
	// lockTries take about half a microsecond.
	lockTries = 20
	// lockPause is how many steps are between two tries: each fetches the line
	// of the lock, which whoever holds it needs.
	lockPause = 32
)

func (l *lock) Lock() {
	for range lockTries {
		if l.TryLock() {
			return
		}
		for range lockPause {
		}
	}
	l.Mutex.Lock()
}
