package mcpserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/visible"
)

// readArguments reads the arguments of a tool. What is wrong is said in words: whoever
// reads it is a model that is to call again. A single text counts as a list of one, a
// list that is written as a text as a list, and null as nothing.
func readArguments(arguments json.RawMessage, schema *jsonschema.Schema, into any) error {
	known := slices.Sorted(func(yield func(string) bool) {
		for name := range schema.Properties {
			if !yield(name) {
				return
			}
		}
	})
	given := map[string]json.RawMessage{}
	if len(bytes.TrimSpace(arguments)) > 0 {
		if err := json.Unmarshal(arguments, &given); err != nil {
			return errors.New("the arguments must be a JSON object with " + listed(known))
		}
	}
	for _, name := range slices.Sorted(func(yield func(string) bool) {
		for name := range given {
			if !yield(name) {
				return
			}
		}
	}) {
		property := schema.Properties[name]
		switch {
		case property == nil:
			return unknownArgument(name, known)
		case kindOf(given[name]) == "null":
			delete(given, name)
			continue
		case property.Type == "array":
			given[name] = list(given[name])
		}
		if err := checkArgument(name, given[name], property); err != nil {
			return err
		}
	}
	for _, name := range schema.Required {
		if given[name] == nil {
			return fmt.Errorf("`%s` is missing: %s", name, schema.Properties[name].Description)
		}
	}
	whole, err := json.Marshal(given)
	if err == nil {
		err = json.Unmarshal(whole, into)
	}
	if err != nil {
		return errors.New("the arguments cannot be read; they are " + listed(known))
	}
	return nil
}

func unknownArgument(name string, known []string) error {
	shown := visible.Strip(shorten(name, 100))
	if near := diag.DidYouMean(name, known); near != "" {
		return fmt.Errorf("there is no argument `%s`; %s", shown, near)
	}
	return fmt.Errorf("there is no argument `%s`; there are %s", shown, listed(known))
}

// checkArgument says in words that a value has the wrong type.
func checkArgument(name string, value json.RawMessage, property *jsonschema.Schema) error {
	kind := kindOf(value)
	if kind != property.Type && !(property.Type == "object" && kind == "string") { // patches are such a text
		return fmt.Errorf("`%s` must be %s, not %s: %s", name, typeWords[property.Type], typeWords[kind], property.Description)
	}
	if property.Type != "array" || property.Items == nil || property.Items.Type == "" {
		return nil
	}
	var items []json.RawMessage
	if err := json.Unmarshal(value, &items); err != nil {
		return fmt.Errorf("`%s` must be %s: %s", name, typeWords["array"], property.Description)
	}
	for i, item := range items {
		if kind := kindOf(item); kind != property.Items.Type {
			return fmt.Errorf("`%s` must hold nothing but texts; number %d is %s", name, i+1, typeWords[kind])
		}
	}
	return nil
}

// typeWords are the types of JSON in words.
var typeWords = map[string]string{"string": "a text", "array": "a list of texts", "object": "an object", "number": "a number", "boolean": "true or false", "null": "null"}

// kindOf is the type of a JSON value.
func kindOf(value json.RawMessage) string {
	switch value = bytes.TrimSpace(value); {
	case len(value) == 0 || value[0] == 'n':
		return "null"
	case value[0] == '"':
		return "string"
	case value[0] == '[':
		return "array"
	case value[0] == '{':
		return "object"
	case value[0] == 't' || value[0] == 'f':
		return "boolean"
	}
	return "number"
}

// list makes a list of a text that stands where a list should, or that is one.
func list(value json.RawMessage) json.RawMessage {
	var text string
	if kindOf(value) != "string" || json.Unmarshal(value, &text) != nil {
		return value
	}
	var inside []string
	if strings.HasPrefix(strings.TrimSpace(text), "[") && json.Unmarshal([]byte(text), &inside) == nil {
		return json.RawMessage(strings.TrimSpace(text))
	}
	return slices.Concat(json.RawMessage("["), value, json.RawMessage("]"))
}

func listed(names []string) string { return "`" + strings.Join(names, "`, `") + "`" }
