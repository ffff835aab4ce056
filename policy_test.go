package pertain_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/stream"
)

// The settings are the policy; what means "none" there must not become the default.
func TestStreamPolicy(t *testing.T) {
	usual := stream.Policy{ContextMode: stream.Discard, RepeatMode: stream.Once, RepeatGap: 10, InterruptMode: stream.InterruptAlways, Budget: 3}
	for _, c := range []struct {
		file     string
		want     stream.Policy
		problems int
	}{
		{"", usual, 0},
		{
			"ttsr: {enabled: false, contextMode: keep, repeatMode: after-gap, repeatGap: 2, interruptMode: tool-only, budget: 7}\n",
			stream.Policy{Disabled: true, ContextMode: stream.Keep, RepeatMode: stream.AfterGap, RepeatGap: 2, InterruptMode: stream.ToolOnly, Budget: 7},
			0,
		},
		{
			"ttsr: {repeatGap: 0, budget: 0}\n",
			stream.Policy{ContextMode: stream.Discard, RepeatMode: stream.Once, RepeatGap: -1, InterruptMode: stream.InterruptAlways, Budget: -1},
			0,
		},
		{"ttsr: {contextMode: kept, budget: many}\n", usual, 2},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "config.yaml"), []byte(c.file), 0o600); err != nil {
			t.Fatal(err)
		}
		env := map[string]string{"HOME": dir, "PERTAIN_CONFIG": filepath.Join(dir, "config.yaml")}
		got, list, err := pertain.StreamPolicy(pertain.Environment{Dir: dir, Env: func(name string) string { return env[name] }})
		if diff := cmp.Diff(c.want, got); diff != "" || len(list) != c.problems || err != nil {
			t.Errorf("%s%v, %v\n%s", c.file, list, err, diff)
		}
	}
	folder := t.TempDir()
	if _, _, err := pertain.StreamPolicy(pertain.Environment{Dir: folder, Env: func(string) string { return folder }}); err == nil {
		t.Error("a folder is read as settings")
	}
	for _, name := range []string{"config.yaml", filepath.Join(folder, "none.yaml")} {
		env := map[string]string{"HOME": folder, "PERTAIN_CONFIG": name}
		at := pertain.Environment{Dir: folder, Env: func(name string) string { return env[name] }}
		if _, _, err := pertain.StreamPolicy(at); err == nil || !strings.Contains(err.Error(), "unset it") {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := pertain.Locate(at); err == nil || !strings.Contains(err.Error(), "unset it") {
			t.Errorf("%s: %v", name, err)
		}
		at.NoSettings = true
		if _, err := pertain.Locate(at); err != nil {
			t.Errorf("%s, not asked for: %v", name, err)
		}
	}
}
