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
	write(t, filepath.Join(dir, "skills/pdf/sub/other.txt"), "O")
	const other = "skill://agents.pdf/sub/other.txt"
	n := 1
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
		for len(b.news) > 0 {
			<-b.news
		}
		write(t, name, string(text)+"One more.\n")
		// What another subscription tells later is told after it.
		if err := b.Subscribe(t.Context(), &mcp.SubscribeParams{URI: other}); err != nil {
			t.Fatal(err)
		}
		n++
		write(t, filepath.Join(dir, "skills/pdf/sub/other.txt"), strings.Repeat("O", n))
		for heard := ""; heard != "updated "+other; {
			select {
			case heard = <-b.news:
			case <-time.After(20 * time.Second):
				t.Fatal("nothing is told any more")
			}
			if heard == "updated "+c.uri {
				t.Errorf("%s: the client is told after it has said no", c.uri)
			}
		}
		if err := b.Unsubscribe(t.Context(), &mcp.UnsubscribeParams{URI: other}); err != nil {
			t.Error(err)
		}
		write(t, name, string(text))
	}
	for _, uri := range []string{"rule://nothing", "rule://packages/api/NOTHING", "skill://agents.pdf/nothing", "skill://claude.word", "file:///etc/passwd"} {
		if err := b.Subscribe(t.Context(), &mcp.SubscribeParams{URI: uri}); err == nil || !strings.Contains(err.Error(), "not found") {
			t.Errorf("%s: got %v", uri, err)
		}
	}
}
