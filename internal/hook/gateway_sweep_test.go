package hook_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/pertain-dev/pertain/internal/hook"
)

// TestGatewaySwept: what a gateway left that was killed goes with the next one; one that lives stays.
func TestGatewaySwept(t *testing.T) {
	w := noEval(t)
	state := filepath.Join(w.home, ".local", "state", "pertain")
	announce := func() func() {
		t.Helper()
		announced, err := hook.Announce(t.Context(), state, "http://127.0.0.1:1", func(string) string { return "" })
		if err != nil {
			t.Fatal(err)
		}
		return announced.Withdraw
	}
	count := func() int {
		t.Helper()
		found, err := filepath.Glob(filepath.Join(state, "gateways", "*"))
		if err != nil {
			t.Fatal(err)
		}
		return len(found)
	}
	lives := announce()
	each := count()
	for _, name := range []string{"dead.gateway", "dead.gateway.lock", "dead.gateway.released"} {
		if err := os.WriteFile(filepath.Join(state, "gateways", name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ends := announce()
	if got := count(); got != 2*each {
		t.Errorf("%d files, want %d", got, 2*each)
	}
	ends()
	lives()
	if got := count(); got != 0 {
		t.Errorf("%d files are left", got)
	}
}

// TestMessageLine: what a message breaks is told by its line, not as the input of a call.
func TestMessageLine(t *testing.T) {
	w := noEval(t)
	w.file(".omp/rules/said.md", "---\nttsr_trigger: sorry\nscope: text\n---\nDo not say it.\n")
	text := w.claude("Stop", fields{"last_assistant_message": "Well.\nI am sorry."})
	has(t, text, "line 2 of the message: rule `said`")
	lacks(t, text, "its input")
	w.file(".omp/rules/said.md", "---\nttsr_trigger: sorry\nscope: text\ninterruptMode: never\n---\nDo not say it.\n")
	w.claude("Stop", fields{"session_id": "s2", "last_assistant_message": "sorry"})
	text = w.claude("UserPromptSubmit", fields{"session_id": "s2", "prompt": "go on"})
	has(t, text, "line 1 of the message: rule `said`")
}
