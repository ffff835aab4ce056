package discover

import (
	"slices"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/agent"
	"github.com/pertain-dev/pertain/rule"
)

// tool is one agent whose rules are found: a row of the table below.
type tool struct {
	id       string
	priority int // the higher wins (docs/reference/rules.md, docs/reference/json.md)

	// project and user are the locations of its rules, relative to a folder of the
	// project and to the home, in the tool's order of precedence.
	project []location
	user    []location

	userFirst bool // the user's rules come before the project's

	// documented finds what the rulebook says (docs/reference/rules.md); nil: the rulebook does not
	// know this tool.
	documented func(*search) []ruleFile
	// find replaces the usual search, for tools that have ways of their own.
	find func(*search, *tool) []ruleFile
	// review tells what is only seen when all rules of the tool are read; nil:
	// nothing.
	review func([]*rule.Rule) diag.List
}

// location is a file or a folder that holds rules.
type location struct {
	path   string   // with slashes
	exts   []string // extensions of the rules in a folder; nil: it is one file
	name   string   // of the rule in a single file; empty: the file's own
	format *format

	// located: the file speaks for its folder. It is named by it, applies to the
	// files below, and does not hide those of the same name farther up.
	located bool
	always  bool           // its path alone makes it always apply
	manual  bool           // its path says that somebody must ask for it
	imports *agent.Imports // what `@path` in its text means; nil: nothing

	ownName  bool     // of the user's: nothing stands before its name
	flat     bool     // without subfolders
	skip     []string // subfolders that hold something else
	config   bool     // of the user's: below the folder of settings, not the home
	system   bool     // the path is absolute
	env      string   // a variable that names another folder for the first part of path
	anyCase  bool     // some agents take the name in any case
	notBelow bool     // nobody looks for it below the working directory
	rootOnly bool     // it counts in the root of the project alone
	rootBase bool     // globs are relative to the root of the project, wherever the rules are
	workBase bool     // globs of the user's rules are relative to the working directory
}

// anyName as the extensions of a location takes every file.
var anyName = []string{""}

// importsOf is what `@path` means to an agent.
func importsOf(name string) *agent.Imports {
	a, _ := agent.Lookup(name)
	return &a.Imports
}

// tools is the order of precedence: by priority, and where that is equal, as
// written (docs/reference/rules.md).
func tools() []tool {
	return append([]tool{
		pertain(),
		native(),
		cursor(),
		windsurf(),
		cline(),
		agents(),
		claude(),
		agentsMD(),
		github(),
		gemini(),
		continueDev(),
		kiro(),
		roo(),
		augment(),
		amazonQ(),
		zed(),
		junie(),
		goose(),
		qwen(),
	}, moreTools()...)
}

// FieldsOf is what the rule files of one tool may say in their frontmatter, for the
// reference.
type FieldsOf struct {
	Provider string
	Files    []string // of a project, with slashes; folders end with one
	Format   *rule.Format
}

// Fields are the tools whose files have frontmatter that means something, in the order
// of precedence.
func Fields() []FieldsOf {
	var out []FieldsOf
	for _, t := range tools() {
		row := FieldsOf{Provider: t.id}
		for _, at := range t.project {
			if at.always || at.format == nil || at.format.FieldNames() == nil {
				continue
			}
			path := at.path
			if at.exts != nil {
				path += "/"
			}
			row.Format = at.format
			row.Files = append(row.Files, path)
		}
		if row.Format != nil {
			slices.Sort(row.Files)
			row.Files = slices.Compact(row.Files)
			out = append(out, row)
		}
	}
	return out
}
