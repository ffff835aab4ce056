package follow

import (
	"bytes"
	"encoding/binary"
	"io/fs"
	"os"
	"sync"
	"syscall"
	"time"

	"github.com/pertain-dev/pertain/internal/systemcall"
)

// notifySystem is one inotify instance for many followers. It is there for as long as there are followers. A mark is a watch
// descriptor: the system gives one to each inode, and never the same one to another, so that neither links nor renames can
// make one folder look like another.
type notifySystem struct {
	mu     sync.Mutex // guards what follows, and is held while the system is asked
	file   *os.File   // nil: there are no parts
	fd     int        // of file
	done   chan struct{}
	parts  map[*notifyPart]bool
	marked map[mark]map[*notifyPart]bool
}

// notifyPart is what one follower has of it.
type notifyPart struct {
	hints chan hint
	lost  chan struct{}
}

// readPause is how long events are let gather: in a folder that is busy, most of them are about nothing that is followed.
const readPause = 20 * time.Millisecond

const (
	nameEvents = syscall.IN_CREATE | syscall.IN_DELETE | syscall.IN_MOVED_FROM | syscall.IN_MOVED_TO
	selfEvents = syscall.IN_DELETE_SELF | syscall.IN_MOVE_SELF | syscall.IN_ATTRIB
)

func (s *notifySystem) open() (*notifier, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil {
		fd, err := syscall.InotifyInit1(syscall.IN_CLOEXEC | syscall.IN_NONBLOCK)
		if err != nil {
			return nil, os.NewSyscallError("inotify_init1", err)
		}
		s.fd, s.file, s.done = fd, os.NewFile(uintptr(fd), "inotify"), make(chan struct{})
		s.parts, s.marked = map[*notifyPart]bool{}, map[mark]map[*notifyPart]bool{}
		go s.read(s.file, s.done)
	}
	p := &notifyPart{hints: make(chan hint, behind), lost: make(chan struct{}, 1)}
	s.parts[p] = true
	return &notifier{
		hints: p.hints, lost: p.lost,
		add:    func(path string, wanted interest) (mark, error) { return s.add(p, path, wanted) },
		remove: func(m mark) { s.remove(p, m) },
		close:  func() { s.leave(p) },
	}, nil
}

func (s *notifySystem) add(p *notifyPart, path string, wanted interest) (mark, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.parts[p] {
		return 0, fs.ErrClosed
	}
	events := uint32(selfEvents | syscall.IN_DONT_FOLLOW | syscall.IN_MASK_ADD)
	if wanted >= names {
		events |= nameEvents
	}
	if wanted >= content {
		events |= syscall.IN_MODIFY
	}
	var wd int
	err := systemcall.Retry(func() (err error) {
		wd, err = syscall.InotifyAddWatch(s.fd, path, events)
		return err
	})
	if err != nil {
		return 0, &fs.PathError{Op: "watch", Path: path, Err: err}
	}
	m := mark(wd)
	if s.marked[m] == nil {
		s.marked[m] = map[*notifyPart]bool{}
	}
	s.marked[m][p] = true
	return m, nil
}

func (s *notifySystem) remove(p *notifyPart, m mark) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drop(p, m)
}

// drop takes a mark from a part; mu is held.
func (s *notifySystem) drop(p *notifyPart, m mark) {
	who := s.marked[m]
	if !who[p] {
		return
	}
	delete(who, p)
	if len(who) == 0 {
		delete(s.marked, m)
		_, _ = syscall.InotifyRmWatch(s.fd, uint32(m)) // it may be gone already
	}
}

// leave ends a part, and with the last one the instance.
func (s *notifySystem) leave(p *notifyPart) {
	s.mu.Lock()
	if !s.parts[p] {
		s.mu.Unlock()
		return
	}
	for m := range s.marked {
		s.drop(p, m)
	}
	delete(s.parts, p)
	if len(s.parts) > 0 {
		s.mu.Unlock()
		return
	}
	file, done := s.file, s.done
	s.file = nil
	s.mu.Unlock() // who reads may wait for it
	_ = file.Close()
	<-done
}

// read hands on what the system tells until the file is closed.
func (s *notifySystem) read(file *os.File, done chan<- struct{}) {
	defer close(done)
	buffer := make([]byte, 64<<10)
	for {
		n, err := file.Read(buffer)
		if err != nil || n <= 0 {
			return // closed; other errors there are none
		}
		for rest := buffer[:n]; len(rest) >= syscall.SizeofInotifyEvent; {
			m := mark(binary.NativeEndian.Uint32(rest))
			events := binary.NativeEndian.Uint32(rest[4:])
			end := syscall.SizeofInotifyEvent + int(binary.NativeEndian.Uint32(rest[12:]))
			name := rest[syscall.SizeofInotifyEvent:min(end, len(rest))]
			name, _, _ = bytes.Cut(name, []byte{0})
			s.tell(file, m, events, string(name))
			rest = rest[min(end, len(rest)):]
		}
		time.Sleep(readPause)
	}
}

// tell hands one event to those who marked what it is about.
func (s *notifySystem) tell(file *os.File, m mark, events uint32, name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file != file {
		return // of an instance that is being closed
	}
	if events&syscall.IN_Q_OVERFLOW != 0 {
		for p := range s.parts {
			p.miss()
		}
		return
	}
	for p := range s.marked[m] {
		select {
		case p.hints <- hint{mark: m, name: name, moved: events&nameEvents != 0}:
		default:
			p.miss()
		}
	}
	if events&syscall.IN_IGNORED != 0 {
		delete(s.marked, m) // what was marked is gone, and the mark with it
	}
}

func (p *notifyPart) miss() {
	select {
	case p.lost <- struct{}{}:
	default: // it is not told of the last time yet
	}
}

// silent tells whether changes in a folder may not be told: others than this machine can write to its file system.
func silent(folder string) bool {
	var st syscall.Statfs_t
	if err := systemcall.Retry(func() error { return syscall.Statfs(folder, &st) }); err != nil {
		return true
	}
	switch uint32(st.Type) {
	case 0x6969, 0x517b, 0xff534d42, 0xfe534d42, // NFS, SMB, CIFS, SMB2
		0x65735546, 0x01021997, 0x00c36400, 0x5346414f, 0x73757245, 0x0bd00bd0, 0x786f4256: // FUSE, 9P, Ceph, AFS, Coda, Lustre, vboxsf
		return true
	}
	return false
}
