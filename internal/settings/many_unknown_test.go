package settings_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/settings"
)

// TestManyUnknownKeys: of keys that are no settings no more are told than anybody is shown, and what the rest was meant to say is
// not certain: the parts that must not be less strict by a mistake are taken as mistaken.
func TestManyUnknownKeys(t *testing.T) {
	for count, broken := range map[int]bool{diag.MaxPerFile: false, diag.MaxPerFile + 1: true} {
		var text strings.Builder
		for i := range count {
			fmt.Fprintf(&text, "zzzz%d: 1\n", i)
		}
		tree := files.NewMemory(files.Unix)
		tree.WriteFile("/c.yaml", text.String())
		got, list, err := settings.Load(tree, "/c.yaml")
		if err != nil || len(list) != diag.MaxPerFile || got.Private.Broken != broken {
			t.Errorf("%d keys: %v, %d are told, broken %v", count, err, len(list), got.Private.Broken)
		}
	}
}
