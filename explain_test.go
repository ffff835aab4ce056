package pertain_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/facts"
)

// engineOfParts is an engine with the strategy user.x, which has any of so many parts, all on one line.
func engineOfParts(t *testing.T, n int, part string) *pertain.Engine {
	t.Helper()
	dir := t.TempDir()
	parts := make([]string, n)
	for i := range parts {
		parts[i] = fmt.Sprintf(part, i)
	}
	text := "---\nname: X\noptions: {matchingTimeout: 1000s, conditionTimeout: 1000s}\nwhen: {any: [" + strings.Join(parts, ", ") + "]}\n---\nx\n"
	if err := os.WriteFile(filepath.Join(dir, "x.strategy.md"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return openFolder(t, dir)
}

func snapshotOf(t *testing.T, files int) *facts.Snapshot {
	t.Helper()
	items := strings.Repeat(`{"path": "/ä"}, `, files)
	snapshot, err := facts.Decode("test", fmt.Appendf(nil, `{"clipboard": {"text": %q}, "attachments": {"files": [%s]}}`,
		strings.Repeat("z", 1<<20), strings.TrimSuffix(items, ", ")))
	if err != nil {
		t.Fatal(err)
	}
	return snapshot
}

// TestExplanationsHaveALimit: however many parts a condition has and however much they look at, its JSON is not long, and says of
// what is missing that it is.
func TestExplanationsHaveALimit(t *testing.T) {
	for name, test := range map[string]struct {
		parts  int
		part   string
		values bool
		most   int
		says   string
	}{
		"items":  {300, "{attachments.files: {any: {path: {equals: zz%d}}}}", false, 4 << 20, `"notListed":2999`},
		"values": {2000, "{clipboard.text: {contains: a%d}}", true, 6 << 20, `"valueTruncated":true`},
	} {
		engine := engineOfParts(t, test.parts, test.part)
		x, ok := engine.Explain("user.x", snapshotOf(t, 3000), pertain.ExplainOptions{Values: test.values})
		text, err := json.Marshal(x)
		if !ok || err != nil || len(text) > test.most || !strings.Contains(string(text), test.says) {
			t.Errorf("%s: %d bytes, %v", name, len(text), err)
		}
	}
}

// TestExplanationPositions: each node is told where it stands, of a long line with characters of many bytes too.
func TestExplanationPositions(t *testing.T) {
	engine := engineOfParts(t, 50, "{none: [{clipboard.text: {contains: ä%[1]d, startsWith: é%[1]d}}, {attachments.files: {any: {path: {equals: ü%[1]d}}}}]}")
	x, _ := engine.Explain("user.x", snapshotOf(t, 3), pertain.ExplainOptions{})
	data, err := json.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	type node struct {
		Label        string
		Line, Column int
		Children     []node
	}
	var read struct{ Tree node }
	if err := json.Unmarshal(data, &read); err != nil {
		t.Fatal(err)
	}
	lines, seen := strings.Split(x.Strategy.Source.Text(), "\n"), 0
	var visit func(n node)
	visit = func(n node) {
		word, _, _ := strings.Cut(n.Label, " ")
		if word != "item" {
			seen++
			if at := string([]rune(lines[n.Line-1])[n.Column-1:]); !strings.HasPrefix(at, word) {
				t.Errorf("%q is said to be at %.20q", n.Label, at)
			}
		}
		for _, child := range n.Children {
			visit(child)
		}
	}
	if visit(read.Tree); seen < 300 {
		t.Errorf("%d nodes", seen)
	}
}

// TestExplanationsNeedRoom: where there is no room for a tree, there is none, and the reason is told.
func TestExplanationsNeedRoom(t *testing.T) {
	engine := engineOfParts(t, 100, "{attachments.files: {any: {path: {equals: zz%d}}}}")
	full, asked := errors.New("no room"), 0
	options := pertain.ExplainOptions{Room: func(int) error { asked++; return full }}
	if _, ok, err := engine.ExplainContext(t.Context(), "user.x", snapshotOf(t, 500), options); !ok || !errors.Is(err, full) || asked != 1 {
		t.Errorf("got %v after %d questions", err, asked)
	}
	if _, ok := engine.Explain("user.x", snapshotOf(t, 500), options); ok {
		t.Error("there is an explanation")
	}
	if _, ok := engine.Explain("user.x", snapshotOf(t, 0), options); !ok || asked != 2 {
		t.Errorf("a small one: asked %d times", asked)
	}
}

// TestExplanationsTellSoManyProblems: what is missing for thousands of parts is told like the mistakes of a file.
func TestExplanationsTellSoManyProblems(t *testing.T) {
	x, _ := engineOfParts(t, 1000, "{attachments.text: {equals: zz%d}}").Explain("user.x", snapshotOf(t, 0), pertain.ExplainOptions{})
	if n := len(x.Diagnostics); n != 100 {
		t.Errorf("%d diagnostics", n)
	}
}

// TestMatchingMakesNoTrees: a match of everything takes no memory for items that it looks at.
func TestMatchingMakesNoTrees(t *testing.T) {
	engine := engineOfParts(t, 100, "{attachments.files: {any: {path: {equals: zz%d}}}}")
	allocations := func(s *facts.Snapshot) float64 {
		return testing.AllocsPerRun(2, func() {
			if _, err := engine.Match(t.Context(), s, pertain.MatchOptions{All: true}); err != nil {
				t.Fatal(err)
			}
		})
	}
	if few, many := allocations(snapshotOf(t, 1)), allocations(snapshotOf(t, 900)); many > few+1000 {
		t.Errorf("%v allocations for one item, %v for 900", few, many)
	}
}
