package httpapi_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/httpapi"
)

// TestAnswersHideNothing: a rule's text for a model holds nothing that its reader
// cannot see, and what other answers repeat of a file is escaped.
func TestAnswersHideNothing(t *testing.T) {
	of := newSpace(t)
	const unseen = "\u200b\u202e\U000e0069\u009b\u2028"
	name := filepath.Join(of.Root(), ".cursor", "rules", "h.mdc")
	if err := os.WriteFile(name, []byte("---\ndescription: D"+unseen+"\n---\nBe "+unseen+"kind.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := serveSpace(t, of, httpapi.Options{})
	for path, want := range map[string]string{
		"/api/v1/rules":               `D\u200b\u202e\udb40\udc69\u009b"`,
		"/api/v1/rules?all=true":      `no reader can see`,
		"/api/v1/rules/text?name=h":   `Be \u2028kind.`,
		"/api/v1/rules/for?file=a.ts": `"h"`,
	} {
		status, body := s.ask(t, "GET", path, "")
		if status != 200 || !strings.Contains(body, want) || strings.ContainsAny(body, unseen) {
			t.Errorf("%s: %d %.600q", path, status, body)
		}
	}
}
