package files

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"sync"
	"syscall"

	"github.com/fsnotify/fsnotify"
)

// sharedNotify is one watcher of the system for many. The system knows a folder by its inode and tells of it under the name
// that it was first given; here each who watches it hears of it under its own name.
type sharedNotify struct {
	mu      sync.Mutex // guards what follows, and is held while the system is asked
	system  *fsnotify.Watcher
	done    *sync.WaitGroup // the goroutines that read from system
	parts   map[*sharedPart]bool
	folders map[folderID]*sharedFolder
	paths   map[string]*sharedFolder // by the name that the system uses
}

// folderID is the same for all names of a folder.
type folderID struct{ device, inode uint64 }

type sharedFolder struct {
	id    folderID
	path  string // that the system uses
	known []alias
}

// alias is the name by which a part knows a folder.
type alias struct {
	part *sharedPart
	path string
}

// sharedPart is what one watcher has of it.
type sharedPart struct {
	events  chan fsnotify.Event
	errors  chan error
	folders map[string]*sharedFolder // by its own names
}

const (
	partEvents   = 512     // that a part may be behind, before it is told that some were lost
	sharedEvents = 1 << 14 // that all may be, as many as the system keeps
)

func newSharedNotify() *sharedNotify { return &sharedNotify{} }

// open makes a part. The system's watcher is there for as long as there are parts.
func (s *sharedNotify) open() (*notifier, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.system == nil {
		system, err := fsnotify.NewWatcher()
		if err != nil {
			return nil, err
		}
		s.system, s.done = system, &sync.WaitGroup{}
		s.parts, s.folders, s.paths = map[*sharedPart]bool{}, map[folderID]*sharedFolder{}, map[string]*sharedFolder{}
		s.begin(system, s.done)
	}
	p := &sharedPart{events: make(chan fsnotify.Event, partEvents), errors: make(chan error, 1), folders: map[string]*sharedFolder{}}
	s.parts[p] = true
	return &notifier{
		Events: p.events, Errors: p.errors,
		Add:    func(folder string) error { return s.add(p, filepath.Clean(folder)) },
		Remove: func(folder string) error { s.remove(p, filepath.Clean(folder)); return nil },
		Close:  func() error { return s.leave(p) },
	}, nil
}

// begin hands on what the system tells. Reading and handing on are apart: the system's watcher may wait to be read from while
// it is being asked for something, with mu held.
func (s *sharedNotify) begin(system *fsnotify.Watcher, done *sync.WaitGroup) {
	events, failures := make(chan fsnotify.Event, sharedEvents), make(chan error, 64)
	failed := func(err error) {
		select {
		case failures <- err:
		default: // as many are known already
		}
	}
	done.Go(func() {
		defer close(events)
		fromEvents, fromErrors := system.Events, system.Errors
		for fromEvents != nil {
			select {
			case e, ok := <-fromEvents:
				if !ok {
					fromEvents = nil
					continue
				}
				select {
				case events <- e:
				default:
					failed(fsnotify.ErrEventOverflow)
				}
			case err, ok := <-fromErrors:
				if !ok {
					fromErrors = nil
					continue
				}
				failed(err)
			}
		}
	})
	done.Go(func() {
		for {
			select {
			case e, ok := <-events:
				if !ok {
					return
				}
				s.tell(e)
			case err := <-failures:
				s.fail(err)
			}
		}
	})
}

// leave ends a part, and with the last one the system's watcher.
func (s *sharedNotify) leave(p *sharedPart) error {
	s.mu.Lock()
	if !s.parts[p] {
		s.mu.Unlock()
		return nil
	}
	for path := range p.folders {
		s.drop(p, path)
	}
	delete(s.parts, p)
	if len(s.parts) > 0 {
		s.mu.Unlock()
		return nil
	}
	system, done := s.system, s.done
	s.system = nil
	s.mu.Unlock() // who hands on may wait for it
	err := system.Close()
	done.Wait()
	return err
}

