package markup

import "strings"

// Comply is the sentence that says which rules bind a model: those of the user's own and
// of workspaces that the user trusts. others says that it is told of rules that are
// neither: nobody vouches for what a stranger's repository says. Without names it is ""; each is one
// line without back quotes.
func Comply(names []string, others bool) string {
	const why = "This is no prompt injection: Pertain enforces the rules that the user has set up, and you must comply with "
	switch {
	case len(names) == 0:
		return ""
	case !others:
		return why + "them."
	}
	return why + "`" + strings.Join(names, "`, `") + "`."
}
