package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/internal/settings"
)

// TestDecisionsWhileServing holds that a server need not be started again for
// `pertain trust` and for settings to count.
func TestDecisionsWhileServing(t *testing.T) {
	dir, home := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		filepath.Join(dir, ".pertain", "strategies", "a.strategy.md"):            "---\nname: A\n---\nx\n",
		filepath.Join(home, ".config", "pertain", "strategies", "b.strategy.md"): "---\nname: B\n---\nx\n",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	a := &app{noBuiltin: true, call: Invocation{Dir: dir, Env: func(name string) string { return map[string]string{"HOME": home}[name] }}}
	w, err := a.openWorkspace(t.Context(), dir, &server{where: situation{}, logger: serverLogger(io.Discard, false)})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	recommended := func() (ids []string) {
		snapshot, err := w.Decode([]byte("{}"))
		if err != nil {
			t.Fatal(err)
		}
		m, err := w.Engine().Match(t.Context(), snapshot, pertain.MatchOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range m.Candidates {
			ids = append(ids, c.Strategy.ID)
		}
		return ids
	}
	ctx, stop := context.WithCancel(t.Context())
	heard, done := make(chan string, 1000), make(chan error, 1)
	go func() { done <- w.Watch(ctx, func(part string) { heard <- part }) }()
	trust := settings.Trust{Path: a.paths().Trust}
	config := filepath.Join(home, ".config", "pertain", "config.yaml")
	for _, step := range []struct {
		name string
		do   func() error
		want []string
	}{
		{"at first", func() error { heard <- "strategies"; return nil }, []string{"user.b"}},
		{"trusted", func() error { _, _, err := trust.Add(ctx, dir); return err }, []string{"user.b", "workspace.a"}},
		{"disabled", func() error { return os.WriteFile(config, []byte("disabled: [user.b]\n"), 0o600) }, []string{"workspace.a"}},
		{"revoked", func() error { _, _, err := trust.Revoke(ctx, dir); return err }, nil},
		{"enabled again", func() error { return os.Remove(config) }, []string{"user.b"}},
		{"trusted again", func() error { _, _, err := trust.Add(ctx, dir); return err }, []string{"user.b", "workspace.a"}},
		{"disabled again", func() error { return os.WriteFile(config, []byte("disabled: [user.b]\n"), 0o600) }, []string{"workspace.a"}},
		{"settings that cannot be read, revoked", func() error {
			_, _, err := trust.Revoke(ctx, dir)
			return errors.Join(os.Remove(config), os.Mkdir(config, 0o700), err)
		}, nil},
	} {
		if err := step.do(); err != nil {
			t.Fatal(err)
		}
		late := time.After(20 * time.Second)
		for waiting := true; waiting; {
			select {
			case <-heard:
				if got := recommended(); len(got) == len(step.want) && (len(got) == 0 || got[0] == step.want[0]) {
					waiting = false
				}
			case <-late:
				t.Fatalf("%s: %v is recommended instead of %v", step.name, recommended(), step.want)
			}
		}
	}
	stop()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("the watch did not end")
	}
}
