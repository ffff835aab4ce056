package export

import (
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

// strangers keep the rules of a repository inside of the project, which the user does not trust by itself, out of the files of the
// project: from there they would speak in the name of whoever is trusted, in the home to every project.
type strangers struct {
	*discover.Strangers
	tree files.Tree
	out  []outsider // in the order in which they were found
}

// outsider is a workspace whose rules were left out.
type outsider struct {
	folder string
	count  int // rules
}

// without leaves out the rules of strangers. Where the user named the workspace itself, or what is in it, that is what they want; empty:
// no path was named.
func (s *strangers) without(found []*rule.Rule, named string) []*rule.Rule {
	if named != "" {
		if real, err := s.tree.RealPath(named); err == nil {
			named = real
		}
	}
	var out []*rule.Rule
	for _, r := range found {
		folder := s.Workspace(r)
		if folder == "" || named != "" && s.tree.Flavor().Inside(folder, named) {
			out = append(out, r)
			continue
		}
		s.count(folder)
	}
	return out
}

func (s *strangers) count(folder string) {
	for i := range s.out {
		if s.out[i].folder == folder {
			s.out[i].count++
			return
		}
	}
	s.out = append(s.out, outsider{folder, 1})
}

// told is what was left out, by workspace.
func (s *strangers) told() diag.List {
	var list diag.List
	for _, o := range s.out {
		what := "its rules are"
		if o.count == 1 {
			what = "its rule is"
		}
		list.Add(diag.At(diag.NewSource(o.folder, ""), diag.NoSpan, diag.RuleOutsideWorkspace,
			"this is a workspace of its own that is not trusted; %s not written into the files of a folder around it", what).
			WithHint("work in that folder itself, or trust it with `pertain trust`; what --from names in it is taken"))
	}
	return list
}

// withoutLinked leaves out the rules that are links out of a workspace, if that is not trusted. A stranger's link may be read, since
// nothing is kept of it; its text in files would leave the machine with the next commit. It is the workspace of the link that counts,
// and not that which is written to: who made the link chose where it leads.
func (s *strangers) withoutLinked(found []*rule.Rule, list diag.List) ([]*rule.Rule, diag.List) {
	var out []*rule.Rule
	for _, r := range found {
		if s.Stray(r) {
			d := diag.At(diag.NewSource(r.Path, ""), diag.NoSpan, diag.RuleOutsideWorkspace, "the rule is a link to a file outside of its workspace, which is not trusted; that file's text is not written into other files").
				WithHint("trust that workspace with `pertain trust`, or put the file itself there")
			d.Provider = r.Provider
			list = append(list, d)
			continue
		}
		out = append(out, r)
	}
	return out, list
}
