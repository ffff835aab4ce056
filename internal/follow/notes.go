package follow

import (
	"context"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/pertain-dev/pertain/internal/files"
)

// Notes are what was looked at on the real disk: every path with all that decides where it leads, link by link and folder by
// folder, each as it was just before it was read. What is missing is noted where the way to it ends.
type Notes struct {
	mu     sync.Mutex
	began  time.Time
	states map[string]fileState // by paths whose folders are no links
	listed map[string]bool      // folders whose names were read
	sealed bool                 // the look is over: who still reads by its tree is not followed
}

type notesKey struct{}

func newNotes() *Notes {
	return &Notes{began: time.Now(), states: map[string]fileState{}, listed: map[string]bool{}}
}

// Noted is a tree whose reads are noted, where ctx is one of [Changes]; else it is the tree itself. Trees other than the real disk
// do not change by themselves, and are not noted. Where ctx is one of [Overlaid], its tree stands for the real disk.
func Noted(ctx context.Context, tree files.Tree) files.Tree {
	if before, ok := tree.(noting); ok {
		tree = before.tree // of a look that is over
	}
	if over, ok := ctx.Value(overlayKey{}).(files.Tree); ok && tree == files.OS() {
		return over
	}
	notes, ok := ctx.Value(notesKey{}).(*Notes)
	if !ok || tree != files.OS() {
		return tree
	}
	return noting{tree, notes}
}

type overlayKey struct{}

// Overlaid is a context in whose looks the tree, one of [files.NewOverlay], stands for the disk: [Noted] gives it.
func Overlaid(ctx context.Context, tree files.Tree) context.Context {
	return context.WithValue(ctx, overlayKey{}, tree)
}

// Note is for what is read around the tree: the paths are followed as if they had been read. A folder is not listed by it.
func Note(ctx context.Context, paths ...string) {
	if notes, ok := ctx.Value(notesKey{}).(*Notes); ok {
		for _, path := range paths {
			notes.add(path, false)
		}
	}
}

// HasListed tells whether it is noted that a folder was listed, or missing. Where [Changes] is not at work there is nothing to note.
func HasListed(ctx context.Context, folder string) bool {
	notes, ok := ctx.Value(notesKey{}).(*Notes)
	return !ok || notes.lists(folder)
}

// CountNotes is how many paths were noted so far.
func CountNotes(ctx context.Context) int {
	notes, ok := ctx.Value(notesKey{}).(*Notes)
	if !ok {
		return 0
	}
	notes.mu.Lock()
	defer notes.mu.Unlock()
	return len(notes.states)
}

// noting is the real disk with notes. It is not embedded: a new way to read must be noted too.
type noting struct {
	tree  files.Tree
	notes *Notes
}

func (t noting) Flavor() files.Flavor            { return t.tree.Flavor() }
func (t noting) Abs(path string) (string, error) { return t.tree.Abs(path) }

func (t noting) ReadFile(path string, limit int64) ([]byte, error) {
	t.notes.add(path, false)
	return t.tree.ReadFile(path, limit)
}

func (t noting) ReadDir(path string) ([]files.Entry, error) {
	t.notes.add(path, true)
	return t.tree.ReadDir(path)
}

func (t noting) Stat(path string) (files.Info, error) {
	t.notes.add(path, false)
	return t.tree.Stat(path)
}

func (t noting) Open(path string, bounds files.Bounds) (files.Opened, error) {
	t.notes.add(path, false)
	o, err := t.tree.Open(path, bounds)
	if err != nil {
		return nil, err
	}
	return notingOpened{o, t.notes, path}, nil
}

// notingOpened notes when a folder is listed. What is read is noted already.
type notingOpened struct {
	files.Opened
	notes *Notes
	path  string
}

func (o notingOpened) List() ([]files.Entry, error) {
	o.notes.add(o.path, true)
	return o.Opened.List()
}

func (t noting) RealPath(path string) (string, error) {
	t.notes.add(path, false)
	return t.tree.RealPath(path)
}

// add goes the way of a path as the system does, and notes each step of it.
func (n *Notes) add(path string, list bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.sealed {
		return
	}
	folder, _ := way(path, func(path string) (fileState, bool) {
		s, known := n.states[path]
		if !known {
			s = stateOf(path)
			n.states[path] = s // as it was when it was first looked at
		}
		return s, true
	})
	if list && folder != "" {
		n.listed[folder] = true
	}
}

// seal ends the noting. After it, the notes can be read without a lock.
func (n *Notes) seal() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.sealed = true
}

// lists tells whether a folder was listed, or found missing.
func (n *Notes) lists(path string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	folder, known := way(path, func(path string) (fileState, bool) {
		s, known := n.states[path]
		return s, known
	})
	return known && (folder == "" || n.listed[folder])
}

// way goes to a path step by step and returns the folder that it leads to; empty: it leads to none. It ends where look does not
// know what is there.
func way(path string, look func(path string) (s fileState, known bool)) (folder string, known bool) {
	if !filepath.IsAbs(path) { // not cleaned otherwise: after a link, `..` is not where the link is
		abs, err := filepath.Abs(path)
		if err != nil {
			return "", true // there is no working directory, and so no such path
		}
		path = abs
	}
	at, rest := root(path), steps(path)
	for links := 0; len(rest) > 0; {
		name := rest[0]
		rest = rest[1:]
		if name == ".." {
			at = filepath.Dir(at) // no link is in it
			continue
		}
		next := filepath.Join(at, name)
		s, known := look(next)
		switch {
		case !known:
			return "", false
		case s.kind == files.Folder:
			at = next
		case s.kind == files.Link && links < files.MaxLinks:
			links++
			if filepath.IsAbs(s.target) {
				at = root(s.target)
			}
			rest = append(steps(s.target), rest...)
		default:
			return "", true // it ends here, whether the path does or not
		}
	}
	return at, true
}

// differ tells whether something is not as it was noted. What is in a restless folder does not count.
func (n *Notes) differ(restless func(folder string) bool) bool {
	for path, then := range n.states {
		if !then.same(lstat(path), n.listed[path] && !restless(path)) {
			return true
		}
	}
	return false
}

// unsure tells whether something was changed so shortly before it was noted that a change just after may show nowhere: clocks of
// file systems tick a few times in 100 ms.
func (n *Notes) unsure(restless func(folder string) bool) bool {
	for path, s := range n.states {
		if (s.kind != files.Folder || n.listed[path] && !restless(path)) && s.fresh(n.began.Add(-100*time.Millisecond)) {
			return true
		}
	}
	return false
}

func root(path string) string {
	return filepath.VolumeName(path) + string(filepath.Separator)
}

func steps(path string) []string {
	names := strings.FieldsFunc(path[len(filepath.VolumeName(path)):], func(r rune) bool { return r < 0x80 && isSeparator(byte(r)) })
	out := names[:0]
	for _, name := range names {
		if name != "." {
			out = append(out, name)
		}
	}
	return out
}

func isSeparator(c byte) bool { return c == filepath.Separator || c == '/' }
