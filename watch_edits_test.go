package pertain_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/pertain-dev/pertain/internal/settings"
)

// editedWorld is a home, a workspace and folders elsewhere that are edited at random,
// as editors, package managers of dotfiles, and careless people do. Edits that
// cannot be done are none.
type editedWorld struct {
	base   string
	random *rand.Rand
	log    []string // what was done, for who looks for a fault
	number int
}

// The paths of a world: each folder and file may be there or not, and be a link
// to any other.
var (
	worldFolders = []string{
		"home/.config", "home/.config/pertain", "home/.config/pertain/strategies", "home/.config/pertain/strategies/sub",
		"home/.config/pertain/strategies/deep/er", "home/.config/pertain/plugins", "home/.config/pertain/plugins/one",
		"home/.config/pertain/plugins/one/strategies", "home/.config/pertain/plugins/two/strategies", "home/.config/pertain/skills",
		"home/.config/pertain/skills/s1", "home/.claude/skills", "home/.claude/skills/s1", "home/.claude/skills/s2", "home/.claude",
		"ws/.pertain", "ws/.pertain/strategies", "ws/.pertain/strategies/sub", "ws/.pertain/skills/s3", "ws/.cursor/rules", "ws/.clinerules",
		"ws/sub", "ws/sub/inner", "out/one", "out/two", "out/two/inner", "out/skill", "away/x", "away/y",
	}
	worldFiles = []string{
		"home/.claude/CLAUDE.md", "home/.codex/AGENTS.md", "ws/AGENTS.md", "ws/CLAUDE.md", "ws/.cursor/rules/r.mdc", "ws/.clinerules/c.md",
		"ws/sub/AGENTS.md", "ws/sub/inner/CLAUDE.md", "ws/.gitignore", "ws/imported.md", "out/rule.md",
		"home/.config/pertain/skills/s1/SKILL.md", "home/.claude/skills/s1/SKILL.md", "home/.claude/skills/s2/SKILL.md",
		"ws/.pertain/skills/s3/SKILL.md", "out/skill/SKILL.md",
		"home/.config/pertain/config.yaml", "home/.config/pertain/trust.json", "home/.config/pertain/config.yaml",
	}
)

func newEditedWorld(base string, seed uint64, number int) *editedWorld {
	w := &editedWorld{base: base, random: rand.New(rand.NewPCG(seed, uint64(number)))}
	_ = os.MkdirAll(w.path("ws/.git"), 0o755)
	_ = os.MkdirAll(w.path("home/.config/pertain/strategies"), 0o755)
	return w
}

func (w *editedWorld) path(name string) string {
	return filepath.Join(w.base, filepath.FromSlash(name))
}

func one[T any](r *rand.Rand, of []T) T { return of[r.IntN(len(of))] }

func (w *editedWorld) folder() string { return one(w.random, worldFolders) }

// file is a path for a file, mostly of a strategy or its source.
func (w *editedWorld) file() string {
	if w.random.IntN(4) == 0 {
		return one(w.random, worldFiles)
	}
	folder := w.folder()
	for !strings.Contains(folder, "strategies") && !strings.HasPrefix(folder, "out") {
		folder = w.folder()
	}
	return folder + "/" + one(w.random, []string{"a.strategy.md", "b.strategy.md", "c.strategy.md", "source.md"})
}

