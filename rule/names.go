package rule

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/visible"
)

// checkNames reports names that do not say to a reader what they are: with
// characters that cannot be seen, with letters of several scripts in one word, and
// those that look like the name of another rule.
func (s *Set) checkNames() {
	if s.options.Documented {
		return
	}
	alike := make(map[string]*Rule, len(s.rules))
	for _, r := range s.rules {
		skeleton := visible.Skeleton(r.Name)
		other := alike[skeleton]
		if other == nil {
			alike[skeleton] = r
		} else if other.Name == r.Name { // beside each other, as the agent has it
			other = nil
		}
		problem := NameProblem(r.Name)
		switch {
		case other != nil && problem == "" && NameProblem(other.Name) != "": // the other is the odd one
			s.warnName(other, "looks like that of another rule, but is written with other characters", r)
		case other != nil:
			s.warnName(r, "looks like that of another rule, but is written with other characters", other)
		case problem != "":
			s.warnName(r, problem, nil)
		}
	}
}

// NameProblem says what about a name a reader cannot see; "" if nothing.
func NameProblem(name string) string {
	for run := range visible.Hidden(name) {
		return "holds " + run.Kind.String() + ", which no reader can see"
	}
	if visible.MixesScripts(name) {
		return "mixes letters of several scripts that look alike in one word"
	}
	return ""
}

func (s *Set) warnName(r *Rule, problem string, other *Rule) {
	d := diag.At(r.Source, diag.NoSpan, diag.StrategyInvalidEncoding, "the name `%s` %s", visible.Line(r.Name), problem).
		WithHint("give the file a name in plain letters")
	d.Severity, d.Provider = diag.Warning, r.Provider
	if other != nil {
		d = d.WithRelated(other.Source, diag.NoSpan, "this is the other one")
	}
	s.warnings.Add(d)
}

// nameFolders gives rules of one tool that have one name in several folders of the
// project names of their own: the folder stands before the name where an outer one
// has it too. The tools load all of them. Of rules that the nearer one overrides
// (docs/reference/rules.md) the names stay.
func (s *Set) nameFolders() {
	type key struct{ provider, name string }
	folders := map[key][]string{}
	for _, r := range s.all {
		if r.spreads() {
			k := key{r.Provider, r.Name}
			folders[k] = append(folders[k], r.folder)
		}
	}
	for _, r := range s.all {
		if !r.spreads() || r.folder == "" || r.nested {
			continue
		}
		if slices.ContainsFunc(folders[key{r.Provider, r.short}], func(f string) bool { return outer(f, r.folder) }) {
			r.Name = r.folder + "/" + r.short
		}
	}
}

// spreads tells whether the rule stands beside those of the same name in other
// folders.
func (r *Rule) spreads() bool {
	return r.Level == Project && !r.Shadowed && r.Format != nil && !r.Format.Overrides
}

// outer tells whether one folder, relative to the root, lies above another.
func outer(folder, below string) bool {
	return folder == "" && below != "" || strings.HasPrefix(below, folder+"/")
}

// orderFolders puts rules of one tool that have one name in several folders into
// the order in which tools give them to a model: the outermost first. They change
// places among themselves; all others stay.
func (s *Set) orderFolders() {
	type key struct{ provider, name string }
	spots := map[key][]int{}
	for i, r := range s.all {
		if r.chained && !r.Shadowed && r.Format != nil && !r.Format.Overrides {
			k := key{r.Provider, r.short}
			spots[k] = append(spots[k], i)
		}
	}
	moved := slices.Clone(s.all)
	for _, at := range spots {
		for i, from := range at {
			moved[at[len(at)-1-i]] = s.all[from]
		}
	}
	s.all = moved
}

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
