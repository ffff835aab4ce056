package files

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
)

// relation tells whether path is a root or below one, and whether it is a root or leads to one.
func (w *watcher) relation(path string) (below, above bool) {
	f := Native()
	for _, root := range w.roots {
		below = below || f.Inside(root, path)
		above = above || f.Inside(path, root)
	}
	return below, above
}

// skipped tells whether path is, or lies in, a folder that the caller does not want.
func (w *watcher) skipped(path string) bool {
	if w.skip == nil {
		return false
	}
	for !slices.Contains(w.roots, path) {
		if w.skip(path) {
			return true
		}
		up := filepath.Dir(path)
		if up == path {
			break
		}
		path = up
	}
	return false
}

// forget stops watching a folder that is gone, and all that was below it: after a rename the system would go on telling of
// them under their old names.
func (w *watcher) forget(path string) {
	for folder := range w.watched {
		if Native().Inside(path, folder) {
			_ = w.notify.Remove(folder) // it may be gone already
			delete(w.watched, folder)
		}
	}
}

// arm makes sure that every root is watched, with the folder that holds it; for a root that is missing, the nearest folder
// above that is there. Roots that have appeared since are told.
func (w *watcher) arm(ctx context.Context) {
	for _, root := range w.roots {
		for dir := filepath.Dir(root); ; {
			if isFolder(dir) && w.add(dir) {
				// Something may have been made on the way to the root between the attempt below and this one.
				if next := towards(dir, root); next != root && isFolder(next) && w.add(next) {
					dir = next
					continue
				}
				break
			}
			up := filepath.Dir(dir)
			if up == dir {
				break
			}
			dir = up
		}
		if _, err := os.Stat(root); err != nil {
			continue
		}
		if !w.watched[root] {
			w.paths[root] = true
		}
		w.watchFolder(ctx, root)
	}
}

// towards is the folder just below dir on the way to root.
func towards(dir, root string) string {
	for filepath.Dir(root) != dir && filepath.Dir(root) != root {
		root = filepath.Dir(root)
	}
	return root
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// watchFolder watches a folder with all below it; what is no folder, or is gone, is left alone.
func (w *watcher) watchFolder(ctx context.Context, path string) {
	if !isFolder(path) {
		return
	}
	// Each folder is watched before it is listed, so nothing can be made in it unseen.
	if !w.add(path) {
		return
	}
	err := Walk(ctx, OS(), path, WalkOptions{Follow: true}, func(s Step) error {
		if s.Err == nil && s.Info.Kind == Folder && s.Rel != "." {
			if w.skip != nil && w.skip(s.Path) {
				return ErrSkipFolder
			}
			w.add(s.Path)
		}
		return nil // what cannot be listed cannot be watched either, and add has said so
	})
	if err != nil && ctx.Err() == nil && !errors.Is(err, os.ErrNotExist) {
		w.fail(err)
	}
}

// add watches one folder and tells whether it is watched now.
func (w *watcher) add(folder string) bool {
	if w.watched[folder] {
		return true
	}
	if len(w.watched) >= w.maxFolders {
		w.fail(&LimitError{folder, "folders", w.maxFolders})
		return false
	}
	if err := w.notify.Add(folder); err != nil {
		if !errors.Is(err, os.ErrNotExist) {
			w.fail(err)
		}
		return false
	}
	w.watched[folder] = true
	return true
}

// fail keeps the first error of each kind, to be told with the next change.
func (w *watcher) fail(err error) {
	key := err.Error()
	var limit *LimitError
	if errors.As(err, &limit) {
		key = "limit"
	}
	if !w.told[key] && w.err == nil {
		w.told[key] = true
		w.err = err
	}
}