// trusting is the text of a list that trusts a folder; empty where there is none now.
func (w *editedWorld) trusting(folder string) string {
	scratch, err := os.MkdirTemp("", "trusting")
	if err != nil {
		return ""
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	list := filepath.Join(scratch, "trust.json")
	if _, _, err := (settings.Trust{Path: list}).Add(context.Background(), w.path(folder)); err != nil {
		return ""
	}
	data, err := os.ReadFile(list)
	if err != nil {
		return ""
	}
	return string(data)
}

// text is what to write into a file.
func (w *editedWorld) text(file string) string {
	w.number++
	pad := strings.Repeat("x", w.random.IntN(3))
	switch filepath.Base(file) {
	case "config.yaml":
		return one(w.random, []string{"", "disabled: [user.a]\n", "disabled: [user.b, plugin.one.a]\n", "options: {regexTimeout: 40ms}\n", "disabled: {broken\n"})
	case "trust.json":
		return one(w.random, []string{"broken", w.trusting("ws")})
	}
	switch w.random.IntN(12) {
	case 0:
		return ""
	case 1:
		return "---\nname: [broken " + pad
	case 2:
		return fmt.Sprintf("---\nname: N%d\nfrom: ./source.md\n---\n", w.number)
	case 3:
		return fmt.Sprintf("---\nname: N%d\nfrom: %s\n---\n", w.number, w.path(w.file()))
	case 4, 5:
		return fmt.Sprintf("---\nname: N%d\nfrom: skill://%s\n---\n", w.number, one(w.random, []string{"s1", "s2", "s3", "claude.s1"}))
	case 6:
		return fmt.Sprintf("sub%s\n@./imported.md %d\n@%s\n", pad, w.number, w.path(w.file()))
	}
	return fmt.Sprintf("---\nname: N%d\ndescription: text\n---\nBody %s\n", w.number, pad)
}

func (w *editedWorld) do(what string, do func() error, names ...string) {
	if err := do(); err == nil {
		w.log = append(w.log, fmt.Sprintf("%s %s", what, strings.Join(names, " → ")))
	}
}

// edit does one thing.
func (w *editedWorld) edit() {
	switch w.random.IntN(10) {
	case 0:
		w.wire()
		return
	case 1, 2, 3:
		w.editFar()
		return
	}
	file, folder := w.file(), w.folder()
	path := w.path(file)
	switch n := w.random.IntN(100); {
	case n < 22: // in place
		text := w.text(file)
		w.do("write", func() error {
			_ = os.MkdirAll(filepath.Dir(path), 0o755)
			return os.WriteFile(path, []byte(text), 0o644)
		}, file)
	case n < 34: // as careful editors do
		text := w.text(file)
		w.do("replace", func() error {
			_ = os.MkdirAll(filepath.Dir(path), 0o755)
			if err := os.WriteFile(path+"~", []byte(text), 0o644); err != nil {
				return err
			}
			return os.Rename(path+"~", path)
		}, file)
	case n < 42:
		w.do("remove", func() error { return os.Remove(path) }, file)
	case n < 54:
		w.link(file, w.file())
	case n < 60:
		other := w.file()
		w.do("hard link", func() error {
			if info, err := os.Stat(w.path(other)); err != nil || info.IsDir() {
				return os.ErrInvalid
			}
			_ = os.Remove(path)
			return os.Link(w.path(other), path)
		}, file, other)
	case n < 66: // the same size, and the old time
		w.do("retouch", func() error { return w.retouch(path) }, file)
	case n < 72:
		w.do("make folder", func() error { return os.MkdirAll(w.path(folder), 0o755) }, folder)
	case n < 75:
		w.do("remove folder", func() error { return os.RemoveAll(w.path(folder)) }, folder)
	case n < 82:
		w.link(folder, w.folder())
	case n < 92:
		w.move(folder, w.folder())
	case n < 96:
		w.do("close", func() error { return os.Chmod(w.path(one(w.random, []string{file, folder})), 0) }, file, folder)
	default:
		w.do("open", func() error { return w.open() })
	}
}

// link makes a name a link, also to what is not there, or to itself.
func (w *editedWorld) link(name, to string) {
	target := w.path(to)
	if w.random.IntN(2) == 0 {
		if rel, err := filepath.Rel(filepath.Dir(w.path(name)), target); err == nil {
			target = rel
		}
	}
	w.do("link", func() error {
		if info, err := os.Lstat(w.path(name)); err == nil && info.IsDir() {
			_ = os.RemoveAll(w.path("away/replaced"))
			_ = os.MkdirAll(w.path("away"), 0o755)
			if err := os.Rename(w.path(name), w.path("away/replaced")); err != nil {
				return err
			}
		}
		_ = os.MkdirAll(filepath.Dir(w.path(name)), 0o755)
		_ = os.Remove(w.path(name))
		return os.Symlink(target, w.path(name))
	}, name, to)
}

// move gives a folder, or the link to it, another path.
func (w *editedWorld) move(from, to string) {
	w.do("move", func() error {
		_ = os.MkdirAll(filepath.Dir(w.path(to)), 0o755)
		if err := os.Rename(w.path(from), w.path(to)); err == nil {
			return nil
		}
		_ = os.RemoveAll(w.path("away/before"))
		_ = os.Rename(w.path(to), w.path("away/before"))
		return os.Rename(w.path(from), w.path(to))
	}, from, to)
}

// retouch changes a letter and hides it as well as a program can.
func (w *editedWorld) retouch(path string) error {
	info, err := os.Stat(path)
	if err != nil || info.IsDir() {
		return os.ErrInvalid
	}
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = file.WriteAt([]byte{"qz"[w.random.IntN(2)]}, max(0, info.Size()-2))
	_ = file.Close()
	_ = os.Chtimes(path, time.Time{}, info.ModTime())
	return err
}

// open makes everything readable again.
func (w *editedWorld) open() error {
	return filepath.WalkDir(w.base, func(path string, d os.DirEntry, _ error) error {
		switch {
		case d == nil || d.Type()&os.ModeSymlink != 0:
		case d.IsDir():
			_ = os.Chmod(path, 0o755)
		default:
			_ = os.Chmod(path, 0o644)
		}
		return nil
	})
}
