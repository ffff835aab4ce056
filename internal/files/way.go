package files

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"
)

// MaxLinkNames is how many names the links on a way may have together; beyond that they count as too many links. A link costs the
// system as much as the names in it, and in all those that it leads through: forty of four thousand bytes take milliseconds, each
// time that anything below is looked at, and cost whoever makes a repository nothing.
const MaxLinkNames = 100

// LinkNames is how many names a link has, as [MaxLinkNames] counts them.
func LinkNames(target string) int { return strings.Count(target, "/") + 1 }

// ways are folders whose names are known to be looked up soon: they are no links, or lead through few.
type ways struct {
	mu    sync.RWMutex
	known map[string]bool // whether it is no link, and none is on the way
	size  int             // bytes of the names
	since time.Time
}

// Limits of what is remembered.
const (
	maxWays = 4 << 20          // bytes
	waysFor = 10 * time.Second // a link that is made meanwhile costs time, and no more
)

var knownWays ways

// checkWay refuses a path whose folder is reached through links that are too long. What cannot be looked at is the system's to refuse.
func checkWay(path string) error {
	if runtime.GOOS == "windows" { // there a look takes longer than a long link
		return nil
	}
	return knownWays.check(path, filepath.Dir(path))
}

// checkLink is the same for a path that is a link itself.
func checkLink(path string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	return knownWays.check(path, path)
}

func (w *ways) check(path, way string) error {
	if !filepath.IsAbs(way) {
		return nil
	}
	if _, known := w.get(way); known || w.few(way) {
		return nil
	}
	return pathError("open", path, ErrTooManyLinks)
}

func (w *ways) get(folder string) (plain, known bool) {
	w.mu.RLock()
	defer w.mu.RUnlock()
	plain, known = w.known[folder]
	return plain, known
}

func (w *ways) put(folder string, plain bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if now := time.Now(); w.known == nil || w.size > maxWays || now.Sub(w.since) > waysFor {
		w.known, w.size, w.since = map[string]bool{}, 0, now
	}
	w.size += len(folder) + 16
	w.known[folder] = plain
}

// few tells whether the links on a way have few names.
func (w *ways) few(way string) bool {
	if isPlain(way) {
		w.put(way, true)
		return true
	}
	few := w.walk(way)
	if few {
		w.put(way, false)
	}
	return few
}

// walk goes a way as the system does.
func (w *ways) walk(way string) (few bool) {
	at, rest := "/", way
	names, links := 0, 0
	for rest != "" {
		var name string
		name, rest, _ = strings.Cut(rest, "/")
		switch name {
		case "", ".":
			continue
		case "..":
			at = filepath.Dir(at)
			continue
		}
		next := strings.TrimSuffix(at, "/") + "/" + name
		if plain, known := w.get(next); known && plain {
			at = next
			continue
		}
		info, err := os.Lstat(next)
		if err != nil {
			return true // the system says why
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			w.put(next, true)
			at = next
			continue
		}
		target, err := os.Readlink(next)
		if err != nil {
			return true
		}
		links++
		if names += LinkNames(target); names > MaxLinkNames || links > MaxLinks {
			return false
		}
		if strings.HasPrefix(target, "/") {
			at = "/"
		}
		rest = target + "/" + rest
	}
	return true
}
