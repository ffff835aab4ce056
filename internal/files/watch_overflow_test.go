package files

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/fsnotify/fsnotify"
)

// The system says that it dropped events: the receiver is asked to look at everything, and folders that were made meanwhile
// are watched.
func TestWatchOverflow(t *testing.T) {
	root := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	w, err := newWatcher(ctx, WatchOptions{Roots: []string{root}})
	if err != nil {
		t.Fatal(err)
	}
	out := make(chan Change)
	go w.run(ctx, out)
	w.notify.Errors <- fsnotify.ErrEventOverflow
	if c := <-out; !c.Rescan || c.Err != nil {
		t.Errorf("change %+v", c)
	}
	path := filepath.Join(root, "x")
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if c := <-out; len(c.Paths) != 1 || c.Paths[0] != path {
		t.Errorf("change %+v", c)
	}
}
