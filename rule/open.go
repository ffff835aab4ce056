package rule

import (
	"net/url"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/diag"
)

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
	return "there is no rule `" + name + "`" + hint + "; available: " + strings.Join(e.Available, ", ")
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

func (s *Set) readable(r *Rule) bool { return !s.options.Documented || r.Bucket == Rulebook }
