package settings

import (
	"fmt"
	"strings"
	"time"
)

// Kind is what a setting holds.
type Kind uint8

const (
	Text Kind = iota
	Flag
	Number
	Duration
	Texts
	Choice
	OneOrMore
)

// Row describes a setting for other forms of the table.
type Row struct {
	Key         string // dots stand for nesting in the file
	Kind        Kind
	Choices     []string // of Choice
	Default     string   // as an author would write it; empty: none
	Description string
}

// Rows are all settings in the order of the documentation.
func Rows() []Row {
	var rows []Row
	for _, r := range table() {
		row := Row{Key: r.key, Choices: r.choices, Default: r.normal, Description: r.description}
		switch r.field(&Settings{}).(type) {
		case *bool, **bool:
			row.Kind = Flag
		case *int:
			row.Kind = Number
		case *time.Duration:
			row.Kind = Duration
		case *[]string, *ids:
			row.Kind = Texts
		case *oneOrMore:
			row.Kind = OneOrMore
		}
		if r.choices != nil {
			row.Kind = Choice
		}
		rows = append(rows, row)
	}
	return rows
}

// Table is all settings as a table of Markdown.
func Table() string {
	var b strings.Builder
	b.WriteString("| setting | type | default | meaning |\n| --- | --- | --- | --- |\n")
	for _, r := range table() {
		normal := "none"
		if r.normal != "" {
			normal = "`" + r.normal + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", r.key, r.kind(), normal, r.description)
	}
	return b.String()
}

// Markdown is the page docs/config.md, which lists every setting.
func Markdown() string {
	var b strings.Builder
	b.WriteString(`# Settings

Pertain reads its settings from the file that ` + "`$PERTAIN_CONFIG`" + ` names, else from ` + "`pertain/config.yaml`" + ` in the config home: ` + "`$XDG_CONFIG_HOME`" + `
if that is an absolute path, else ` + "`~/.config`" + ` on Linux and macOS and ` + "`%APPDATA%`" + ` on Windows. The usual file may be missing, and so may
any setting: the default holds. A file that ` + "`$PERTAIN_CONFIG`" + ` names must be there, a regular file by an absolute path; else every command but ` + "`version`, `help`, `completion` and `man`" + ` ends with exit code 2. A file in a workspace that is not trusted, which a variable
names, says nothing of some settings ([reference/settings.md](reference/settings.md#whose-settings-they-are)). A mistake is reported with its line and column, and everything else in the file still applies. One exception: where what is
` + "`private`" + ` cannot be read as it was meant, no window and no clipboard is read until that is mended.

The file is YAML. A dot in the name of a setting stands for nesting:

` + "```yaml" + `
disabled: [builtin.x]
options:
  regexTimeout: 100ms
` + "```" + `

A duration is a positive decimal number followed by ` + "`ms` or `s`" + `, such as ` + "`300ms` or `1.5s`" + `. An explicit null is the same as leaving the setting out.

`)
	b.WriteString(Table())
	b.WriteString(`
Beside the settings file, in the folder ` + "`pertain`" + ` of the config home:

| place | what it holds |
| --- | --- |
| ` + "`strategies/**/*.strategy.md`" + ` | your own strategies |
| ` + "`plugins/NAME/strategies/**/*.strategy.md`" + ` | strategies of the plugin NAME |
| ` + "`skills/NAME/SKILL.md`" + ` | your own skills |
| ` + "`trust.json`" + ` | the workspaces you trust; ` + "`pertain trust`" + ` writes it |

These files and folders, and those of the state folder, are made for you alone (modes 600 and 700), and are written whole or not at all. Where you, or a
tool such as stow, have put links in their place, the links stay and what they lead to is written.

Trust is for exactly one folder, by its resolved path: trusting a folder does not trust a workspace inside it, nor one around it. With the path it is
noted which folder that is: the file system, the number of the folder in it, the owner (on Windows the volume's serial number, the file index and the
owner's security identifier), and, where the system tells it, when the folder was made. One that was removed or moved away and made anew, cloned again,
or given to another user is no longer trusted, and ` + "`pertain trust --list`" + ` says so. An entry of an older version has only the path, and counts for a
folder that belongs to you and does not hold the list itself, or lacks the time, and is compared by the rest; both become whole when you run ` + "`pertain trust`" + ` there again. Where others may write
a trusted folder, or one in it, a strategy there that belongs to another user, neither you nor root, does not count: it is reported and not read. The same holds for what strategies are made ` + "`from`" + `,
for skills of the workspace, and, trusted or not, for rules and what they import in a folder that everyone may write.
`)
	return b.String()
}
