package discover

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/agent"
	"github.com/pertain-dev/pertain/internal/discover/imports"
	"github.com/pertain-dev/pertain/internal/fileerror"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

// format is how a tool writes rules.
type format = rule.Format

// RuleRoots say where rules are looked for.
type RuleRoots struct {
	Dir        string // working directory, absolute
	Home       string // the user's home; empty: there are no user's rules
	NamedHome  string // another that the environment named, and that is not believed; empty: none
	ConfigHome string // ~/.config, or where the user keeps settings
	Documented bool   // only where the rulebook says, and as it says
	Own        bool   // the user's own rules alone: nothing of the project, or above it, is read
	Trusted    bool   // the user trusts the workspace: what its files import may lie in the home

	// TrustsInner tells whether the user trusts a repository inside of the workspace by itself; nil: none.
	TrustsInner func(folder string) bool

	Fleet string // folder of the revision that this machine has of its fleet; empty: none

	// Folders are more folders of the project to look in, such as those on the
	// way to a file, outermost first. Their rules come after those of Dir and
	// above, and bear the folder in their names.
	Folders []string
	// Notes are what there is to say about the search for these.
	Notes diag.List
	// Lookup gives variables of the environment that name other folders for the
	// files of an agent; nil: none is set.
	Lookup func(name string) (string, bool)
	// Instructions are more folders of GitHub instructions, as
	// COPILOT_CUSTOM_INSTRUCTIONS_DIRS names them.
	Instructions []string
}

// ProjectRoot is the folder with `.git` at or above dir, or in that the nearest repository of another kind, which is
// somebody's clone; without one, dir.
func ProjectRoot(tree files.Tree, dir string) string {
	root, _, ok := files.FindUp(tree, dir, ".git")
	if !ok {
		return dir
	}
	if clone, ok := cloneIn(tree, root, dir); ok {
		return clone
	}
	return root
}

// Rules are the providers of all tools, in order of precedence.
func Rules(tree files.Tree, roots RuleRoots) []rule.Provider {
	s := newSearch(tree, roots)
	var providers []rule.Provider
	for _, t := range s.tools {
		if roots.Documented && t.documented == nil {
			continue
		}
		providers = append(providers, &ruleProvider{search: s, tool: t, first: len(providers) == 0})
	}
	return providers
}

// ruleFile is one file that holds a rule, and what its path says about it.
type ruleFile struct {
	path    string
	within  files.Bounds // where it may lead
	named   bool         // by the user: whose it is does not matter
	chosen  bool         // by settings, whatever it is
	origin  rule.Origin
	format  *format
	imports *agent.Imports
	above   bool  // above the project: nobody else may be able to write it
	problem error // not nil: there is something by this name that cannot be read
}

// ruleProvider is the rules of one tool.
type ruleProvider struct {
	search *search
	tool   tool
	first  bool // it also tells what there is to say about the folders
}

func (p *ruleProvider) ID() string    { return p.tool.id }
func (p *ruleProvider) Priority() int { return p.tool.priority }

// Rules finds the files and reads them on all cores, in their order.
func (p *ruleProvider) Rules(ctx context.Context) ([]*rule.Rule, diag.List, error) {
	var found []ruleFile
	switch {
	case p.search.Documented:
		found = p.tool.documented(p.search)
	case p.tool.find != nil:
		found = p.tool.find(p.search, &p.tool)
	default:
		found = p.search.usual(&p.tool)
	}
	found = once(found)
	for i := range found {
		found[i].origin.Provider, found[i].origin.Documented = p.tool.id, p.search.Documented
	}
	rules, list, err := readRules(ctx, p.search, found)
	if p.first {
		list = append(slices.Clone(p.search.notes), list...)
	}
	if p.tool.review != nil && !p.search.Documented {
		list = append(list, p.tool.review(rules)...)
	}
	return rules, list, err
}

// once keeps of each file the first; where it is the user's as well as a file of
// the project, since one works in the home, it is the user's.
func once(found []ruleFile) []ruleFile {
	first := make(map[string]int, len(found))
	var out []ruleFile
	for _, f := range found {
		at, again := first[f.path]
		switch {
		case !again:
			first[f.path] = len(out)
			out = append(out, f)
		case out[at].origin.Level == rule.Project && f.origin.Level == rule.User, out[at].above && !f.above:
			out[at] = f
		}
	}
	return out
}

// read makes a rule of a file; what cannot be read is a warning. cost is what it adds
// to the sum of all.
func (s *search) read(f ruleFile) (r *rule.Rule, list diag.List, cost ruleSum) {
	cost.files = 1
	if f.problem != nil {
		return nil, unreadable(f, f.problem), cost
	}
	if inner := s.innerOf(&f); inner != f.origin.Inner {
		f.origin.Inner, f.within = inner, s.project(inner)
	}
	data, real, err := s.fetch(f)
	if err != nil {
		return nil, unreadable(f, err), cost
	}
	source, list := rule.Decode(f.path, data)
	r, found, effort := rule.ReadCounted(source, f.origin, f.format)
	list = append(list, found...)
	cost.bytes, cost.effort = len(data), effort
	if r == nil {
		cost.fields = len(source.Text()) // there is nothing else in it
		return nil, list, cost
	}
	cost.fields = len(source.Text()) - len(r.Content)
	r.Real = real
	s.exportSources(r)
	if f.imports != nil && !s.Documented {
		list = append(list, s.expand(r, &f)...)
		if len(r.Includes) > 0 {
			cost.bytes += len(r.Content)
		}
	}
	return r, list, cost
}

// expand puts what the text of a rule imports into that text.
func (s *search) expand(r *rule.Rule, f *ruleFile) diag.List {
	from := imports.From{Imports: f.imports, Within: s.within, Above: f.above, IsRule: s.reads}
	if f.above {
		from.Within = f.within
	} else if f.origin.Inner != "" {
		from.Within, from.Inner = s.project(f.origin.Inner), true
	}
	from.RefuseOwner = func(path string, o files.Opened) error {
		return s.refuseOwner(ruleFile{path: path, above: f.above, named: f.named, origin: rule.Origin{Level: r.Level}}, o)
	}
	return s.imports.Expand(r, from)
}

// unreadable is what there is to say about a file or folder of rules that cannot
// be read.
func unreadable(f ruleFile, err error) diag.List {
	code := diag.RuleEmpty
	var large *files.TooLargeError
	var limit *files.LimitError
	var outside *files.OutsideError
	var sum *sumError
	var most limitError
	switch {
	case errors.As(err, &large), errors.As(err, &limit), errors.As(err, &sum), errors.As(err, &most):
		code = diag.RuleTooLarge
	case errors.As(err, &outside):
		code = diag.RuleOutsideWorkspace
	}
	d := diag.At(diag.NewSource(f.path, ""), diag.NoSpan, code, "the rule cannot be read: %s", fileerror.Reason(err))
	switch {
	case limit != nil && limit.What == "entries":
		d.Message = fmt.Sprintf("there are more than %d files and folders in this folder; the rules among the rest are left out", limit.Max)
	case limit != nil && limit.What == "levels":
		d.Message = fmt.Sprintf("the folder lies more than %d folders deep; the rules in it are left out", limit.Max)
	case f.origin.Name == "":
		d.Message = "rules in this folder cannot be read: " + fileerror.Reason(err)
	}
	if outside != nil && outside.Hint != "" {
		d = d.WithHint("%s", outside.Hint)
	}
	d.Provider = f.origin.Provider
	return diag.List{d}
}
