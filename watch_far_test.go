package pertain_test

import (
	"fmt"
	"os"
	"path/filepath"
)

// What is in the folder far is read only because a strategy of the user leads
// there, each in another way: nothing else that happens there is a hint.

// wire makes a strategy of the user lead to far.
func (w *editedWorld) wire() {
	folder := "home/.config/pertain/strategies/"
	n := w.random.IntN(2)
	type wiring struct {
		name string
		do   func(path string) error
	}
	way := one(w.random, []wiring{
		{"source", func(path string) error {
			return os.WriteFile(path, fmt.Appendf(nil, "---\nname: W\nfrom: %s\n---\n", w.path(fmt.Sprintf("far/source%d/x.md", n))), 0o644)
		}},
		{"skill", func(path string) error {
			skill := w.path("home/.codex/skills/far")
			_ = os.MkdirAll(filepath.Dir(skill), 0o755)
			_ = os.Symlink(w.path("far/skill"), skill)
			return os.WriteFile(path, []byte("---\nname: W\nfrom: skill://codex.far\n---\n"), 0o644)
		}},
		{"link", func(path string) error { return os.Symlink(w.path("far/now/a.md"), path) }},
		{"names", func(path string) error {
			if err := w.writeFar("names/a.md"); err != nil {
				return err
			}
			return os.Link(w.path("far/names/a.md"), path)
		}},
	})
	w.do("wire", func() error {
		path := w.path(folder + "far-" + way.name + ".strategy.md")
		_ = os.MkdirAll(filepath.Dir(path), 0o755)
		_ = os.Remove(path)
		return way.do(path)
	}, way.name)
}

// editFar changes something that strategies may lead to.
func (w *editedWorld) editFar() {
	file := one(w.random, []string{"source0/x.md", "source1/x.md", "skill/SKILL.md", "v0/a.md", "v1/a.md", "names/a.md", "names/a.md"})
	switch w.random.IntN(8) {
	case 0:
		w.do("remove far", func() error { return os.Remove(w.path("far/" + file)) }, file)
	case 1:
		folder := filepath.Dir(file)
		w.do("remove far folder", func() error { return os.RemoveAll(w.path("far/" + folder)) }, folder)
	case 2, 3:
		to := one(w.random, []string{"v0", "v1"})
		w.do("retarget far", func() error {
			_ = os.MkdirAll(w.path("far"), 0o755)
			_ = os.Remove(w.path("far/next"))
			if err := os.Symlink(to, w.path("far/next")); err != nil {
				return err
			}
			return os.Rename(w.path("far/next"), w.path("far/now"))
		}, to)
	case 4:
		w.do("retouch far", func() error { return w.retouch(w.path("far/" + file)) }, file)
	default:
		w.do("write far", func() error { return w.writeFar(file) }, file)
	}
}

// writeFar writes in place what is good as a strategy, a source and a skill.
func (w *editedWorld) writeFar(file string) error {
	w.number++
	_ = os.MkdirAll(filepath.Dir(w.path("far/"+file)), 0o755)
	return os.WriteFile(w.path("far/"+file), fmt.Appendf(nil, "---\nname: far\ndescription: D%d\n---\nBody %d\n", w.number, w.number), 0o644)
}
