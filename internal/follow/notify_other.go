//go:build !linux

package follow

import (
	"path/filepath"
	"sync"

	"github.com/fsnotify/fsnotify"
)

// notifySystem shares nothing: watchers are not scarce here.
type notifySystem struct{}

// open makes a watcher of its own.
func (*notifySystem) open() (*notifier, error) {
	system, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	b := &notifyBridge{
		system: system, hints: make(chan hint, behind), lost: make(chan struct{}, 1),
		marks: map[string]mark{}, paths: map[mark]string{},
	}
	b.running.Go(b.run)
	return &notifier{hints: b.hints, lost: b.lost, add: b.add, remove: b.remove, close: b.close}, nil
}

// notifyBridge gives numbers to what fsnotify knows by paths.
type notifyBridge struct {
	system  *fsnotify.Watcher
	hints   chan hint
	lost    chan struct{}
	running sync.WaitGroup

	mu    sync.Mutex // guards what follows
	marks map[string]mark
	paths map[mark]string
	last  mark
}

func (b *notifyBridge) add(path string, _ interest) (mark, error) {
	if err := b.system.Add(path); err != nil { // also where it is watched already: the system forgets what was away for a moment
		return 0, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	m, known := b.marks[path]
	if !known {
		b.last++
		m = b.last
		b.marks[path], b.paths[m] = m, path
	}
	return m, nil
}

func (b *notifyBridge) remove(m mark) {
	b.mu.Lock()
	path, known := b.paths[m]
	delete(b.paths, m)
	delete(b.marks, path)
	b.mu.Unlock()
	if known {
		_ = b.system.Remove(path) // it may be gone already
	}
}

func (b *notifyBridge) close() {
	_ = b.system.Close()
	b.running.Wait()
}

func (b *notifyBridge) run() {
	events, failures := b.system.Events, b.system.Errors
	for events != nil {
		select {
		case e, ok := <-events:
			if !ok {
				events = nil
				continue
			}
			b.tell(e)
		case _, ok := <-failures: // whatever failed, something may have been missed
			if !ok {
				failures = nil
				continue
			}
			b.miss()
		}
	}
}

// tell hands an event on for the folder it is in, and for what it is about if that is marked itself.
func (b *notifyBridge) tell(e fsnotify.Event) {
	b.mu.Lock()
	inside, in := b.marks[filepath.Dir(e.Name)]
	itself, is := b.marks[e.Name]
	b.mu.Unlock()
	if in {
		b.send(hint{inside, filepath.Base(e.Name), e.Op&(fsnotify.Create|fsnotify.Remove|fsnotify.Rename) != 0})
	}
	if is {
		b.send(hint{mark: itself})
	}
}

func (b *notifyBridge) send(h hint) {
	select {
	case b.hints <- h:
	default:
		b.miss()
	}
}

func (b *notifyBridge) miss() {
	select {
	case b.lost <- struct{}{}:
	default: // it is not told of the last time yet
	}
}

// silent tells whether changes in a folder may not be told. Here it is not known which are.
func silent(string) bool { return true }
