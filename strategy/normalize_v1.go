package strategy

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/facts"
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

// checker reads fields and collects what is wrong with them.
type checker struct {
	list        diag.List
	source      *diag.Source   // the strategy's own file
	from        *document.Node // its `from`, to be named beside mistakes in the source
	included    *sourceFile    // what that names; nil: nothing, or nothing of use
	nameUnknown bool           // the source that may give a name could not be read
}

// addFrom adds diagnostics; those in the included file also name the including
// place.
func (c *checker) addFrom(problems diag.List) {
	for _, d := range problems {
		c.add(d)
	}
}

func (c *checker) add(d diag.Diagnostic) {
	if c.from != nil && d.Source != c.source {
		d = includedFrom(d, c.from)
	}
	c.list.Add(d)
}

// condition is `when` in its three forms.
type condition struct {
	expr    *cond.Expr
	needs   facts.Needs
	program *cond.Program
}

func (c *checker) when(node *document.Node) condition {
	expr, problems := cond.Parse(node)
	c.addFrom(problems)
	program, problems := cond.Compile(expr) // also where parts are wrong: it checks the rest
	c.addFrom(problems)
	return condition{expr, expr.Needs(), program}
}

func (c *checker) wrongType(node *document.Node, field, want, hint string) {
	c.add(diag.At(node.Source(), node.Span(), diag.StrategyInvalidField, "`%s` must be %s, not %s", field, want, node.Kind).
		WithHint("%s", hint))
}

func (c *checker) schema(node *document.Node) bool {
	switch {
	case node == nil:
		return true
	case node.Kind != document.String:
		c.wrongType(node, "schema", "a string", "write `schema: "+schemaV1+"`")
		return true
	case node.Text != schemaV1:
		c.add(diag.At(node.Source(), node.Span(), diag.StrategyUnsupportedSchema, "the schema `%s` is not supported", node.Text).
			WithHint("write `%s`", schemaV1))
		return false
	}
	return true
}

func (c *checker) bool(node *document.Node, field string, otherwise bool) bool {
	if node == nil {
		return otherwise
	}
	value, ok := node.Bool()
	if !ok {
		hint := "write `" + field + ": true` or `" + field + ": false`, without quotes"
		if document.IsOldFlag(node) {
			hint = document.FlagHint(node)
		}
		c.wrongType(node, field, "true or false", hint)
		return otherwise
	}
	return value
}

func (c *checker) int(node *document.Node, field string) int {
	if node == nil {
		return 0
	}
	value, ok := node.Int()
	whole := node.Kind == document.Int || node.Kind == document.Float && strings.Trim(node.Text, "+-_0123456789") == "" // past 64 bits YAML calls it a float
	switch {
	case whole && (!ok || value > math.MaxInt32 || value < math.MinInt32):
		c.add(diag.At(node.Source(), node.Span(), diag.StrategyInvalidField, "`%s` is too large", field).
			WithHint("write a number between %d and %d", math.MinInt32, math.MaxInt32))
		return 0
	case !ok:
		c.wrongType(node, field, "a whole number", "write `"+field+": 10`, without quotes or a fraction")
		return 0
	}
	return int(value)
}

func (c *checker) text(node *document.Node, field string) string {
	if node == nil || node.Kind == document.Null {
		return ""
	}
	if node.Kind != document.String {
		hint := "put the text in quotes"
		if !node.IsScalar() {
			hint = "write one text"
		}
		c.wrongType(node, field, "a string", hint)
		return ""
	}
	return node.Text
}

func (c *checker) name(def *definitionV1) string {
	if def.Name == nil && def.fallbackName != "" {
		return def.fallbackName
	}
	if def.Name != nil && def.Name.Kind != document.String {
		c.text(def.Name, "name")
		return ""
	}
	if def.Name != nil && strings.TrimSpace(def.Name.Text) != "" {
		return def.Name.Text
	}
	if c.nameUnknown || c.reported("name") {
		return ""
	}
	d := diag.At(c.source, diag.Span{}, diag.StrategyMissingName, "the strategy has no name").WithHint("add `name: \"…\"`")
	if def.Name != nil {
		d.Span, d.Source = def.Name.Span(), def.Name.Source()
	}
	c.add(d)
	return ""
}

// reported tells whether the field was found to be empty already.
func (c *checker) reported(field string) bool {
	for _, d := range c.list {
		if d.Code == diag.StrategyInvalidField && strings.HasPrefix(d.Message, "`"+field+"`") {
			return true
		}
	}
	return false
}

func (c *checker) icon(node *document.Node) string {
	name := c.text(node, "icon")
	if name == "" {
		return ""
	}
	icon, ok := icon(name)
	if !ok {
		d := diag.At(node.Source(), node.Span(), diag.StrategyUnknownIcon, "there is no icon `%s`; `%s` is shown", name, defaultIcon)
		d.Hint = nearestIcon(name)
		c.add(d)
		return defaultIcon
	}
	return icon
}

func (c *checker) preprocessors(node *document.Node, registry Preprocessors) []string {
	if node == nil {
		return nil
	}
	if node.Kind != document.Sequence {
		hint := "write a list of ids"
		if node.Kind == document.String {
			hint = "write `preprocessors: [" + node.Text + "]`"
		}
		c.wrongType(node, "preprocessors", "a list of strings", hint)
		return nil
	}
	var ids []string
	for _, item := range node.Items {
		if item.Kind != document.String {
			c.wrongType(item, "preprocessors", "a list of strings; an item is wrong: it must be a string", "name a preprocessor")
			continue
		}
		if registry != nil && !registry.Has(item.Text) {
			d := diag.At(item.Source(), item.Span(), diag.StrategyUnknownPreprocessor, "there is no preprocessor `%s`", item.Text)
			d.Hint = diag.DidYouMean(item.Text, registry.IDs())
			if d.Hint == "" {
				d.Hint = "the preprocessors are " + strings.Join(registry.IDs(), ", ")
			}
			c.add(d)
			continue
		}
		ids = append(ids, item.Text)
	}
	return slices.Clip(ids) // strategies may share it
}
