package surface_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/internal/surface"
)

func TestAttachment(t *testing.T) {
	for path, want := range map[string]string{
		"/a/b.json": `{"path":"/a/b.json","mimeType":"application/json","extension":".json"}`,
		"/a/b":      `{"path":"/a/b","extension":""}`,
		"/a/b.qqq":  `{"path":"/a/b.qqq","extension":".qqq"}`,
	} {
		if got, err := json.Marshal(surface.Attachment(path)); err != nil || string(got) != want {
			t.Errorf("%s: %s %v, want %s", path, got, err, want)
		}
	}
}

func TestNamesFolder(t *testing.T) {
	for address, want := range map[string]bool{
		"a": false, "rule://a": false, "a/b": true, "rule://a/b": true, "rule://a%2Fb": true, "a%2fb": true, "a%b": false, "a%zz/b": true, "": false,
	} {
		if got := surface.NamesFolder(address); got != want {
			t.Errorf("%s: %v", address, got)
		}
	}
}

// TestFindRule: a rule of a folder below is found by its name, whichever way its slash
// is written, and nothing is loaded twice for a name that names no folder.
func TestFindRule(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{".git/HEAD": "ref: refs/heads/main\n", "AGENTS.md": "top", "sub/AGENTS.md": "below"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	var loads []bool
	load := func(ctx context.Context, nested bool) (*pertain.Rulebook, error) {
		loads = append(loads, nested)
		return pertain.OpenRules(ctx, pertain.Environment{Dir: dir}, pertain.RuleOptions{Nested: nested})
	}
	for address, want := range map[string]struct {
		text  string
		loads []bool
	}{
		"AGENTS":              {"top", []bool{false}},
		"rule://AGENTS":       {"top", []bool{false}},
		"sub/AGENTS":          {"below", []bool{false, true}},
		"rule://sub%2FAGENTS": {"below", []bool{false, true}},
		"rule://none":         {"", []bool{false}},
		"none/AGENTS":         {"", []bool{false, true}},
	} {
		loads = nil
		r, book, unknown, err := surface.FindRule(t.Context(), address, load)
		if err != nil || book == nil || !slices.Equal(loads, want.loads) {
			t.Errorf("%s: %v, loaded %v", address, err, loads)
		}
		if want.text == "" {
			if unknown == nil || r != nil {
				t.Errorf("%s is found", address)
			}
			continue
		}
		if unknown != nil || surface.NewRuleText(r, r.Content).Content != want.text {
			t.Errorf("%s: %v %v", address, r, unknown)
		}
	}
	failed := errors.New("no disk")
	if _, _, _, err := surface.FindRule(t.Context(), "a", func(context.Context, bool) (*pertain.Rulebook, error) { return nil, failed }); !errors.Is(err, failed) {
		t.Error(err)
	}
}
