package hook_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aead.dev/minisign"

	"github.com/pertain-dev/pertain/internal/revision"
)

// TestFleetThatCannotBeUsed: a copy that is not what was signed, or is not there, is told, and denies where nothing goes unchecked.
func TestFleetThatCannotBeUsed(t *testing.T) {
	w := newWorld(t)
	public, key, err := minisign.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	state := filepath.Join(w.home, ".local", "state", "pertain")
	if filepath.Separator != '/' {
		state = filepath.Join(w.home, "AppData", "Local", "pertain")
		w.file("~/AppData/Roaming/pertain/config.yaml", "fleet: {url: \"nats://127.0.0.1:1\", keys: ["+public.String()+"]}\n")
	} else {
		w.file("~/.config/pertain/config.yaml", "fleet: {url: \"nats://127.0.0.1:1\", keys: ["+public.String()+"]}\n")
	}
	check := func(name string, told, denied bool) {
		t.Helper()
		for range 2 { // what is kept says the same
			got, _ := w.run(w.call("fine"), "claude")
			if strings.Contains(got, `"deny"`) || strings.Contains(w.lastErrs, "the rules of your fleet are not used") != told || strings.Count(w.lastErrs, "\n") > 1 {
				t.Errorf("%s: %s, %s", name, got, w.lastErrs)
			}
			if got, _ := w.run(w.call("fine"), "claude", "--fail-closed"); strings.Contains(got, `"deny"`) != denied {
				t.Errorf("%s, with --fail-closed: %s", name, got)
			}
		}
	}
	check("nothing was taken", true, true)
	text := "---\nttsr_trigger: eval\\(\"\n---\nNever use eval.\n"
	manifest := revision.Manifest{Namespace: "main", Revision: 1, Author: "me", Time: time.Now(), Files: []revision.File{{Path: "rules/a.md", Size: len(text), Sum: revision.Sum([]byte(text))}}}
	data, err := manifest.Encode()
	if err != nil {
		t.Fatal(err)
	}
	trust, _ := revision.NewTrust("main", []string{public.String()})
	store := revision.In(state, "main")
	sealed := revision.Sealed{Manifest: string(data), Signature: string(minisign.Sign(key, data))}
	if err := store.Keep(t.Context(), trust, sealed, map[string][]byte{revision.Sum([]byte(text)): []byte(text)}, time.Now()); err != nil {
		t.Fatal(err)
	}
	check("a copy", false, false)
	if got := w.write("a.js", bad); !strings.Contains(got, `"deny"`) {
		t.Errorf("a rule of the fleet: %s", got)
	}
	current := filepath.Join(store.Dir, "current.json")
	whole, err := os.ReadFile(current)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(current, whole[:len(whole)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	check("a torn pointer", true, true)
	if err := os.WriteFile(current, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	check("the pointer again", false, false)
	found, err := filepath.Glob(filepath.Join(store.Dir, "*", "files", "rules", "a.md"))
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	if err := os.Chmod(found[0], 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(found[0], []byte(text+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	check("one byte more", true, true)
}
