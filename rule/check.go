package rule

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/pertain-dev/pertain/diag"
)

// Check tells an author what is probably not meant in a rule that was read
// without mistakes: that nothing can bring it to a model, that its fields
// contradict each other, fields that its tool does not know, its length.
func Check(r *Rule) diag.List {
	list := append(diag.List(nil), r.Remarks...)
	if r.Format.Whole || r.Format.Memory {
		return list
	}
	list = append(list, r.checkReach()...)
	list = append(list, r.checkActivation()...)
	list = append(list, r.checkTriggers()...)
	for i := range list {
		list[i].Provider = r.Provider
	}
	return list
}

// CheckAll tells of many rules what [Check] tells of one. What it finds in a rule
// that is kept for several tools, it tells once.
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

func (r *Rule) checkReach() diag.List {
	if r.Bucket != None || r.Activation == Manual || r.Activation == Never {
		return nil
	}
	if r.Format.DropFalse && len(r.Globs) == 0 && field(r.Frontmatter, "alwaysApply") != nil {
		return nil // Cursor calls it a rule that is applied manually
	}
	fields := []string{"`description: …`"}
	if r.Format.ModeKey == "alwaysApply" {
		fields = append(fields, "`alwaysApply: true`")
	}
	if len(r.Format.GlobKeys) > 0 {
		fields = append(fields, "`"+r.Format.GlobKeys[0]+": …`")
	}
	hint := "add " + strings.Join(fields, " or ")
	switch {
	case r.Activation == OnDescription:
		return diag.List{diag.At(r.Source, r.block(), diag.RuleUnreachable, "the model decides by the description whether the rule applies, and there is none").
			WithHint("add `description: …`")}
	case len(r.Globs) == 0:
		return diag.List{diag.At(r.Source, r.block(), diag.RuleUnreachable, "nothing brings this rule to a model: it has no description, globs, trigger or `alwaysApply`").
			WithHint("%s", hint)}
	}
	return nil
}

func (r *Rule) checkActivation() diag.List {
	var list diag.List
	always := isTrue(r.AlwaysApply) || r.Activation == AlwaysActive && field(r.Frontmatter, r.Format.ModeKey) != nil
	switch {
	case always && len(r.Triggers) > 0:
		list.Add(diag.At(r.Source, r.keySpan("ttsr_trigger", "condition"), diag.RuleConflictingActivation,
			"the rule always applies and has a trigger; the trigger decides").WithHint("keep one of the two"))
	case always && len(r.Globs) > 0 && !slices.ContainsFunc(r.Globs, matchesAll):
		list.Add(diag.At(r.Source, r.keySpan(r.Format.GlobKeys...), diag.RuleConflictingActivation,
			"the rule always applies, so its globs are not looked at").WithHint("%s", r.alwaysHint()))
	case r.Activation == Manual && len(r.Globs) > 0:
		list.Add(diag.At(r.Source, r.keySpan(r.Format.GlobKeys...), diag.RuleConflictingActivation,
			"the rule applies only when asked for, so its globs are not looked at").WithHint("remove the globs, or let them decide"))
	}
	return list
}

// alwaysHint says what to write instead of both.
func (r *Rule) alwaysHint() string {
	switch key := r.Format.ModeKey; {
	case key == "alwaysApply":
		return "remove the globs, or write `alwaysApply: false` to let them decide"
	case key == "trigger" && isTrue(r.AlwaysApply):
		return "in " + r.Format.Tool + " `trigger` decides: write `trigger: always_on`, or `trigger: glob`"
	}
	return "remove the globs, or let them decide"
}

// matchesAll tells whether a glob means every file: then it contradicts nothing.
func matchesAll(g string) bool {
	return g == "*" || g == "**" || g == "**/*" || g == "./**" || g == "/**"
}

// keySpan is where the first of these fields stands, however it is spelt.
func (r *Rule) keySpan(keys ...string) diag.Span {
	if r.Frontmatter != nil {
		for _, key := range keys {
			for _, e := range r.Frontmatter.Entries {
				if e.Key.Text == key || slices.Contains(aliases[key], e.Key.Text) {
					return e.Key.Span()
				}
			}
		}
	}
	return diag.NoSpan
}

// block is the first line of the frontmatter, or the whole file.
func (r *Rule) block() diag.Span {
	if text := r.Source.Text(); r.Frontmatter != nil && strings.HasPrefix(text, "---") {
		return diag.Span{Start: 0, End: 3}
	}
	return diag.NoSpan
}

// What differs between copies of a rule; asked by lint alone, so compiled when first asked.
var (
	comment  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?s)<!--.*?-->`) })
	ruleFile = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\.[a-z]+/(?:rules|steering|instructions)\b(?:/([\w./-]*?)\.(?:instructions\.md|mdc|md)\b)?`)
	})
)

// KeptAlike tells whether the rule and another are copies of one rule for two tools,
// as programs make them that copy rules from tool to tool: they differ only in
// comments, blanks, and the folders and ends of the names of rule files.
func (r *Rule) KeptAlike(other *Rule) bool {
	return r.Provider != other.Provider && r.keptForm() == other.keptForm()
}

func (r *Rule) keptForm() string {
	text := comment().ReplaceAllString(r.Content, " ")
	text = ruleFile().ReplaceAllString(text, "rules/$1")
	return strings.Join(strings.Fields(text), " ")
}
