package cli

import (
	"fmt"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/lint"
	"github.com/pertain-dev/pertain/rule"
)

// maxLinked is how many links are named: a repository may have any number.
const maxLinked = 8

// linkedOut says which rules of a workspace that is not trusted are links to files outside of it, a line each. It is a remark:
// people keep one file for many projects, and links to such files are followed.
func (a *app) linkedOut(rules []*rule.Rule) []string {
	root := a.workspace()
	linked := lint.Linked(files.OS(), root, rules)
	if len(linked) == 0 || a.trusts(root) {
		return nil
	}
	var lines []string
	for _, r := range linked[:min(len(linked), maxLinked)] {
		lines = append(lines, fmt.Sprintf("%s is a link to %s, outside of the workspace; models are told its text", a.homeName(r.Path), a.homeName(r.Real)))
	}
	if more := len(linked) - len(lines); more > 0 {
		lines = append(lines, fmt.Sprintf("%d more rules are links to files outside of the workspace", more))
	}
	return lines
}
