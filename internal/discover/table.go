package discover

import (
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/rule"
)

// tool is one agent whose rules are found: a row of the table below.
type tool struct {
	id       string
	priority int // the higher wins (RB §4, CONTRACT §5)

	// project and user are the locations of its rules, relative to a folder of the
	// project and to the home, in the tool's order of precedence.
	project []location
	user    []location

	userFirst bool // the user's rules come before the project's

	// documented finds what the rulebook says (RB §2); nil: the rulebook does not
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
	always  bool // its path alone makes it always apply
	imports bool // `@path` in its text brings in other files
}

// tools is the order of precedence: by priority, and where that is equal, as
// written (RB §4).
func tools() []tool {
	return []tool{
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
	}
}
