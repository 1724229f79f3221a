package memory

import "sync"

// lock is a mutex that is held for so short that whoever does not get it tries a
// few times more before it sleeps: to be woken up takes many times as long.
type lock struct{ sync.Mutex }

// lockTries takes some hundred nanoseconds.
const lockTries = 20

func (l *lock) Lock() {
	for range lockTries {
		if l.TryLock() {
			return
		}
		for range 32 {
		}
	}
	l.Mutex.Lock()
}
