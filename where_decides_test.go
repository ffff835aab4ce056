package pertain_test

import (
	"go/types"
	"slices"
	"strings"
	"testing"
)

// decides are the files that a reader should open first where the source itself does not show it: in the end somebody has to say whether who words a
// diagnostic has decided it, and which of many that ask for a flag does what it says. Keys are codes, flags of one command or of all that have
// them, and settings. A row that the source shows anyway, and a file that has nothing to do with it, is refused.
var decides = map[string]string{
	"strategy.duplicate_id":      "assemble.go",                  // by the ids of all; the strategy words it
	"strategy.too_large":         "load_file.go",                 // by the size on disk
	"condition.timeout":          "cond/budget.go",               // all others only ask it
	"condition.type_mismatch":    "cond/apply.go",                // which operator goes with which kind
	"extra.provider_unavailable": "facts/gather_report.go",       // of what collectors say, what counts
	"rule.shadowed":              "rule/shadow.go",               // names; exported files are the rarer case
	"rule.outside_workspace":     "internal/discover/confine.go", // where files may lead; others pass it on

	"--agent":                 "internal/discover/agent_view.go", // what one agent loads
	"--documented":            "rule/documented.go",              // what only Pertain adds is off
	"--strategies":            "locate.go",                       // instead of which folders
	"--text":                  "internal/cli/snapshot.go",
	"ask --input":             "plan/build.go",
	"run --input":             "plan/build.go",
	"ask --to":                "internal/cli/ask_answer.go",
	"pick --to":               "internal/cli/ask_answer.go",
	"pick --no-stdin":         "internal/cli/stdin.go",
	"export --user":           "internal/export/plan.go", // into which folders
	"fleet push --author":     "internal/cli/fleet_push.go",
	"fleet rollback --author": "internal/cli/fleet_push.go",
	"fleet stats --since":     "internal/tally/summary.go", // which days
	"lint --dry-run":          "internal/cli/fix.go",
	"prompt --for":            "rule/prompt.go", // the rules of which files
	"query --case-sensitive":  "internal/visual/compare_text.go",
	"rules test --rule":       "internal/cli/rulestest.go",
	"rules test --tool":       "internal/cli/rulestest_call.go",
	"setup --dry-run":         "internal/connect/change.go",

	"disabled":             "assemble.go",
	"options.extraTimeout": "facts/gather_round.go",
	"ttsr.budget":          "internal/hook/deny_call.go",
	"ttsr.interruptMode":   "stream/policy.go",
	"ttsr.enabled":         "stream/watcher.go",
	"fleet.namespace":      "internal/fleet/config.go",
	"gateway.workspaces":   "internal/cli/gateway_settings.go",
}

// decidedFirst puts the file that decides before the others of a row, and notes the key that says so.
func (t *typedTree) decidedFirst(test *testing.T, used map[string]bool, command, name string, files []string) []string {
	test.Helper()
	key := strings.TrimSpace(strings.TrimPrefix(command, "pertain") + " " + name)
	first := decides[key]
	if first == "" && command != "" {
		key = name
		first = decides[key]
	}
	switch {
	case first == "":
		return files
	case len(files) > 0 && files[0] == first:
		if _, ofAll := strings.CutPrefix(key, "--"); !ofAll {
			test.Errorf("%s: the source shows %s first by itself", key, first)
		}
	case t.files[first] == nil, !slices.Contains(files, first) && !t.reaches(files, first) && !slices.ContainsFunc(files, func(to string) bool { return t.reaches([]string{first}, to) }):
		test.Errorf("%s: %s has nothing to do with %s", key, first, files)
	default:
		files = append([]string{first}, slices.DeleteFunc(slices.Clone(files), func(name string) bool { return name == first })...)
	}
	used[key] = true
	return files
}

// reaches tells whether some files call what another one declares, over at most three steps.
func (t *typedTree) reaches(files []string, to string) bool {
	seen := map[string]bool{}
	near := slices.Clone(files)
	for range 3 {
		var next []string
		for _, file := range near {
			for _, decl := range t.files[file].Decls {
				for _, u := range t.within[declaration{file, declared(decl)}] {
					if _, ok := u.object.(*types.Func); !ok || !t.ownPackage(u.object.Pkg()) {
						continue
					}
					if at := t.positions.Position(u.object.Pos()).Filename; !seen[at] {
						seen[at] = true
						next = append(next, at)
					}
				}
			}
		}
		near = next
	}
	return seen[to]
}
