package schema

import (
	"regexp"
	"strings"

	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/plan"
	"github.com/pertain-dev/pertain/strategy"
)

// durationForm is a positive decimal number followed by ms or s.
const durationForm = `^[0-9]*\.?[0-9]+(ms|s)$`

func strategySchema() object {
	known := strategyFields()
	properties := object{}
	for _, name := range strategy.FieldNames() {
		properties[name] = known[name]
	}
	return object{
		"title":       "Frontmatter of a strategy",
		"description": "NAME.strategy.md or FOLDER/STRATEGY.md: when a prompt is recommended, and what it is made of. The prompt is the text below.",
		"type":        "object",
		"properties":  properties, // unknown fields are ignored, with a warning
		"$defs":       conditionDefs(),
	}
}

func strategyFields() object {
	timeouts := object{}
	for _, name := range []string{"matchingTimeout", "conditionTimeout", "regexTimeout", "visualQueryTimeout", "extraTimeout"} {
		timeouts[name] = object{"type": "string", "pattern": durationForm, "description": "a time limit, such as 300ms or 1.5s"}
	}
	source := object{
		"type": "object", "required": []string{"source"}, "additionalProperties": false,
		"properties": object{"source": typed("string"), "kind": object{"enum": []string{"auto", "skill", "strategy", "markdown", "url"}}},
	}
	title := object{"anyOf": []object{
		typed("string"), typed("null"),
		{"type": "object", "minProperties": 1, "propertyNames": object{"pattern": `^[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8})*$`}, "additionalProperties": object{"type": "string", "minLength": 1}},
	}}
	return object{
		"schema":        object{"const": "everywhere.strategy/v1", "description": "the version of the format"},
		"id":            object{"type": "string", "description": "stable id; without one it is derived from the path"},
		"from":          object{"anyOf": []object{typed("string"), typed("null"), source}, "description": "one source to begin with: a file, or skill://ID; fields that stand here replace its own"},
		"enabled":       typed("boolean").describe("false: loaded, never recommended"),
		"name":          typed("string").describe("what people see; the order goes by it"),
		"title":         title.describe("shown instead of the name: a text, or texts by language tag"),
		"description":   oneOf("string", "null").describe("the line below the name"),
		"icon":          oneOf("string", "null").describe("a Lucide name, such as FileText"),
		"priority":      typed("integer").describe("higher comes earlier; 0 without one"),
		"when":          reference("condition").describe("when the strategy is recommended; always without it"),
		"tools":         object{"type": []string{"object", "null"}, "additionalProperties": typed("boolean"), "description": "tools that may be used, by pattern"},
		"preprocessors": listOf(object{"enum": plan.Preprocessors().IDs()}).describe("what runs before the prompt is made, in this order"),
		"systemPrompt":  oneOf("string", "null").describe("the system prompt for this request, with placeholders"),
		"options":       strict(timeouts).describe("time limits of matching"),
	}
}

// conditionDefs are conditions, and the operators below paths.
func conditionDefs() object {
	conditions := listOf(reference("condition"))
	properties := object{
		"all":           conditions.describe("all of them hold"),
		"any":           object{"type": "array", "items": reference("condition"), "description": "one of them holds"},
		"none":          object{"type": "array", "items": reference("condition"), "description": "none of them holds"},
		"not":           reference("condition").describe("it does not hold; unknown stays unknown"),
		"visual":        typed("object").describe("visual conditions as nested maps"),
		"visual.exists": visualCondition().describe("an element is visible that the query selects"),
		"visual.count":  visualCondition().describe("how many elements the query selects"),
		"visual.match":  visualCondition().describe("an attribute that the query selects meets the operators"),
	}
	roots := make([]string, 0, len(facts.Roots()))
	for _, root := range facts.Roots() {
		roots = append(roots, regexp.QuoteMeta(root))
		if properties[root] == nil {
			properties[root] = typed("object").describe("paths as nested maps")
		}
	}
	for _, p := range facts.Paths() {
		if p.Kind != facts.Object {
			properties[p.Name] = reference("operators").describe(p.Doc)
		}
	}
	return object{
		"condition": object{"anyOf": []object{
			typed("boolean"),
			{
				"type": "object", "minProperties": 1, "properties": properties, "additionalProperties": false,
				"patternProperties": object{`^(` + strings.Join(roots, "|") + `)\.`: object{}}, // keys that join path and operator
			},
		}},
		"operators": operatorsDef(),
		"range": object{
			"type": "object", "minProperties": 1, "additionalProperties": false,
			"properties": object{"min": typed("number"), "max": typed("number"), "equals": typed("number")},
		},
		"scalar":  oneOf("string", "number", "boolean"),
		"scalars": listOf(reference("scalar")),
	}
}

func visualCondition() object {
	properties := operatorProperties()
	properties["query"] = typed("string").describe("what to look for, such as //Button[@name='Save']")
	return object{"type": "object", "properties": properties, "required": []string{"query"}, "additionalProperties": false, "patternProperties": joinedOperators()}
}

func operatorsDef() object {
	return object{
		"type": "object", "minProperties": 1, "properties": operatorProperties(), "additionalProperties": false, "patternProperties": joinedOperators(),
		"description": "all of them must hold",
	}
}

// joinedOperators are keys such as not.equals and any.path.glob.
func joinedOperators() object { return object{`^(any|all|none|not|length|count)\.`: object{}} }

// operatorProperties are what may stand below a path, from the table of operators.
func operatorProperties() object {
	item := func(text string) object { return object{"type": "object", "minProperties": 1, "description": text} }
	known := object{
		"equals":        reference("scalar").describe("is this value"),
		"in":            reference("scalars").describe("is one of these"),
		"contains":      reference("scalar").describe("a string has this part, an array this item"),
		"containsAny":   reference("scalars").describe("a string has one of these parts, an array one of these items"),
		"containsAll":   reference("scalars").describe("a string has all these parts, an array all these items"),
		"startsWith":    typed("string").describe("begins with this"),
		"endsWith":      typed("string").describe("ends with this"),
		"regex":         typed("string").describe("a regular expression of .NET matches somewhere"),
		"glob":          typed("string").describe("* any characters, ? one, [abc] one of these, {a,b} alternatives"),
		"min":           typed("number").describe("a number is at least this"),
		"max":           typed("number").describe("a number is at most this"),
		"length":        reference("range").describe("number of characters of a string"),
		"count":         reference("range").describe("number of items of an array"),
		"any":           item("some item meets this"),
		"all":           item("there are items, and all meet this"),
		"none":          item("no item meets this"),
		"not":           reference("operators").describe("not all of these hold; unknown stays unknown"),
		"caseSensitive": typed("boolean").describe("whether case counts; it does not without this"),
	}
	properties := object{}
	for _, name := range cond.OperatorNames() {
		properties[name] = known[name]
	}
	return properties
}
