package cli

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/follow"
	"github.com/pertain-dev/pertain/internal/settings"
)

// TestWorkspaceWatch holds that what appears after the start is told: rules in a
// folder of the user that was not there, plugins, and skills that are enabled.
func TestWorkspaceWatch(t *testing.T) {
	dir, home := t.TempDir(), t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(home, ".claude", "skills", "pdf", "SKILL.md"), "---\nname: pdf\ndescription: x\n---\nx\n")
	a := &app{noBuiltin: true, call: Invocation{Dir: dir, Env: func(name string) string { return map[string]string{"HOME": home}[name] }}}
	w, err := a.openWorkspace(t.Context(), dir, &server{where: situation{}, logger: serverLogger(io.Discard, false)})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	ctx, stop := context.WithCancel(t.Context())
	heard, done := make(chan string, 1000), make(chan error, 1)
	go func() { done <- w.Watch(ctx, func(part string) { heard <- part }) }()
	for _, step := range []struct {
		name, part string
		do         func(i int)
	}{
		{"a rule in a new folder of the user", "rules", func(i int) {
			write(filepath.Join(home, ".omp", "agent", "rules", "mine.md"), "Mine"+string(rune('0'+i)))
		}},
		{"a rule behind a link", "rules", func(i int) {
			write(filepath.Join(home, "dotfiles", "mine.md"), "@./more.md\nLinked"+string(rune('0'+i)))
			_ = os.Symlink(filepath.Join(home, "dotfiles", "mine.md"), filepath.Join(home, ".omp", "agent", "rules", "linked.md"))
		}},
		{"the target of its link", "rules", func(i int) { write(filepath.Join(home, "dotfiles", "mine.md"), "Other"+string(rune('0'+i))) }},
		{"what a rule imports", "rules", func(i int) {
			write(filepath.Join(dir, "CLAUDE.md"), "@./docs/later.md\n")
			write(filepath.Join(dir, "docs", "later.md"), "Imported"+string(rune('0'+i)))
		}},
		{"a rule of a nested folder", "rules", func(i int) { write(filepath.Join(dir, "src", "deep", "AGENTS.md"), "Nested"+string(rune('0'+i))) }},
		{"a skill folder", "skills", func(i int) {
			write(filepath.Join(home, ".agents", "skills", "new"+string(rune('0'+i)), "SKILL.md"), "---\nname: n\ndescription: x\n---\nx\n")
		}},
		{"a linked skill", "skills", func(i int) {
			write(filepath.Join(home, "dotfiles", "skill", "SKILL.md"), "---\nname: l\ndescription: "+string(rune('0'+i))+"\n---\nx\n")
			_ = os.Symlink(filepath.Join(home, "dotfiles", "skill"), filepath.Join(home, ".agents", "skills", "l"))
		}},
		{"a file of a linked skill", "skills", func(i int) {
			write(filepath.Join(home, "dotfiles", "skill", "more", "notes.md"), strings.Repeat("x", i+1))
		}},
		{"a plugin", "strategies", func(i int) {
			write(filepath.Join(home, ".config", "pertain", "plugins", "p"+string(rune('0'+i)), "strategies", "n.strategy.md"), "---\nname: N\n---\nx\n")
		}},
		{"a skill is enabled", "skills", func(i int) {
			if _, err := a.library().Enable(ctx, "claude.pdf", i%2 == 0); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		t.Run(step.name, func(t *testing.T) {
			for i := range 4 { // the first may come before the watch has begun
				forget(heard) // what is left of the step before
				step.do(i)
				late := time.After(4 * time.Second) // less than the look without a hint
				for waiting := true; waiting; {
					select {
					case part := <-heard:
						if part == step.part {
							return
						}
					case <-late:
						waiting = false
					}
				}
			}
			t.Error("nothing was told")
		})
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// forget takes what was heard and not looked at.
func forget(heard <-chan string) {
	for {
		select {
		case <-heard:
		default:
			return
		}
	}
}

// TestUnwatched holds that what the user decides counts with the next question
// where nothing is watched, and soon what strategies say; and that the user is
// told once.
func TestUnwatched(t *testing.T) {
	dir, home := t.TempDir(), t.TempDir()
	put := func(name string) {
		t.Helper()
		path := filepath.Join(dir, ".pertain", "strategies", name+".strategy.md")
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("---\nname: "+name+"\n---\nx\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("a")
	a := &app{noBuiltin: true, call: Invocation{Dir: dir, Env: func(name string) string { return map[string]string{"HOME": home}[name] }}}
	trust := settings.Trust{Path: a.paths().Trust}
	if _, _, err := trust.Add(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	shared := &server{logger: serverLogger(&log, false)}
	w, err := a.openWorkspace(t.Context(), dir, shared)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	recommended := func(w *workspace) (ids []string) {
		t.Helper()
		m, err := w.Engine().Match(t.Context(), facts.NewSnapshot(facts.Parts{Values: facts.Fields()}), pertain.MatchOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range m.Candidates {
			ids = append(ids, c.Strategy.ID)
		}
		return ids
	}
	for i := range 3 {
		if got := recommended(w); len(got) != 1 {
			t.Fatalf("%v is recommended, trusted", got)
		}
		if _, _, err := trust.Revoke(t.Context(), dir); err != nil {
			t.Fatal(err)
		}
		if got := recommended(w); len(got) > 0 {
			t.Fatalf("round %d: %v is recommended, no longer trusted", i, got)
		}
		if _, _, err := trust.Add(t.Context(), dir); err != nil {
			t.Fatal(err)
		}
	}
	// Somebody moves the folder away and makes another of its name: what is there was never looked at.
	if got := recommended(w); len(got) != 1 {
		t.Fatalf("%v is recommended, trusted again", got)
	}
	if err := os.Rename(dir, dir+"-away"); err != nil {
		t.Fatal(err)
	}
	put("a")
	if got := recommended(w); len(got) > 0 {
		t.Fatalf("%v is recommended, of another folder", got)
	}
	if _, _, err := trust.Add(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(follow.Restrict(t.Context(), follow.Means{Deaf: true}))
	done := make(chan error, 1)
	go func() { done <- w.Watch(ctx, func(string) {}) }()
	put("b")
	for began := time.Now(); len(recommended(w)) != 2; time.Sleep(10 * time.Millisecond) {
		if time.Since(began) > 20*time.Second {
			t.Fatal("a new strategy is not seen")
		}
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
	other, err := a.openWorkspace(t.Context(), dir, shared)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	w.cannotWatch(syscall.EMFILE)
	other.cannotWatch(syscall.EMFILE)
	if n := strings.Count(log.String(), "\n"); n != 1 {
		t.Errorf("the user was told %d times:\n%s", n, log.String())
	}
}
