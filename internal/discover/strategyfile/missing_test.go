package strategyfile_test

import (
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/discover/strategyfile"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/strategy"
)

// opensTree counts how often something is opened.
type opensTree struct {
	files.Tree
	opens int
}

func (o *opensTree) Open(path string, bounds files.Bounds) (files.Opened, error) {
	o.opens++
	return o.Tree.Open(path, bounds)
}

// TestFromMissingFolders: whether a strategy may name a file is found by a few looks, whatever the file's path names.
func TestFromMissingFolders(t *testing.T) {
	memory := files.NewMemory(files.Unix)
	memory.WriteFile("/w/.pertain/strategies/s.strategy.md", "")
	tree := &opensTree{Tree: memory}
	_, err := strategyfile.Resolver{Tree: tree}.Resolve(t.Context(), strategy.Reference{Target: "./" + strings.Repeat("a/", 1500) + "x"},
		diag.NewSource("/w/.pertain/strategies/s.strategy.md", ""), strategy.Origin{Provider: "workspace", Confine: "/w"})
	if err == nil || strings.Contains(err.Error(), "outside") {
		t.Errorf("%v", err)
	}
	if tree.opens > 40 {
		t.Errorf("%d files were opened", tree.opens)
	}
}
