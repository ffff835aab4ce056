package discover_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/files"
)

// memory is a world with memory files of many names in every folder, and some settings.
func memory(settings map[string]string) *world {
	all := map[string]string{"/p/w/.git/HEAD": "x"}
	for _, dir := range []string{"/p/w/", "/p/w/k/", "/p/w/k/b/", "/home/u/.gemini/", "/home/u/.codex/"} {
		for _, name := range []string{"GEMINI.md", "AGENTS.md", "TEAM.md", ".env"} {
			all[dir+name] = "Text of " + dir + name
		}
	}
	for name, text := range settings {
		all[name] = text
	}
	return newWorld(files.Unix, all)
}

// TestNamesOfGemini: Gemini's settings say how its memory files are called; those of a project say so of its own files alone.
func TestNamesOfGemini(t *testing.T) {
	const own, project = "/home/u/.gemini/settings.json", "/p/w/k/.gemini/settings.json"
	names := func(list string) string { return `{"context": {"fileName": ` + list + "}}" }
	home := func(names ...string) (out []string) {
		for _, name := range names {
			out = append(out, "/home/u/.gemini/"+name)
		}
		return out
	}
	here := func(names ...string) (out []string) {
		for _, dir := range []string{"/p/w/", "/p/w/k/", "/p/w/k/b/"} {
			for _, name := range names {
				out = append(out, dir+name)
			}
		}
		return out
	}
	for _, c := range []struct {
		settings map[string]string
		home     []string
		here     []string
		unsure   bool // of those with another name
	}{
		{nil, home("GEMINI.md"), here("GEMINI.md"), false},
		{map[string]string{own: names(`["AGENTS.md", "GEMINI.md"]`)}, home("AGENTS.md", "GEMINI.md"), here("AGENTS.md", "GEMINI.md"), false},
		{map[string]string{own: "// mine\n" + names(`"TEAM.md"`)}, home("TEAM.md"), here("TEAM.md"), false},
		{map[string]string{project: names(`["AGENTS.md", "GEMINI.md"]`)}, home("GEMINI.md"), here("AGENTS.md", "GEMINI.md"), true},
		{map[string]string{project: names(`["AGENTS.md"]`)}, nil, here("AGENTS.md"), true},
		{map[string]string{own: names(`["TEAM.md", "AGENTS.md"]`), project: names(`["AGENTS.md"]`)}, home("AGENTS.md"), here("AGENTS.md"), false},
		{map[string]string{project: names(`["../../secret.md", "/etc/passwd", "sub\\AGENTS.md", "..", ".", "", "C:x", "AGENTS.md"]`)}, nil, here("AGENTS.md"), true},
		{map[string]string{project: names(`[".env", "AGENTS.md"]`)}, nil, here("AGENTS.md"), true},
		{map[string]string{"/p/w/.gemini/settings.json": names(`["AGENTS.md"]`)}, home("GEMINI.md"), here("GEMINI.md"), false}, // not where it works
		{map[string]string{own: names(`[]`), project: names(`{"a": 1}`)}, home("GEMINI.md"), here("GEMINI.md"), false},
		{map[string]string{own: "{"}, home("GEMINI.md"), here("GEMINI.md"), false},
	} {
		w := memory(c.settings)
		roots := w.roots("/p/w/k")
		roots.Folders = []string{"/p/w/k/b"}
		for _, trusted := range []bool{false, true} {
			roots.Trusted = trusted
			var got []string
			for _, r := range w.view(t, "gemini", roots).Rules() {
				got = append(got, r.Path)
				if want := c.unsure && !trusted && strings.HasPrefix(r.Path, "/p/w") && !strings.HasSuffix(r.Path, "GEMINI.md"); r.Unsure != want {
					t.Errorf("%v, trusted %v: %s is unsure: %v", c.settings, trusted, r.Path, r.Unsure)
				}
			}
			if want := append(slices.Clone(c.home), c.here...); !slices.Equal(got, want) {
				t.Errorf("%v, trusted %v:\n got %q\nwant %q", c.settings, trusted, got, want)
			}
		}
	}
	var many []string
	for i := range 100 {
		many = append(many, fmt.Sprintf(`"X%d.md"`, i))
	}
	w := memory(map[string]string{project: names("[" + strings.Join(many, ",") + "]"), "/p/w/X19.md": "x", "/p/w/X20.md": "x"})
	if got := w.view(t, "gemini", w.roots("/p/w/k")).Rules(); len(got) != 1 || got[0].Path != "/p/w/X19.md" {
		t.Errorf("of too many names: %d", len(got))
	}
}

// TestNamesOfCodex: Codex takes the first of some more names in a folder that has none of the usual ones.
func TestNamesOfCodex(t *testing.T) {
	for text, want := range map[string]bool{
		`project_doc_fallback_filenames = ["NONE.md", "TEAM.md", "OTHER.md"]`:                        true,
		"model = \"x\" # a\nproject_doc_fallback_filenames = [ # [ ]\n  'TEAM.md', # one]\n]\n[a]\n": true,
		"x = \"\"\"\n[a]\n\"\"\"\n\"project_doc_fallback_filenames\"=[\"]\\\"]\",\"TEAM.md\"]":       true,
		"[a]\nproject_doc_fallback_filenames = [\"TEAM.md\"]":                                        false,
		"x = \"\"\"\nproject_doc_fallback_filenames = [\"TEAM.md\"]\n\"\"\"":                         false,
		"# project_doc_fallback_filenames = [\"TEAM.md\"]":                                           false,
		`project_doc_fallback_filenames = ["sub/TEAM.md", "../TEAM.md"]`:                             false,
		`project_doc_fallback_filenames = ["`:                                                        false,
		`project_doc_fallback_filenames = "TEAM.md"`:                                                 false,
	} {
		w := newWorld(files.Unix, map[string]string{
			"/p/w/.git/HEAD": "x", "/p/w/AGENTS.md": "A", "/p/w/TEAM.md": "T", "/p/w/m/TEAM.md": "T2", "/p/w/m/OTHER.md": "O", "/p/w/m/k/AGENTS.override.md": "V", "/p/w/m/k/TEAM.md": "T3",
			"/home/u/.codex/config.toml": text, "/home/u/.codex/TEAM.md": "T4", "/p/w/m/k/.codex/config.toml": `project_doc_fallback_filenames = ["OTHER.md"]`,
		})
		var got []string
		for _, r := range w.view(t, "codex", w.roots("/p/w/m/k")).Rules() {
			got = append(got, r.Path)
		}
		expected := []string{"/p/w/AGENTS.md", "/p/w/m/TEAM.md", "/p/w/m/k/AGENTS.override.md"}
		if !want {
			expected = []string{"/p/w/AGENTS.md", "/p/w/m/k/AGENTS.override.md"}
		}
		if !slices.Equal(got, expected) {
			t.Errorf("%s: %q", text, got)
		}
	}
}