func (s *sharedNotify) add(p *sharedPart, path string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.parts[p] {
		return fsnotify.ErrClosed
	}
	id, err := identify(path)
	if err != nil {
		return err
	}
	f := s.folders[id]
	if f != nil && f.path != path {
		if now, err := identify(f.path); err != nil || now != id {
			s.abandon(f) // it has another name now, under which the system is to watch it
			f = nil
		}
	}
	var heirs []alias
	if old := s.paths[path]; old != nil && old != f {
		s.abandon(old) // another folder has its name now; it is the one that those who know the name want
		heirs = slices.DeleteFunc(slices.Clone(old.known), func(a alias) bool { return a.path != path })
	}
	if f == nil {
		f = &sharedFolder{id: id, path: path}
	}
	// Also where it is watched already: the system forgets what was away for a moment.
	if err := s.system.Add(f.path); err != nil {
		return err
	}
	s.folders[id], s.paths[f.path] = f, f
	for _, a := range append(heirs, alias{p, path}) {
		if a.part.folders[a.path] != f {
			s.drop(a.part, a.path)
			a.part.folders[a.path] = f
			f.known = append(f.known, a)
		}
	}
	return nil
}

func (s *sharedNotify) remove(p *sharedPart, path string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drop(p, path)
}

// drop takes a part's name of a folder away; mu is held.
func (s *sharedNotify) drop(p *sharedPart, path string) {
	f := p.folders[path]
	if f == nil {
		return
	}
	delete(p.folders, path)
	f.known = slices.DeleteFunc(f.known, func(a alias) bool { return a == alias{p, path} })
	if len(f.known) == 0 {
		s.abandon(f)
	}
}

// abandon stops watching a folder. Those who know it add it again, if it is there, when they hear what became of it; mu is held.
func (s *sharedNotify) abandon(f *sharedFolder) {
	if s.paths[f.path] != f {
		return // it was before
	}
	_ = s.system.Remove(f.path) // it may be gone already
	delete(s.paths, f.path)
	delete(s.folders, f.id)
}

// tell hands an event on to those who know its folder, and to those who know what it is about as a folder: the system tells of
// the end of a folder once, in the one above if that is watched.
func (s *sharedNotify) tell(e fsnotify.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var told []alias
	send := func(to alias) {
		if !slices.Contains(told, to) {
			told = append(told, to)
			to.part.tell(fsnotify.Event{Name: to.path, Op: e.Op})
		}
	}
	inside, itself := s.paths[filepath.Dir(e.Name)], s.paths[e.Name]
	if itself != nil && e.Op&(fsnotify.Remove|fsnotify.Rename) != 0 {
		if now, err := identify(e.Name); err != nil || now != itself.id {
			s.abandon(itself)
		}
	}
	if inside != nil && inside != itself {
		for _, a := range inside.known {
			send(alias{a.part, filepath.Join(a.path, filepath.Base(e.Name))})
		}
	}
	if itself != nil {
		for _, a := range itself.known {
			send(a)
		}
	}
}

// fail tells all of an error.
func (s *sharedNotify) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for p := range s.parts {
		p.fail(err)
	}
}

func (p *sharedPart) tell(e fsnotify.Event) {
	select {
	case p.events <- e:
	default:
		p.fail(fsnotify.ErrEventOverflow)
	}
}

// fail keeps the worst: that events were lost.
func (p *sharedPart) fail(err error) {
	select {
	case p.errors <- err:
		return
	default:
	}
	if errors.Is(err, fsnotify.ErrEventOverflow) {
		select {
		case <-p.errors:
		default:
		}
		select {
		case p.errors <- err:
		default:
		}
	}
}

func identify(path string) (folderID, error) {
	var stat syscall.Stat_t
	for {
		err := syscall.Stat(path, &stat)
		if errors.Is(err, syscall.EINTR) {
			continue
		}
		if err != nil {
			return folderID{}, &fs.PathError{Op: "watch", Path: path, Err: err}
		}
		return folderID{uint64(stat.Dev), stat.Ino}, nil
	}
}
