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
	ways   map[string]stop      // by folders as paths write them: the way to one is gone once for all that is looked at in it
	facts  *files.Recalled      // what was found out in this look
	sealed bool                 // the look is over: who still reads by its tree is not followed
}

type notesKey struct{}

func newNotes() *Notes {
	return &Notes{began: time.Now(), states: map[string]fileState{}, listed: map[string]bool{}, ways: map[string]stop{}, facts: &files.Recalled{}}
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

// Recalled is for [files.Recall].
func (t noting) Recalled() *files.Recalled { return t.notes.facts }

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
	folder := n.folder(path)
	if list && folder != "" {
		n.listed[folder] = true
	}
}

// folder notes the way to a path and returns the folder that it leads to; empty: it leads to none.
func (n *Notes) folder(path string) string {
	path, ok := absolute(path)
	if !ok {
		return ""
	}
	s := n.along(path)
	if s.ended {
		return ""
	}
	return s.at
}

// along goes the way of a path from what is known of the folder before its last name on.
func (n *Notes) along(path string) stop {
	before, name := cutLast(path)
	if before == path {
		return stop{at: root(path)}
	}
	s, known := n.ways[before]
	if !known {
		s = n.along(before)
		n.ways[before] = s
	}
	if !s.ended && name != "" && name != "." {
		s, _ = s.step(name, n.state)
	}
	return s
}

// state is what was noted of a path, as it was when it was first looked at.
func (n *Notes) state(path string) (fileState, bool) {
	s, known := n.states[path]
	if !known {
		s = stateOf(path)
		n.states[path] = s
	}
	return s, true
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
	path, ok := absolute(path)
	if !ok {
		return "", true
	}
	s := stop{at: root(path)}
	for _, name := range steps(path) {
		if s, known = s.step(name, look); !known || s.ended {
			return "", known
		}
	}
	return s.at, true
}

// absolute is a path that is not cleaned if it need not be: after a link, `..` is not where the link is. Without a working directory
// there is none.
func absolute(path string) (string, bool) {
	if filepath.IsAbs(path) {
		return path, true
	}
	abs, err := filepath.Abs(path)
	return abs, err == nil
}

// stop is where the way of a path has come to.
type stop struct {
	at    string // the folder, without links
	links int    // that were followed
	names int    // that they have
	ended bool   // it goes no further: what was there is no folder
}

// step goes on by a name, and by the links that it leads to.
func (s stop) step(name string, look func(path string) (s fileState, known bool)) (next stop, known bool) {
	for rest := []string{name}; len(rest) > 0; {
		name, rest = rest[0], rest[1:]
		if name == ".." {
			s.at = filepath.Dir(s.at) // no link is in it
			continue
		}
		path := filepath.Join(s.at, name)
		found, known := look(path)
		switch {
		case !known:
			return s, false
		case found.kind == files.Folder:
			s.at = path
		case found.kind == files.Link && s.links < files.MaxLinks && s.names+files.LinkNames(found.target) <= files.MaxLinkNames:
			s.links++
			s.names += files.LinkNames(found.target)
			if filepath.IsAbs(found.target) {
				s.at = root(found.target)
			}
			rest = append(steps(found.target), rest...)
		default:
			s.ended = true // whether the path does or not
			return s, true
		}
	}
	return s, true
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

// cutLast cuts the last name off a path, with what separates it; nothing is cut off a root.
func cutLast(path string) (before, name string) {
	volume := len(filepath.VolumeName(path))
	end := len(path)
	for end > volume && isSeparator(path[end-1]) {
		end--
	}
	start := end
	for start > volume && !isSeparator(path[start-1]) {
		start--
	}
	if start == end {
		return path, ""
	}
	return path[:start], path[start:end]
}

func isSeparator(c byte) bool { return c == filepath.Separator || c == '/' }
