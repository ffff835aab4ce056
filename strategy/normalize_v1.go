package strategy

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
)

// Normalizer turns documents into strategies. It is safe for concurrent use.
type Normalizer struct {
	Resolvers     []Resolver    // asked in order for what `from` names
	Preprocessors Preprocessors // nil: ids are not checked
	Limits        cond.Limits   // defaults for `options`; zero ones are the usual ones

	sources *sources // of files that are read together; nil: each reads its own
}

// Preprocessors is the part of a registry that validation needs.
type Preprocessors interface {
	Has(id string) bool
	IDs() []string
}

// Normalize reads one file. Every mistake is in the strategy's diagnostics; with
// an error among them the strategy is not valid, but still tells what it can.
func (n *Normalizer) Normalize(ctx context.Context, name string, data []byte, origin Origin) *Strategy {
	source, list := document.Decode(name, data)
	s := &Strategy{Source: source, Provider: origin.Provider, Trusted: origin.Trusted, Enabled: true}
	if list.HasErrors() {
		s.finish(list, origin)
		return s
	}
	doc, list := document.Parse(source, document.Strict)
	s.Effort = doc.Effort()
	list = append(list, document.Unseen(source)...)
	n.normalizeV1(ctx, s, doc, origin, list)
	return s
}

// unreadable is the strategy of a file that could not be read.
func unreadable(name string, problem string, origin Origin) *Strategy {
	return Refused(Entry{Name: name, Problem: problem, Origin: origin})
}

// Refused makes the strategy of an entry that must not be read, with its problem.
func Refused(entry Entry) *Strategy {
	source := diag.NewSource(entry.Name, "")
	s := &Strategy{Source: source, Provider: entry.Origin.Provider, Trusted: entry.Origin.Trusted, Enabled: true}
	d := diag.At(source, diag.NoSpan, cmp.Or(entry.Code, diag.StrategyInvalidEncoding), "the file cannot be read: %s", entry.Problem)
	d.Severity = diag.Error // whatever the code says elsewhere: there is no strategy
	s.finish(diag.List{d}, entry.Origin)
	return s
}

// TooLarge is the strategy of a file that is not read, since it has too many
// bytes, alone or with the files before it.
func TooLarge(name, problem string, origin Origin) *Strategy {
	s := unreadable(name, problem, origin)
	s.Diagnostics[0].Code = diag.StrategyTooLarge
	return s
}

// finish settles validity, and gives what has no id a name to be listed by.
func (s *Strategy) finish(list diag.List, origin Origin) {
	if s.ID == "" {
		s.ID, _ = deriveID(origin, s.Source)
	}
	if s.ID == "" {
		s.ID = origin.Provider + "." + suggestID(origin.stem())
	}
	s.Valid = !list.HasErrors()
	list = list.Limit()
	list.ForStrategy(s.ID)
	s.Diagnostics = list
}

func (n *Normalizer) normalizeV1(ctx context.Context, s *Strategy, doc *document.Document, origin Origin, list diag.List) {
	if doc.Frontmatter == nil && list.HasErrors() { // an empty one is read
		s.finish(list, origin)
		return
	}
	c := &checker{list: list, source: doc.Source}
	def, problems := parseV1(doc)
	c.list = append(c.list, problems...)

	if !c.schema(def.Schema) {
		s.finish(c.list, origin)
		return
	}
	if def.From != nil && def.From.Kind != document.Null {
		c.from, s.from, s.Derived = def.From, def.From, true
		included, problems := n.include(ctx, def.From, doc.Source, origin)
		c.addFrom(problems)
		if included != nil {
			s.Includes = []*diag.Source{included.source}
			s.Effort += included.effort
		}
		if included != nil && included.definition != nil {
			c.included = included
			c.schema(included.definition.Schema)
			def = def.over(included.definition)
		} else {
			c.nameUnknown = true
		}
	}

	id, problems := assignID(def.ID, origin, doc.Source)
	c.list = append(c.list, problems...)
	s.ID, s.hasID, s.idNode = id, id != "", def.ID
	s.Enabled = c.bool(def.Enabled, "enabled", true)
	s.Name = c.name(def)
	s.Titles = once(c, "title", def.Title, (*checker).titles)
	s.Description = c.text(def.Description, "description")
	s.Icon = c.icon(def.Icon)
	s.Priority = c.int(def.Priority, "priority")
	when := once(c, "when", def.When, (*checker).when)
	s.When, s.Needs, s.Program = when.expr, when.needs, when.program
	s.Tools = once(c, "tools", def.Tools, (*checker).tools)
	s.Preprocessors = once(c, "preprocessors", def.Preprocessors, func(c *checker, node *document.Node) []string {
		return c.preprocessors(node, n.Preprocessors)
	})
	s.SystemPrompt = c.text(def.SystemPrompt, "systemPrompt")
	usual := n.Limits.Or(cond.DefaultLimits())
	s.Limits = once(c, "options", def.Options, (*checker).options).Or(usual)
	if !origin.Trusted { // a stranger may ask for less of the user's time, not for more
		s.Limits = s.Limits.AtMost(usual)
	}
	s.Body = trimBody(def.Body)
	s.finish(withoutGuesses(c.list, doc), origin)
}

// withoutGuesses drops what was said about values that could not be read, or had
// to be repaired to read on: the YAML error is all there is to say about them.
func withoutGuesses(list diag.List, doc *document.Document) diag.List {
	var unread []diag.Span
	for _, e := range doc.Edits {
		unread = append(unread, e.Span)
	}
	for _, d := range list {
		if d.Code == diag.StrategyInvalidYAML && d.Source == doc.Source && len(d.Related) == 0 { // a duplicate key was read
			unread = append(unread, d.Span)
		}
	}
	return slices.DeleteFunc(list, func(d diag.Diagnostic) bool {
		return d.Code != diag.StrategyInvalidYAML && d.Source == doc.Source && slices.ContainsFunc(unread, func(s diag.Span) bool {
			inside := d.Span.Start >= s.Start && d.Span.Start < max(s.End, s.Start+1)
			around := d.Span.Start <= s.Start && s.End <= d.Span.End && d.Span.End > d.Span.Start
			return inside || around
		})
	})
}

// trimBody removes blank lines around the prompt; the indentation of its first
// line stays.
func trimBody(body string) string {
	for {
		line, rest, more := strings.Cut(body, "\n")
		if !more || strings.TrimSpace(line) != "" {
			break
		}
		body = rest
	}
	return strings.TrimRight(body, " \t\r\n")
}
