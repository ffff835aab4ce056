package conversations_test

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/gateway"
	"github.com/pertain-dev/pertain/internal/conversations"
	"github.com/pertain-dev/pertain/stream"
)

// TestConversations: what is remembered is there for the next process, updates at once lose nothing, and what nobody can read
// is begun afresh.
func TestConversations(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "gateway")
	c := conversations.Store{Folder: folder}
	if got, err := c.Load(t.Context(), "a"); err != nil || len(got.Splices) != 0 {
		t.Fatal(got, err)
	}
	if _, err := os.Stat(folder); err == nil {
		t.Error("reading has made a folder")
	}
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if err := (conversations.Store{Folder: folder}).Update(t.Context(), "a", func(c *gateway.Conversation) {
				c.Record.Turn++
				c.Splices = append(c.Splices, gateway.Splice{Text: "hash", Steps: []gateway.Step{{Reminder: "r"}}})
			}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	got, err := c.Load(t.Context(), "a")
	if err != nil || got.Record.Turn != 20 || len(got.Splices) != 20 {
		t.Errorf("%+v, %v", got, err)
	}
	want := gateway.Conversation{
		Record:  stream.Record{Turn: 3, Injected: map[string]int64{"r": 2}, Interrupted: 1},
		Splices: []gateway.Splice{{Calls: []string{"c"}, After: true, Steps: []gateway.Step{{Released: []gateway.Part{{Hash: "h", Size: 3}}, Reminder: "x"}}}},
		Waiting: []gateway.Waiting{{Entry: "e", Rule: "r"}},
	}
	if err := c.Update(t.Context(), "b", func(c *gateway.Conversation) { *c = want }); err != nil {
		t.Fatal(err)
	}
	if got, err := c.Load(t.Context(), "b"); err != nil || !cmp.Equal(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	if err := os.WriteFile(filepath.Join(folder, "b.json"), []byte("{no"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := c.Load(t.Context(), "b"); err != nil || len(got.Splices) != 0 {
		t.Errorf("%+v, %v", got, err)
	}
	old := time.Now().Add(-31 * 24 * time.Hour)
	if err := os.Chtimes(filepath.Join(folder, "b.json"), old, old); err != nil {
		t.Fatal(err)
	}
	if err := c.Forget(time.Now()); err != nil {
		t.Fatal(err)
	}
	for name, there := range map[string]bool{"a.json": true, "b.json": false} {
		if _, err := os.Stat(filepath.Join(folder, name)); (err == nil) != there {
			t.Errorf("%s: %v", name, err)
		}
	}
}
