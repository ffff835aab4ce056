package export

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestCorpus takes real rules of Cursor over as native ones, exports them to each agent and takes them over from there: what is not
// told as lost is the same at the end. PERTAIN_CORPUS names the folder of real rule files.
func TestCorpus(t *testing.T) {
	corpus := os.Getenv("PERTAIN_CORPUS")
	if corpus == "" {
		t.Skip("PERTAIN_CORPUS names no folder of real rule files")
	}
	paths, err := filepath.Glob(filepath.Join(corpus, "awesome-cursorrules", "rules", "*.mdc"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no rules: %v", err)
	}
	w := newWorld(t, nil)
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		w.write(".cursor/rules/"+filepath.Base(path), string(data))
	}
	cursors, _, err := Load(t.Context(), w.folders, Source{From: []string{"cursor"}})
	if err != nil {
		t.Fatal(err)
	}
	natives := imported(t, w, "cursor")
	if len(natives) < len(cursors)-2 || len(natives) < 250 {
		t.Errorf("%d rules of Cursor became %d", len(cursors), len(natives))
	}
	texts := map[string]int{}
	for _, r := range cursors {
		texts[r.Text]++
	}
	cursors = slices.DeleteFunc(cursors, func(r Rule) bool { return texts[r.Text] > 1 }) // those become one
	for i := range cursors {
		same(t, "pertain", cursors[i], natives[cursors[i].Name])
	}
	for _, f := range Forms() {
		if f.IsMemory() {
			continue
		}
		plan, err := NewPlan(t.Context(), w.folders, cursors, []Form{f}, false)
		if err != nil {
			t.Fatal(err)
		}
		other := newWorld(t, nil)
		exact := map[string]bool{}
		for _, file := range plan.Files {
			if file.text != "" {
				other.write(file.rel, file.text)
			}
			exact[file.Rules[0]] = len(file.Losses) == 0
		}
		if f.Agent == "cursor" { // the sources are there already, so nothing is planned
			continue
		}
		back := imported(t, other, f.Agent)
		n := 0
		for _, r := range cursors {
			if exact[r.Name] {
				n++
				same(t, f.Agent, r, back[r.Name])
			}
		}
		t.Logf("%s: %d of %d without losses", f.Agent, n, len(cursors))
	}
}

// imported takes the rules of an agent over, and reads the native ones.
func imported(t *testing.T, w *world, agent string) map[string]Rule {
	t.Helper()
	if _, _, err := Import(t.Context(), w.folders, Source{From: []string{agent}, Dir: w.folders.Root}, filepath.Join(w.folders.Root, ".pertain", "rules"), false); err != nil {
		t.Fatal(err)
	}
	rules, _, err := Load(t.Context(), w.folders, Source{From: []string{"pertain"}})
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]Rule{}
	for _, r := range rules {
		out[r.Name] = r
	}
	return out
}

func same(t *testing.T, agent string, a, b Rule) {
	t.Helper()
	if a.Text != b.Text || a.Description != b.Description || a.Activation != b.Activation || !slices.Equal(sameGlobs(a.Globs), sameGlobs(b.Globs)) {
		t.Errorf("%s: %s %s %q came back as %s %q (the texts are equal: %v)", agent, a.Name, a.Activation.word(), a.Globs, b.Activation.word(), b.Globs, a.Text == b.Text)
	}
}
