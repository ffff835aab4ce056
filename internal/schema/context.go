package schema

import (
	"strings"

	"github.com/pertain-dev/pertain/facts"
)

// contextSchema is a context snapshot. Every part may be left out or null; keys that
// no schema knows are ignored, and a value of another kind is taken as it is.
func contextSchema() object {
	root := object{"type": "object", "properties": object{}, "title": "Context of Pertain", "description": "What --context reads. What is left out, or null, is not available."}
	for _, p := range facts.Paths() {
		if p.Kind != facts.Object && !strings.Contains(p.Name, "[]") {
			putField(root, strings.Split(p.Name, "."), valueSchema(p))
		}
	}
	putField(root, []string{facts.Visual, "roots"}, listOf(reference("element")).describe("visible windows"))
	putField(root, []string{facts.Visual, "partial"}, typed("boolean").describe("elements are missing in the tree"))
	types := facts.ElementTypes()
	root["$defs"] = object{"element": object{
		"type": "object", "required": []string{"type"},
		"properties": object{
			"id":       typed("string"),
			"type":     object{"anyOf": []object{{"enum": types}, typed("string")}, "description": "what it is; other types count as Unknown"},
			"name":     oneOf("string", "null"),
			"text":     oneOf("string", "null").describe("null: it was not read, and may be there"),
			"process":  oneOf("string", "null").describe("name of its program; without one that of the element around it"),
			"states":   object{"type": []string{"array", "null"}, "items": object{"enum": []string{"focused", "selected", "disabled", "readonly", "offscreen", "password"}}},
			"bounds":   object{"type": []string{"object", "null"}, "properties": object{"x": oneOf("number", "null"), "y": oneOf("number", "null"), "width": oneOf("number", "null"), "height": oneOf("number", "null")}},
			"cut":      oneOf("boolean", "null").describe("not all children are here"),
			"children": object{"type": []string{"array", "null"}, "items": reference("element")},
		},
	}}
	return root
}

// putField puts a value into nested objects.
func putField(at object, names []string, value object) {
	for _, name := range names[:len(names)-1] {
		properties := at["properties"].(object)
		if properties[name] == nil {
			properties[name] = object{"type": []string{"object", "null"}, "properties": object{}}
		}
		at = properties[name].(object)
	}
	at["properties"].(object)[names[len(names)-1]] = value
}

// valueSchema is the value at a path, or null.
func valueSchema(p *facts.Path) object {
	s := kindSchema(p.Kind)
	if p.Kind == facts.Array {
		item := kindSchema(p.Item)
		if p.Item == facts.Object {
			fields := object{}
			for _, name := range p.ItemFields() {
				field, _ := p.ItemField(name)
				fields[name] = kindSchema(field.Item).describe(field.Doc)
				if field.Of != nil {
					fields[name].(object)["examples"] = field.Of
				}
			}
			item["properties"] = fields
		}
		s["items"] = item
	}
	if p.Of != nil {
		s["examples"] = p.Of
	}
	return s.describe(p.Doc)
}

func kindSchema(kind facts.Kind) object {
	switch kind {
	case facts.String:
		return oneOf("string", "null")
	case facts.Number:
		return oneOf("number", "null")
	case facts.Bool:
		return oneOf("boolean", "null")
	case facts.Array:
		return oneOf("array", "null")
	}
	return oneOf("object", "null")
}
