package follow

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/pertain-dev/pertain/internal/files"
)

// Recording makes a context in which reads are noted, for who asks later, perhaps in another process, whether anything is another.
func Recording(ctx context.Context) (context.Context, *Notes) {
	notes := newNotes()
	return context.WithValue(ctx, notesKey{}, notes), notes
}

// Look is one path that was noted.
type Look struct {
	Path   string
	Listed bool // its names were read
}

// Saved ends the noting and gives the paths with a sum of all that can tell of a change; ok is false if a change may have been
// missed, or the system tells too little. Files of without are left out: nothing was read of them but where they are. What is
// in the folders above one is left to the caller, who knows which names count there: other programs change them all the time.
func (n *Notes) Saved(above string, without []string) (looks []Look, sum string, ok bool) {
	n.seal()
	for path := range n.listed {
		if path != above && files.Native().Inside(path, above) {
			delete(n.listed, path)
		}
	}
	if n.unsure(func(string) bool { return false }) {
		return nil, "", false
	}
	for path := range n.states {
		if !slices.Contains(without, path) || n.states[path].kind == files.Link {
			looks = append(looks, Look{path, n.listed[path]})
		}
	}
	slices.SortFunc(looks, func(a, b Look) int {
		if a.Path < b.Path {
			return -1
		}
		return 1
	})
	sum, ok = sumOf(looks, func(path string) fileState { return n.states[path] })
	return looks, sum, ok
}

// NamesAbove is a sum of the names in the folders above one, as far as keep wants them; empty: they cannot be read, or are too
// many.
func NamesAbove(folder string, keep func(name string) bool) string {
	above := files.Native().Up(filepath.Dir(folder), "")
	if len(above) > maxFoldersAbove {
		return ""
	}
	h := sha256.New()
	for _, at := range above {
		dir, err := os.Open(at)
		if err != nil {
			return ""
		}
		names, err := dir.Readdirnames(maxNamesAbove)
		dir.Close()
		if err != nil && !errors.Is(err, io.EOF) || len(names) == maxNamesAbove {
			return ""
		}
		names = slices.DeleteFunc(names, func(name string) bool { return !keep(name) })
		slices.Sort(names)
		for _, name := range append([]string{at}, names...) {
			h.Write([]byte(name))
			h.Write([]byte{0})
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

const (
	maxNamesAbove   = 20_000 // of a folder that are read
	maxFoldersAbove = 128    // that are listed: more take longer than what is kept by their names
)

// Unchanged tells whether everything is as it was saved.
func Unchanged(looks []Look, sum string) bool {
	glance := newGlance()
	defer glance.close()
	now, ok := sumOf(looks, glance.state)
	return ok && now == sum
}
