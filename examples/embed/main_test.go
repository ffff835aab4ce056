package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain"
)

func TestRun(t *testing.T) {
	dir, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	env := pertain.Environment{Dir: dir, Strategies: []string{filepath.Join(dir, "strategies")}, NoBuiltin: true}
	if err := run(t.Context(), &out, env, filepath.Join(dir, "situation.json")); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"user.arxiv-paper - Explain this paper\n", "user.writing.polite because of [attachments.selection.text]", "send me the numbers today", "In two sentences."} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, out.String())
		}
	}
	if err := run(t.Context(), &out, env, filepath.Join(dir, "nowhere.json")); err == nil {
		t.Error("a file that is not there is read")
	}
}
