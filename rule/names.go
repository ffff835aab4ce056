package rule

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

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

// NameProblem says what in a name a reader cannot see, or cannot tell from other letters; ""
// if nothing.
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
			r.Name = projectName(r.folder + "/" + r.short)
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

// Scheme begins the address of a rule.
const Scheme = "rule://"

// MediaType is the type of a rule's text.
const MediaType = "text/markdown"

// UnknownError says that no rule of a name can be read.
type UnknownError struct {
	Name      string
	Available []string // names that can, in order of precedence
	Disabled  bool     // there is such a rule, and it is switched off
}

// Error lists what there is.
func (e *UnknownError) Error() string {
	name := diag.Short(e.Name)
	if e.Disabled {
		return "the rule `" + name + "` is switched off by `enabled: false`"
	}
	if len(e.Available) == 0 {
		return "there is no rule `" + name + "`; no rules are available"
	}
	hint := ""
	if near := diag.DidYouMean(e.Name, e.Available); near != "" {
		hint = " (" + near + ")"
	}
	return "there is no rule `" + name + "`" + hint + "; available: " + e.listed()
}

// maxNamed is how many names an error lists.
const maxNamed = 200

// listed are the names that there are, in order of precedence; of too many those that are most like the one that was meant, which have
// most of its beginning, and how many there are beside.
func (e *UnknownError) listed() string {
	if len(e.Available) <= maxNamed {
		return strings.Join(e.Available, ", ")
	}
	names := slices.Clone(e.Available)
	near := diag.Nearest(e.Name, names)
	wanted := strings.ToLower(e.Name)
	like := func(name string) int {
		if name == near {
			return len(wanted) + 1
		}
		name = strings.ToLower(name)
		n := 0
		for n < min(len(name), len(wanted)) && name[n] == wanted[n] {
			n++
		}
		return n
	}
	slices.SortStableFunc(names, func(a, b string) int { return like(b) - like(a) })
	return strings.Join(names[:maxNamed], ", ") + fmt.Sprintf(", and %d more", len(names)-maxNamed)
}

// Open finds the rule of an address `rule://NAME`, or of a bare name: exactly,
// the name percent-decoded. The error is an [*UnknownError].
func (s *Set) Open(address string) (*Rule, error) {
	s = s.orEmpty()
	name := strings.TrimPrefix(address, Scheme)
	names := []string{name}
	if decoded, err := url.PathUnescape(name); err == nil && decoded != name {
		names = []string{decoded, name} // a file name may hold a `%` of its own
	}
	for _, n := range names {
		if r := s.byName[n]; r != nil && s.readable(r) {
			return r, nil
		}
	}
	for _, n := range names { // by its folder, though no outer one has its name
		for _, r := range s.rules {
			if r.folder != "" && r.folder+"/"+r.short == n && s.readable(r) {
				return r, nil
			}
		}
	}
	off := slices.ContainsFunc(s.all, func(r *Rule) bool { return r.Disabled && slices.Contains(names, r.Name) })
	return nil, &UnknownError{Name: names[0], Available: s.Names(), Disabled: off}
}

// Names are the names that [Set.Open] answers to.
func (s *Set) Names() []string {
	var out []string
	for _, r := range s.Rules() {
		if s.readable(r) {
			out = append(out, r.Name)
		}
	}
	return slices.Clip(out)
}
