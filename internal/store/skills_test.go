package store_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/identity"
	"github.com/pertain-dev/pertain/internal/store"
	"github.com/pertain-dev/pertain/skill"
)

func TestSkillsKeepOnlyDifferences(t *testing.T) {
	dir := t.TempDir()
	for _, path := range []string{"pertain/mine", "claude/pdf", "work/own"} {
		file := filepath.Join(dir, path, "SKILL.md")
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("---\nname: x\ndescription: D\n---\nB"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	state := store.Skills{Path: filepath.Join(dir, "state", "skills.json")}
	library := func(workspace string) skill.Library {
		return skill.Library{Tree: files.OS(), State: state, Roots: []skill.Root{
			{Source: "pertain", Dir: filepath.Join(dir, "pertain"), Enabled: true},
			{Source: "claude", Dir: filepath.Join(dir, "claude")},
			{Source: "workspace", Dir: filepath.Join(dir, "work"), Workspace: workspace},
		}}
	}
	l := library(dir)
	enable := func(name string, on bool) {
		t.Helper()
		if _, err := l.Enable(t.Context(), name, on); err != nil {
			t.Fatal(err)
		}
	}
	kept := func() map[string]any {
		t.Helper()
		data, err := os.ReadFile(state.Path)
		if err != nil {
			t.Fatal(err)
		}
		var out map[string]any
		if err := json.Unmarshal(data, &out); err != nil {
			t.Fatal(err)
		}
		return out
	}
	enable("pertain.mine", true) // as it is by default
	if diff := cmp.Diff(map[string]any{"version": 1.0}, kept()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	enable("mine", false)
	enable("CLAUDE.pdf", true)
	enable("own", true)
	want := map[string]any{
		"version": 1.0, "skills": map[string]any{"pertain.mine": false, "claude.pdf": true},
		"workspaces": map[string]any{dir: map[string]any{"workspace.own": true}},
	}
	got := kept()
	delete(got, "folders") // which folder the workspace is
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	enabled := func(l skill.Library) map[string]bool {
		t.Helper()
		r, err := l.Load(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		out := map[string]bool{}
		for _, s := range r.Skills() {
			out[s.ID] = s.Enabled
		}
		return out
	}
	if diff := cmp.Diff(map[string]bool{"pertain.mine": false, "claude.pdf": true, "workspace.own": true}, enabled(l)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// A skill of the same id in another workspace is another skill.
	if enabled(library(filepath.Dir(dir)))["workspace.own"] {
		t.Error("the choice reaches another workspace")
	}
	enable("mine", true)
	enable("claude.pdf", false)
	enable("own", false)
	if diff := cmp.Diff(map[string]any{"version": 1.0}, kept()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if info, err := os.Stat(state.Path); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("others may read or write the file: %v, %v", info.Mode(), err)
	}
}

// TestSkillsOfAnotherFolder: what was enabled in a folder says nothing of another one that takes its name; what an earlier version
// kept, which did not note the folder, still counts.
func TestSkillsOfAnotherFolder(t *testing.T) {
	dir := t.TempDir()
	work := filepath.Join(dir, "work")
	if err := os.Mkdir(work, 0o755); err != nil {
		t.Fatal(err)
	}
	state := store.Skills{Path: filepath.Join(dir, "skills.json")}
	key, other, on := skill.Key{Workspace: work, ID: "workspace.a"}, skill.Key{Workspace: work, ID: "workspace.b"}, true
	choices := func() skill.Choices {
		t.Helper()
		got, err := state.Choices()
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	if err := state.Set(t.Context(), key, &on); err != nil {
		t.Fatal(err)
	}
	if !choices()[key] {
		t.Error("the choice is not kept")
	}
	if now, err := identity.Of(work); err != nil || !now.Known() {
		t.Skip("this system cannot tell folders apart")
	}
	if err := os.Rename(work, work+".moved"); err != nil {
		t.Fatal(err)
	}
	if choices()[key] {
		t.Error("a folder that is gone has skills")
	}
	if err := os.Mkdir(work, 0o755); err != nil {
		t.Fatal(err)
	}
	if choices()[key] {
		t.Error("another folder of the name inherits the choice")
	}
	if err := state.Set(t.Context(), other, &on); err != nil {
		t.Fatal(err)
	}
	if got := choices(); got[key] || !got[other] {
		t.Errorf("after a choice in the new folder: %v", got)
	}
	data, err := json.Marshal(map[string]any{"version": 1, "workspaces": map[string]any{work: map[string]bool{"workspace.a": true}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(state.Path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if !choices()[key] {
		t.Error("the choice of an earlier version is lost")
	}
}

func TestSkillsStateIsNeverLost(t *testing.T) {
	state := store.Skills{Path: filepath.Join(t.TempDir(), "skills.json")}
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			on := true
			if err := state.Set(t.Context(), skill.Key{ID: fmt.Sprintf("claude.%d", i)}, &on); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if choices, err := state.Choices(); err != nil || len(choices) != 20 {
		t.Errorf("%v, %v", choices, err)
	}
	for _, text := range []string{"{", "[]", `{"version": 0}`, `{"version": 2}`, `{"version": 1, "other": 1}`, ""} {
		if err := os.WriteFile(state.Path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := state.Choices(); err == nil {
			t.Errorf("%q was understood", text)
		}
		on := true
		if err := state.Set(t.Context(), skill.Key{ID: "x"}, &on); err == nil {
			t.Errorf("%q was overwritten", text)
		}
		if got, _ := os.ReadFile(state.Path); string(got) != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// TestSkillsWithoutFile holds that nothing is read from or written to the
// working directory for a user without a home.
func TestSkillsWithoutFile(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("skills.json", []byte(`{"version":1,"skills":{"x":true}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if choices, err := (store.Skills{}).Choices(); err != nil || len(choices) > 0 {
		t.Errorf("got %v, %v", choices, err)
	}
	on := true
	if err := (store.Skills{}).Set(t.Context(), skill.Key{ID: "x"}, &on); err == nil {
		t.Error("a choice was kept nowhere")
	}
	if left, err := os.ReadDir("."); err != nil || len(left) != 1 {
		t.Errorf("there is %v, %v", left, err)
	}
}
