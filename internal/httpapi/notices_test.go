package httpapi_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/httpapi"
)

// slowSpace has a strategy whose expression never comes to an end in its time.
func slowSpace(t *testing.T) *space {
	t.Helper()
	s := newSpace(t)
	text := "---\nname: Slow\nwhen:\n  attachments.selection.text:\n    regex: '^(a+)+\\1$'\noptions:\n  regexTimeout: 1ms\n---\nx\n"
	if err := os.WriteFile(filepath.Join(s.dir, "strategies", "slow.strategy.md"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.engine.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.context = `{"attachments":{"selection":{"text":"` + strings.Repeat("a", 5000) + `c"}}}`
	return s
}

// TestNoticeInEveryAnswer holds that a client gets the notice whether or not
// another one had it before, as each call of the command line does.
func TestNoticeInEveryAnswer(t *testing.T) {
	s := serveSpace(t, slowSpace(t), httpapi.Options{})
	const notice = `"notices":[{"code":"strategies.slow","message":"Some strategies took too long to check and were skipped."}]`
	for range 3 {
		for _, path := range []string{"/api/v1/match", "/api/v1/match?all=true"} {
			if status, body := s.ask(t, "GET", path, ""); status != 200 || !strings.Contains(body, notice) {
				t.Fatalf("%s: got %d: %s", path, status, body)
			}
		}
	}
	if _, body := s.ask(t, "POST", "/api/v1/match", `{"context":{}}`); !strings.Contains(body, `"notices":[]`) {
		t.Errorf("nothing was slow: %s", body)
	}
	if _, body := s.ask(t, "GET", "/metrics", ""); !strings.Contains(body, "pertain_slow_matches_total 6\n") {
		t.Error("slow matches are not counted")
	}
}

// TestNoticeOnStreams holds that streams hear of it, also when a client has asked
// before, and then not with every change.
func TestNoticeOnStreams(t *testing.T) {
	s := serveSpace(t, slowSpace(t), httpapi.Options{})
	s.ask(t, "GET", "/api/v1/match", "")
	_, lines := s.listen(t.Context(), t)
	waitLine(t, lines, ": events follow")
	s.become(t, s.context)
	waitLine(t, lines, "event: notice")
	s.become(t, s.context)
	s.become(t, `{}`)
	for {
		select {
		case line := <-lines:
			if line == "event: notice" {
				t.Fatal("the same notice again")
			}
			if line == `data: {"ids":[]}` {
				return
			}
		case <-t.Context().Done():
			t.Fatal("the stream is silent")
		}
	}
}
