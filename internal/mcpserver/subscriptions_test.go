package mcpserver_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestSubscriptions follows resources that are not listed, and one that goes and
// comes back: whatever a client can subscribe to, it hears of. Nothing but the
// files themselves tells of the changes here.
func TestSubscriptions(t *testing.T) {
	dir := everything(t)
	write(t, filepath.Join(dir, "skills/pdf/sub/a.txt"), "A.\n")
	b := connect(t, legacy, dir)
	for _, c := range []struct{ uri, file string }{
		{"rule://packages/api/AGENTS", "packages/api/AGENTS.md"},
		{"rule://packages%2Fapi%2FAGENTS", "packages/api/AGENTS.md"},
		{"skill://agents.pdf/sub/a.txt", "skills/pdf/sub/a.txt"},
		{"skill://agents.pdf", "skills/pdf/SKILL.md"},
		{"rule://types", ".cursor/rules/types.mdc"},
		{"rule://my%20rule", ".cursor/rules/my rule.mdc"},
	} {
		name := filepath.Join(dir, filepath.FromSlash(c.file))
		if err := b.Subscribe(t.Context(), &mcp.SubscribeParams{URI: c.uri}); err != nil {
			t.Errorf("%s: %v", c.uri, err)
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		write(t, name, string(text)+"Another line.\n")
		b.wait(t, "updated "+c.uri)
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
		b.wait(t, "updated "+c.uri)
		write(t, name, string(text))
		b.wait(t, "updated "+c.uri)
		if err := b.Unsubscribe(t.Context(), &mcp.UnsubscribeParams{URI: c.uri}); err != nil {
			t.Errorf("%s: %v", c.uri, err)
		}
		write(t, name, string(text)+"One more.\n")
		if b.told("updated "+c.uri, 500*time.Millisecond) {
			t.Errorf("%s: the client is told after it has said no", c.uri)
		}
		write(t, name, string(text))
	}
	for _, uri := range []string{"rule://nothing", "rule://packages/api/NOTHING", "skill://agents.pdf/nothing", "skill://claude.word", "file:///etc/passwd"} {
		if err := b.Subscribe(t.Context(), &mcp.SubscribeParams{URI: uri}); err == nil || !strings.Contains(err.Error(), "not found") {
			t.Errorf("%s: got %v", uri, err)
		}
	}
}
