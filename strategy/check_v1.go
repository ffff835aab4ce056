package strategy

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/facts"
)

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

func (c *checker) wrongType(node *document.Node, field, want, hint string) {
	c.add(diag.At(node.Source(), node.Span(), diag.StrategyInvalidField, "`%s` must be %s, not %s", field, want, node.Kind).
		WithHint("%s", hint))
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
	hints := map[string]string{} // a stranger's list may name the same one many times
	for _, item := range node.Items {
		if item.Kind != document.String {
			c.wrongType(item, "preprocessors", "a list of strings; an item is wrong: it must be a string", "name a preprocessor")
			continue
		}
		if registry != nil && !registry.Has(item.Text) {
			d := diag.At(item.Source(), item.Span(), diag.StrategyUnknownPreprocessor, "there is no preprocessor `%s`", item.Text)
			if hints[item.Text] == "" {
				known := registry.IDs()
				hints[item.Text] = cmp.Or(diag.DidYouMean(item.Text, known), "the preprocessors are "+strings.Join(known, ", "))
			}
			d.Hint = hints[item.Text]
			c.add(d)
			continue
		}
		ids = append(ids, item.Text)
	}
	return slices.Clip(ids) // strategies may share it
}
