package discover

import (
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/rule"
)

// codexLimit is how many bytes Codex reads of all its files on the way from the
// root to the working folder; the nearest is what gets cut.
const codexLimit = 32 << 10

// agentsMD is `AGENTS.md` in any folder, and Codex's file that overrides it. All of
// them are loaded by every agent that looks upward.
func agentsMD() tool {
	f := &format{Tool: "AGENTS.md", Whole: true, MaxBytes: codexLimit, LimitBy: "Codex"}
	return tool{
		id: "agents-md", priority: 36,
		project: []location{
			{path: "AGENTS.override.md", name: "AGENTS.override", format: f, located: true, always: true},
			{path: "AGENTS.md", format: f, located: true, always: true, anyCase: true},
			{path: "AGENTS.local.md", name: "AGENTS.local", format: &format{Tool: "AGENTS.md", Whole: true}, located: true, always: true},
		},
		user: []location{
			{path: ".codex/AGENTS.override.md", name: "AGENTS.override", format: f, always: true, env: "CODEX_HOME"},
			{path: ".codex/AGENTS.md", format: f, always: true, env: "CODEX_HOME"},
		},
		review: codexChain,
	}
}

// codexReads tells whether Codex knows the name.
func codexReads(r *rule.Rule) bool {
	return strings.HasSuffix(r.Path, "AGENTS.md") || strings.HasSuffix(r.Path, "AGENTS.override.md")
}

// codexChain warns of files that Codex cuts off or leaves out because of those
// above them. Codex reads one file of a folder.
func codexChain(rules []*rule.Rule) diag.List {
	chosen := map[string]*rule.Rule{} // by folder; the override comes first
	var folders []string
	for _, r := range rules {
		if r.Level == rule.Project && chosen[r.Within] == nil && codexReads(r) {
			chosen[r.Within] = r
			folders = append(folders, r.Within)
		}
	}
	slices.Sort(folders)
	sizes := make(map[string]int, len(folders)) // in bytes, by folder without a slash at its end
	for _, folder := range folders {
		sizes[strings.TrimSuffix(folder, "/")] += len(chosen[folder].Source.Text())
	}
	var list diag.List
	for _, folder := range folders {
		r, total := chosen[folder], 0
		for up, more := strings.TrimSuffix(folder, "/"), true; more; {
			total += sizes[up]
			slash := strings.LastIndexByte(up, '/')
			if more = slash >= 0; more {
				up = up[:slash]
			}
		}
		if total <= codexLimit || len(r.Source.Text()) == total {
			continue // one file alone that is too large is told of when it is read
		}
		d := diag.At(r.Source, diag.NoSpan, diag.RuleTooLarge, "with the files of the folders above it, it has %d bytes; Codex reads %d in all and cuts this one", total, codexLimit).
			WithHint("shorten the files, or move parts of them into folders of their own")
		d.Provider = r.Provider
		list.Add(d)
	}
	return list
}
