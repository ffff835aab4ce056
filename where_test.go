package pertain_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/diag"
)

// whereHead begins docs/where.md.
const whereHead = `# Where to look first

<!-- Made of the source by ` + "`go test . -run TestWhere -update`" + `. -->

Which function tells each diagnostic, and which file holds each command. [architecture.md](architecture.md) says how it fits together.

## Diagnostics

In each row the package that decides what the code means comes first, then the others in the order of the layers; of a package the file that tells it
most often. Functions that only ask for a code, and tests, are left out. What a code means is in [diagnostics.md](diagnostics.md).

| code | told by |
| --- | --- |
`

const whereCommands = `
## Commands

All files are in ` + "`internal/cli/`" + `; the first is where the command is made. The packages are those that the files of the row use.

| command | files | packages |
| --- | --- | --- |
`

// TestWhere keeps docs/where.md true, which is made of the syntax trees: go test . -run TestWhere -update.
func TestWhere(t *testing.T) {
	root := os.DirFS(".")
	tree := ownTree(t)
	var page strings.Builder
	page.WriteString(whereHead)
	told, err := reportsOf(root, tree)
	if err != nil {
		t.Fatal(err)
	}
	for _, info := range diag.Codes() {
		reports := told[info.Code]
		if len(reports) == 0 {
			t.Errorf("nothing tells %s", info.Code)
		}
		fmt.Fprintf(&page, "| `%s` | %s |\n", info.Code, reportCell(reports))
	}
	page.WriteString(whereCommands)
	commands, err := commandSources(root, tree)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(programCommands(t), sortedKeys(commands)); diff != "" {
		t.Errorf("the commands of the program and those that were found in internal/cli (-program +found):\n%s", diff)
	}
	for _, name := range sortedKeys(commands) {
		c := commands[name]
		fmt.Fprintf(&page, "| `%s` | %s | %s |\n", name, codeList(c.files), codeList(c.packages))
	}
	path := filepath.Join("docs", "where.md")
	if *update {
		if err := os.WriteFile(path, []byte(page.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(page.String(), strings.ReplaceAll(string(have), "\r\n", "\n")); diff != "" {
		t.Errorf("%s is not what the source says; go test . -run TestWhere -update\n%s", path, diff)
	}
}

// codeList shows names of the source, in their order.
func codeList(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return "`" + strings.Join(names, "`, `") + "`"
}
