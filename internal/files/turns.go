package files

import "sync"

// Turns lets workers that do things in whatever order settle them one after the
// other, as they are numbered: who shares a limit must not depend on who is
// fastest. Things must be begun in their order, and everything that is begun must
// have its turn. The zero value begins at 0.
type Turns struct {
	mu    sync.Mutex
	moved *sync.Cond
	next  int
}

// Take calls settle when everything before it has had its turn.
func (t *Turns) Take(number int, settle func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.moved == nil {
		t.moved = sync.NewCond(&t.mu)
	}
	for t.next != number {
		t.moved.Wait()
	}
	settle()
	t.next++
	t.moved.Broadcast()
}
