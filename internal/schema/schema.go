// Package schema describes Pertain's files as JSON Schemas (2020-12), made from the
// same tables that read them. Begin with [Of].
//
// A schema takes every file that Pertain takes. What it refuses is refused; what
// it cannot say, such as whether a regular expression is one, `pertain lint` does.
package schema

import (
	"bytes"
	"encoding/json"
)

// Names are the schemas, in the order of the documentation.
func Names() []string { return []string{"strategy", "rule", "settings", "context"} }

// Of writes a schema; ok is false for a name that has none.
func Of(name string) (text []byte, ok bool) {
	build := map[string]func() object{"strategy": strategySchema, "rule": ruleSchema, "settings": settingsSchema, "context": contextSchema}[name]
	if build == nil {
		return nil, false
	}
	s := build()
	s["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	s["$id"] = "https://pertain.dev/schema/" + name + ".json"
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(s); err != nil {
		return nil, false // maps, lists and texts can always be written
	}
	return b.Bytes(), true
}

// object is a part of a schema. Its keys are written in byte order.
type object map[string]any

func (o object) describe(text string) object {
	o["description"] = text
	return o
}

func typed(name string) object { return object{"type": name} }

// oneOf takes a value of some types, such as string and null.
func oneOf(types ...string) object { return object{"type": types} }

func listOf(items object) object { return object{"type": "array", "items": items} }

func textOrTexts() object {
	return object{"anyOf": []object{typed("string"), listOf(typed("string"))}}
}

func reference(name string) object { return object{"$ref": "#/$defs/" + name} }

// strict is an object with these properties and no others.
func strict(properties object) object {
	return object{"type": "object", "properties": properties, "additionalProperties": false}
}
