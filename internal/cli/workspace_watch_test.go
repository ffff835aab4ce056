package cli

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"
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
	w, err := a.openWorkspace(t.Context(), dir, situation{}, serverLogger(io.Discard, false))
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
