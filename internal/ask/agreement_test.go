package ask_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/internal/ask"
)

func TestAgreements(t *testing.T) {
	kept := ask.Agreements{Path: filepath.Join(t.TempDir(), "state", "ask.json")}
	here, there := upstream(t, ask.OpenAI, "https://a.example/v1"), upstream(t, ask.OpenAI, "https://b.example/v1")
	other := here
	other.KeyVariable = "ANOTHER_KEY"
	subject := ask.Subject{ID: "user.x", Source: "/x.strategy.md", Reads: []string{"Reads clipboard text"}}
	missing := func(u ask.Upstream, s ask.Subject) ([]string, bool) {
		t.Helper()
		list, known, err := kept.Missing(u, s)
		if err != nil {
			t.Fatal(err)
		}
		return list, known
	}
	if list, known := missing(here, subject); known || len(list) != 1 {
		t.Error(list, known)
	}
	if err := kept.Add(t.Context(), here, subject, time.Now()); err != nil {
		t.Fatal(err)
	}
	if list, known := missing(here, subject); !known || list != nil {
		t.Error(list, known)
	}
	for _, u := range []ask.Upstream{there, other} {
		if _, known := missing(u, subject); known {
			t.Errorf("nobody agreed to %s", u.Name())
		}
		if yes, err := kept.Upstream(u); yes || err != nil {
			t.Error(yes, err)
		}
	}
	more := subject
	more.Reads = append([]string{"Reads the selected text"}, more.Reads...)
	if list, known := missing(here, more); !known || cmp.Diff([]string{"Reads the selected text"}, list) != "" {
		t.Error(list, known)
	}
	if err := kept.Add(t.Context(), here, more, time.Now()); err != nil {
		t.Fatal(err)
	}
	if list, _ := missing(here, more); list != nil {
		t.Error(list)
	}
	elsewhere := subject
	elsewhere.Source = "/other/x.strategy.md"
	if list, known := missing(here, elsewhere); !known || len(list) != 1 {
		t.Error("the same id in another file is another strategy", list, known)
	}
	if list, known := missing(here, ask.Subject{ID: "user.y"}); !known || list != nil {
		t.Error("a strategy that reads nothing needs no more than the upstream", list, known)
	}
	info, err := os.Stat(kept.Path)
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Error(info.Mode(), err)
	}
}

func TestAgreementsTogether(t *testing.T) {
	kept := ask.Agreements{Path: filepath.Join(t.TempDir(), "ask.json")}
	u := upstream(t, ask.Ollama, "")
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			s := ask.Subject{ID: "user." + string(rune('a'+i)), Reads: []string{"Reads x"}}
			if err := kept.Add(t.Context(), u, s, time.Now()); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for i := range 8 {
		list, _, err := kept.Missing(u, ask.Subject{ID: "user." + string(rune('a'+i)), Reads: []string{"Reads x"}})
		if list != nil || err != nil {
			t.Error(i, list, err)
		}
	}
}

// TestBrokenAgreements: what cannot be understood is no agreement, and stays as it is.
func TestBrokenAgreements(t *testing.T) {
	for text, want := range map[string]string{
		"{":                             "repair it, or delete it",
		`{"version":2,"upstreams":[]}`:  "newer version",
		`{"version":1,"everything":[]}`: "repair it, or delete it",
		`{}`:                            "repair it, or delete it",
	} {
		kept := ask.Agreements{Path: filepath.Join(t.TempDir(), "ask.json")}
		if err := os.WriteFile(kept.Path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		u := upstream(t, ask.Ollama, "")
		if yes, err := kept.Upstream(u); yes || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v", text, yes, err)
		}
		if err := kept.Add(t.Context(), u, ask.Subject{ID: "user.x"}, time.Now()); err == nil {
			t.Errorf("%s: written over", text)
		}
		if after, _ := os.ReadFile(kept.Path); string(after) != text {
			t.Errorf("%s became %s", text, after)
		}
	}
	if err := (ask.Agreements{}).Add(t.Context(), upstream(t, ask.Ollama, ""), ask.Subject{}, time.Now()); err == nil {
		t.Error("there is no place for it")
	}
}
