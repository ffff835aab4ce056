package rule

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/pertain-dev/pertain/diag"
)

// CheckAll tells of many rules what [Check] tells of one. Of a rule that is kept for
// several tools it is told once.
func CheckAll(rules []*Rule) diag.List {
	var list diag.List
	told := map[string]string{} // the tool by whose file it was told
	for _, r := range rules {
		of := r.short + "\x00" + strings.Join(r.Globs, "\x00")
		list = append(list, slices.DeleteFunc(Check(r), func(d diag.Diagnostic) bool {
			key := string(d.Code) + "\x00" + d.Message + "\x00" + of
			tool, again := told[key]
			if !again {
				told[key] = r.Provider
			}
			return again && tool != r.Provider
		})...)
	}
	return list
}

// What differs between copies of a rule; asked by lint alone, so compiled when first asked.
var (
	comment  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?s)<!--.*?-->`) })
	ruleFile = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\.[a-z]+/(?:rules|steering|instructions)\b(?:/([\w./-]*?)\.(?:instructions\.md|mdc|md)\b)?`)
	})
)

// KeptAlike tells whether the rule and another are one that is kept for two tools, as
// programs do that copy rules from tool to tool: comments, blanks, and the folders
// and ends of the names of rule files are all that differs.
func (r *Rule) KeptAlike(other *Rule) bool {
	return r.Provider != other.Provider && r.keptForm() == other.keptForm()
}

func (r *Rule) keptForm() string {
	text := comment().ReplaceAllString(r.Content, " ")
	text = ruleFile().ReplaceAllString(text, "rules/$1")
	return strings.Join(strings.Fields(text), " ")
}
