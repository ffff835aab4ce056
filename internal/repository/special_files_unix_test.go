//go:build unix

package repository_test

import (
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/internal/repository"
)

// TestStrangeFiles puts pipes, devices and endless files where git has its own:
// nothing waits for them, and nothing reads them to their end.
func TestStrangeFiles(t *testing.T) {
	kinds := map[string]func(w *world, path string){
		"pipe":         func(w *world, path string) { w.must(syscall.Mkfifo(path, 0o600)) },
		"endless file": func(w *world, path string) { w.must(os.Symlink("/dev/zero", path)) },
		"terminal":     func(w *world, path string) { w.must(os.Symlink("/dev/tty", path)) },
		"loop":         func(w *world, path string) { w.must(os.Symlink(path, path)) },
		"folder":       func(w *world, path string) { w.must(os.Mkdir(path, 0o700)) },
		"huge file": func(w *world, path string) {
			w.must(os.WriteFile(path, nil, 0o600))
			w.must(os.Truncate(path, 1<<40))
		},
		"link to a secret": func(w *world, path string) {
			w.write("../secret", "ref: refs/heads/secret\n")
			w.must(os.Symlink(w.path("../secret"), path))
		},
	}
	files := []string{
		".git", ".git/HEAD", ".git/index", ".git/config", ".git/commondir", ".git/packed-refs", ".git/refs/heads/main", ".git/refs/replace",
		".git/info/exclude", ".git/info/attributes", ".git/objects/pack", ".git/objects/info/alternates", ".git/reftable",
		".gitignore", ".gitattributes", ".gitmodules", "a.txt", "sub", "sub/.gitignore", "../home/.gitconfig", "../home/.config/git/ignore",
	}
	w := newWorld(t)
	w.write(".git/info/x", "")
	w.write("../home/.config/git/x", "")
	away := w.path("../away")
	for kind, put := range kinds {
		for _, file := range files {
			t.Run(kind+" "+file, func(t *testing.T) {
				w.t = t
				if os.Rename(w.path(file), away) == nil {
					defer func() { w.must(os.Rename(away, w.path(file))) }()
				}
				put(w, w.path(file))
				defer func() { w.must(os.Remove(w.path(file))) }()
				done := inBackground(func() {
					if r, err := repository.Open(w.top, false); err == nil {
						if branch, _ := r.Branch(); branch != "main" && branch != "" {
							t.Errorf("branch %q", branch)
						}
					}
					w.told()
				})
				select {
				case <-done:
				case <-time.After(time.Minute):
					t.Fatal("it waits")
				}
			})
		}
	}
}

func inBackground(run func()) <-chan struct{} {
	done := make(chan struct{})
	go func() { defer close(done); run() }()
	return done
}
