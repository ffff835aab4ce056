package strategy

import (
	"slices"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
)

// schemaV1 is the one schema that is known.
const schemaV1 = "everywhere.strategy/v1"

// definitionV1 is a file of schema v1 as it was written: nil fields are absent.
// The nodes keep their own source, so a merged definition still knows which
// file each field came from.
type definitionV1 struct {
	Schema        *document.Node
	ID            *document.Node
	From          *document.Node
	Enabled       *document.Node
	Name          *document.Node
	Title         *document.Node
	Description   *document.Node
	Icon          *document.Node
	Priority      *document.Node
	When          *document.Node
	Tools         *document.Node
	Preprocessors *document.Node
	SystemPrompt  *document.Node
	Options       *document.Node

	Body    string
	HasBody bool

	fallbackName string // of a skill: its name, heading or folder, where the strategy has none
}

// fieldV1 is a row of the table of top-level fields.
type fieldV1 struct {
	name     string
	of       func(*definitionV1) **document.Node
	nullable bool // an explicit null means none
	own      bool // never inherited through `from`
}

// fieldsV1 is the one table of top-level fields (docs/reference/strategies.md, docs/reference/conditions.md).
var fieldsV1 = []fieldV1{
	{name: "schema", of: func(d *definitionV1) **document.Node { return &d.Schema }},
	{name: "id", of: func(d *definitionV1) **document.Node { return &d.ID }, own: true},
	{name: "from", of: func(d *definitionV1) **document.Node { return &d.From }, nullable: true, own: true},
	{name: "enabled", of: func(d *definitionV1) **document.Node { return &d.Enabled }},
	{name: "name", of: func(d *definitionV1) **document.Node { return &d.Name }},
	{name: "title", of: func(d *definitionV1) **document.Node { return &d.Title }, nullable: true},
	{name: "description", of: func(d *definitionV1) **document.Node { return &d.Description }, nullable: true},
	{name: "icon", of: func(d *definitionV1) **document.Node { return &d.Icon }, nullable: true},
	{name: "priority", of: func(d *definitionV1) **document.Node { return &d.Priority }},
	{name: "when", of: func(d *definitionV1) **document.Node { return &d.When }},
	{name: "tools", of: func(d *definitionV1) **document.Node { return &d.Tools }, nullable: true},
	{name: "preprocessors", of: func(d *definitionV1) **document.Node { return &d.Preprocessors }},
	{name: "systemPrompt", of: func(d *definitionV1) **document.Node { return &d.SystemPrompt }, nullable: true},
	{name: "options", of: func(d *definitionV1) **document.Node { return &d.Options }},
}

// FieldNames are the top-level fields of schema v1, in their order.
func FieldNames() []string {
	names := make([]string, len(fieldsV1))
	for i, f := range fieldsV1 {
		names[i] = f.name
	}
	return names
}

// parseV1 sorts the frontmatter into a definition; unknown fields are reported.
func parseV1(doc *document.Document) (*definitionV1, diag.List) {
	def := &definitionV1{Body: doc.Body, HasBody: doc.HasBody}
	var list diag.List
	if doc.Frontmatter == nil {
		return def, nil
	}
	unknown := 0
	for _, e := range doc.Frontmatter.Entries {
		at := slices.IndexFunc(fieldsV1, func(f fieldV1) bool { return f.name == e.Key.Text })
		if at < 0 {
			if unknown++; unknown <= diag.MaxPerFile { // more are not listed anyway
				list.Add(unknownField(e.Key))
			}
			continue
		}
		field := fieldsV1[at]
		if e.Value.Kind == document.Null && !field.nullable {
			d := diag.At(doc.Source, e.Key.Span(), diag.StrategyInvalidField, "`%s` has no value", field.name).
				WithHint("write a value, or remove the field")
			list.Add(d)
			continue
		}
		*field.of(def) = e.Value
	}
	if rest := unknown - diag.MaxPerFile; rest > 0 {
		list.Add(diag.At(doc.Source, diag.NoSpan, diag.StrategyUnknownField, "").Standing(rest))
	}
	return def, list
}

func unknownField(key *document.Node) diag.Diagnostic {
	d := diag.At(key.Source(), key.Span(), diag.StrategyUnknownField, "there is no field `%s`; it is ignored", key.Text)
	switch key.Text {
	case "body", "prompt":
		return d.WithHint("the prompt is the text below the frontmatter")
	case "requires":
		return d.WithHint("what a strategy reads follows from `when`; remove the field")
	}
	d.Hint = diag.DidYouMean(key.Text, FieldNames())
	return d
}

// over lays this definition over a source's: a field that is present here, also
// as an explicit null, replaces the source's whole (docs/reference/skills.md), the body too.
func (d *definitionV1) over(source *definitionV1) *definitionV1 {
	merged := *d
	for _, f := range fieldsV1 {
		if own := f.of(&merged); *own == nil && !f.own {
			*own = *f.of(source)
		}
	}
	merged.fallbackName = source.fallbackName
	if !d.HasBody {
		merged.Body, merged.HasBody = source.Body, source.HasBody
	}
	return &merged
}
