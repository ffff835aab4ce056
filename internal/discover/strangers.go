package discover

import (
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

// Strangers tell of rules whether somebody else wrote them, for who keeps their text: that a rule may be read and shown says nothing
// about that. It is one goroutine's.
type Strangers struct {
	search *search
	vouch  map[string]bool // by folder, whether the user trusts the repository that holds it
	kept   map[string]bool // by Inner of rules, whether it is somebody else's
}

// NewStrangers makes them for the roots that the rules are of.
func NewStrangers(tree files.Tree, locations RuleRoots) *Strangers {
	return &Strangers{search: newSearch(tree, locations), vouch: map[string]bool{}, kept: map[string]bool{}}
}

// Workspace is the folder, without links, of the repository inside of the project that a rule lies in, if the user does not trust it
// by itself; empty: none. In the home, whose folders of rules are for every project, it is any other folder, too.
func (x *Strangers) Workspace(r *rule.Rule) string {
	strange, known := x.kept[r.Inner]
	if !known && r.Inner != "" {
		s := x.search
		isHome := s.realHome != "" && s.within.Hold(s.flavor, s.realHome)
		strange = !x.trusts(r.Inner) && (isHome || s.strange(files.Upward(s.tree, r.Inner, repositories...)) != "")
		x.kept[r.Inner] = strange
	}
	if !strange {
		return ""
	}
	return r.Inner
}

// Stray tells whether a rule is a link out of the workspace that it lies in, which the user does not trust: what it leads to is not its
// author's to give away.
func (x *Strangers) Stray(r *rule.Rule) bool {
	s := x.search
	if r.Real == "" {
		return false
	}
	if r.Level == rule.Project {
		into := s.entered(r.Path)
		switch {
		case into != "":
			return !s.flavor.Inside(into, r.Real)
		case x.trusts(s.flavor.Dir(r.Path)):
			return false
		case r.Inner != "":
			return !s.flavor.Inside(r.Inner, r.Real)
		}
	}
	return !s.Trusted && s.flavor.Inside(s.root, r.Path) && !s.within.Hold(s.flavor, r.Real)
}

// trusts tells whether the user trusts the repository, inside of the project, that a folder lies in.
func (x *Strangers) trusts(dir string) bool {
	trusted, known := x.vouch[dir]
	if !known {
		if real, err := x.search.tree.RealPath(dir); err == nil {
			_, trusted = x.search.nearest(files.Upward(x.search.tree, real, repositories...))
		}
		x.vouch[dir] = trusted
	}
	return trusted
}
