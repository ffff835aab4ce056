package pertain_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// desktopFacts are the columns of the table of programs in docs/desktop.md.
var desktopFacts = []struct{ fact, title string }{
	{"program", "its name"}, {"elements", "visible elements"}, {"selection", "selected text"}, {"tab", "page"}, {"files", "folder and files"},
}

// desktopTable is the table of programs, as the desktop tests have seen them; `.ci/desktop programs` writes what it is
// made from.
func desktopTable(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile("collect/testdata/programs.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []struct {
		Program string            `json:"program"`
		Facts   map[string]string `json:"facts"`
	}
	if err := json.Unmarshal(data, &rows); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("| program |")
	for _, f := range desktopFacts {
		b.WriteString(" " + f.title + " |")
	}
	b.WriteString("\n| --- |" + strings.Repeat(" --- |", len(desktopFacts)) + "\n")
	for _, row := range rows {
		b.WriteString("| " + row.Program + " |")
		for _, f := range desktopFacts {
			b.WriteString(" " + row.Facts[f.fact] + " |")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// TestDesktopTable: docs/desktop.md shows the programs as the tests have seen them.
func TestDesktopTable(t *testing.T) {
	const name, begin, end = "docs/desktop.md", "<!-- programs -->\n", "<!-- /programs -->"
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(data), "\r\n", "\n")
	before, rest, _ := strings.Cut(text, begin)
	have, after, ok := strings.Cut(rest, end)
	if !ok {
		t.Fatalf("%s has no %s", name, begin)
	}
	want := desktopTable(t)
	if *update && have != want {
		if err := os.WriteFile(name, []byte(before+begin+want+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
		have = want
	}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("%s is not what the tests have seen; go test . -run TestDesktopTable -update\n%s", name, diff)
	}
}
