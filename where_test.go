package pertain_test

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/diag"
)

// whereHead begins docs/where.md.
const whereHead = `# Where to look first

<!-- Made of the source by ` + "`go test . -run TestWhere -update`" + `. -->

Which function tells each diagnostic, which files hold each command, and which act on each flag and each setting. Paths are from the root of the
repository. [architecture.md](architecture.md) says how it fits together.

## Diagnostics

The first file of a row decides it; the others tell the same code in rarer cases, or are given it: first those of the package that the code is about, then
in the order of the layers. Of a function that only words what others have decided, "for" names the other files that call it. Functions that only ask
for a code, and tests, are left out. What a code means is in [diagnostics.md](diagnostics.md).

| code | told by |
| --- | --- |
`

const whereCommands = `
## Commands

The first file is where the command is made. "Calls" are other files of the command line that these call, directly or over one step; what
most commands call is in the table at the end alone. The packages are those that the files of the row use, then, after "by calls", those that only what
they call uses.

| command | files | calls | packages |
| --- | --- | --- | --- |
`

const whereFlags = `
## Flags

The files that act on the value of a flag, the one that does what the flag says first: handing it on is not acting. Of a flag that many ask for, the first six.

| flag | acted on in |
| --- | --- |
`

const whereSettings = `
## Settings

The files that act on each key of the settings, the one that decides first. All are read by ` + "`internal/settings/read_values.go`" + `, from the table in ` + "`internal/settings/keys.go`" + `.

| key | acted on in |
| --- | --- |
`

const whereShared = `
## Shared by commands

The other files of ` + "`internal/cli/`" + `, with what the comment of the first type or function in each says, and the commands that call them, directly or over one step.

| file | begins with | commands |
| --- | --- | --- |
`

// TestWhere keeps docs/where.md true, which is made of the syntax trees: go test . -run TestWhere -update.
func TestWhere(t *testing.T) {
	root := os.DirFS(".")
	tree := ownTree(t)
	var page strings.Builder
	page.WriteString(whereHead)
	typed, err := typeTree(root, tree)
	if err != nil {
		t.Fatal(err)
	}
	told, err := reportsOf(root, tree)
	if err != nil {
		t.Fatal(err)
	}
	decided := map[string]bool{} // the keys that the table knows
	for _, info := range diag.Codes() {
		reports := told[info.Code]
		if len(reports) == 0 {
			t.Errorf("nothing tells %s", info.Code)
		}
		files := typed.decidedFirst(t, decided, "", string(info.Code), reportFiles(reports))
		fmt.Fprintf(&page, "| `%s` | %s |\n", info.Code, typed.reportCell(files, reports))
	}
	commands, err := commandSources(root, typed)
	if err != nil {
		t.Fatal(err)
	}
	program := programFlags(t)
	if diff := cmp.Diff(sortedKeys(program), sortedKeys(commands)); diff != "" {
		t.Errorf("the commands of the program and those that were found in internal/cli (-program +found):\n%s", diff)
	}
	page.WriteString(whereCommands)
	users := usersOf(commands)
	for _, name := range sortedKeys(commands) {
		c := commands[name]
		few := slices.DeleteFunc(slices.Clone(c.shared), func(file string) bool { return len(users[file]) > len(commands)/2 })
		fmt.Fprintf(&page, "| `%s` | %s | %s | %s |\n", name, inCLI(c.files), inCLI(few), packageCell(c))
	}
	page.WriteString(whereFlags)
	for _, name := range sortedKeys(commands) {
		missing := slices.Clone(program[name])
		for _, flag := range commands[name].flags {
			at := slices.Index(missing, flag.name)
			if at < 0 {
				continue // hidden, or made for a sister command alone
			}
			missing = slices.Delete(missing, at, at+1)
			fmt.Fprintf(&page, "| `%s --%s` | %s |\n", name, flag.name, fileList(typed.decidedFirst(t, decided, name, "--"+flag.name, typed.flagFiles(flag, commands[name]))))
		}
		if commands[name].readsFlags {
			for _, flag := range typed.ownFlags(commands[name]) {
				fmt.Fprintf(&page, "| `%s --%s` | %s |\n", name, flag.name, fileList(typed.flagFiles(flag, commands[name])))
			}
		}
		if len(missing) > 0 {
			t.Errorf("%s: the flags %s were not found in internal/cli", name, missing)
		}
	}
	page.WriteString(whereSettings)
	for _, key := range typed.settingFields() {
		last := strings.ToLower(key.name[strings.LastIndexByte(key.name, '.')+1:])
		fmt.Fprintf(&page, "| `%s` | %s |\n", key.name, fileList(typed.decidedFirst(t, decided, "", key.name, typed.settingFiles(last, key.object))))
	}
	for _, key := range sortedKeys(decides) {
		if !decided[key] {
			t.Errorf("%s is no code, flag or setting", key)
		}
	}
	page.WriteString(whereShared)
	for _, name := range tree.packages["internal/cli"].files {
		base := filepath.Base(name)
		if !slices.ContainsFunc(sortedKeys(commands), func(c string) bool { return slices.Contains(commands[c].files, base) }) {
			fmt.Fprintf(&page, "| `%s` | %s | %s |\n", name, firstSentence(typed.files[name]), userCell(users[base], len(commands)))
		}
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

// inCLI shows files of the command line.
func inCLI(names []string) string {
	shown := make([]string, len(names))
	for i, name := range names {
		shown[i] = path.Join("internal/cli", name)
	}
	return codeList(shown)
}

// mostFiles is how many files a row names.
const mostFiles = 6

// fileList shows files by their paths from the root, the first ones and how many others.
func fileList(files []string) string {
	shown := make([]string, min(len(files), mostFiles))
	for i := range shown {
		shown[i] = fromRoot(files[i])
	}
	if more := len(files) - len(shown); more > 0 {
		return fmt.Sprintf("%s and %d more", codeList(shown), more)
	}
	return codeList(shown)
}

// fromRoot is the path of a file as it cannot be taken for one of another folder.
func fromRoot(file string) string {
	if path.Dir(file) == "." {
		return "./" + file
	}
	return file
}

// packageCell shows the packages of a command.
func packageCell(c *commandFiles) string {
	if len(c.further) == 0 {
		return codeList(c.packages)
	}
	return strings.TrimSpace(codeList(c.packages) + " by calls " + codeList(c.further))
}

// usersOf are the commands that call each file which is not their own.
func usersOf(commands map[string]*commandFiles) map[string][]string {
	users := map[string][]string{}
	for _, name := range sortedKeys(commands) {
		for _, file := range commands[name].shared {
			users[file] = append(users[file], strings.TrimPrefix(name, "pertain "))
		}
	}
	return users
}

// userCell names the commands, unless they are most of all.
func userCell(users []string, all int) string {
	switch {
	case len(users) == 0:
		return "the program itself"
	case len(users) > all/2:
		return "most"
	}
	return codeList(users)
}
