package strategy

import (
	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/facts"
)

// Strategy is a prompt with the condition under which it is recommended.
type Strategy struct {
	ID          string
	Name        string
	Titles      []Title // what it is shown as, by language; none: its name
	Description string  // empty: none
	Icon        string  // Lucide name in Pascal case; empty: none
	Priority    int
	Enabled     bool // false: loaded, never matched
	Valid       bool // false: an error was found; never matched or run
	Trusted     bool // false: from a workspace that the user has not trusted

	When          *cond.Expr
	Program       *cond.Program // When made runnable; nil or not to be used unless Valid
	Tools         []ToolRule    // in file order; nil: no rules
	Preprocessors []string      // ids in the order they run
	SystemPrompt  string        // template; empty: none
	Body          string        // template of the user prompt
	Limits        cond.Limits

	Provider string       // builtin, user, workspace, plugin.NAME
	Source   *diag.Source // the strategy's own file
	Includes []*diag.Source
	Effort   int         // what [document.Document.Effort] says of it and of its source
	Derived  bool        // it has a `from`, resolved or not
	Needs    facts.Needs // what matching has to read

	Diagnostics diag.List // what was found while loading

	hasID  bool           // ID is the file's own
	idNode *document.Node // where the id is written; nil: derived
	from   *document.Node // what names the included file; nil: none does
}

// defaultIcon is shown for an icon that is not in the set.
const defaultIcon = "Sparkles"

// Origin says where a file was found, which decides its namespace and what it
// may reach.
type Origin struct {
	Provider string // namespace: builtin, user, workspace, plugin.NAME
	Path     string // path below the provider's folder with slashes, for deriving an id
	Confine  string // real folder that `from` must not leave; empty: free
	Trusted  bool
}

// OwnKey is the key that no other strategy of the provider may have: that of the
// id that was written or derived. It is "" for a file that has no such id, whose
// ID is only a name to list it by.
func (s *Strategy) OwnKey() string {
	if !s.hasID {
		return ""
	}
	return Key(s.ID)
}

// Claim marks diagnostics of matching or running as those of the strategy: they
// get its id, and those in an included file also name the location that includes
// it (docs/reference/skills.md).
func (s *Strategy) Claim(list diag.List) {
	list.ForStrategy(s.ID)
	if s.from == nil {
		return
	}
	for i, d := range list {
		if d.Source != nil && d.Source != s.Source && len(d.Related) == 0 {
			list[i] = includedFrom(d, s.from)
		}
	}
}

func includedFrom(d diag.Diagnostic, from *document.Node) diag.Diagnostic {
	return d.WithRelated(from.Source(), from.Span(), "included from here")
}

// Duplicate returns the strategy as invalid because another one of its provider
// has the same id.
func (s *Strategy) Duplicate(first *Strategy) *Strategy {
	d := diag.At(s.Source, s.IDSpan(), diag.StrategyDuplicateID, "the id `%s` is taken by another file", s.ID).
		WithHint("give one of the two another `id`").
		WithRelated(first.Source, first.IDSpan(), "it is used here first")
	d.Strategy = s.ID
	twin := *s
	twin.Valid = false
	twin.Diagnostics = append(append(diag.List(nil), s.Diagnostics...), d)
	return &twin
}

// IDSpan is where the id is written, or the beginning of the file.
func (s *Strategy) IDSpan() diag.Span {
	if s.idNode == nil {
		return diag.Span{}
	}
	return s.idNode.Span()
}
