package lsp

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/pertain-dev/pertain/docs/reference"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/schema"
	"github.com/pertain-dev/pertain/internal/settings"
	"github.com/pertain-dev/pertain/internal/visual"
	"github.com/pertain-dev/pertain/plan"
)

// explain is what the reference says about a name, as Markdown, or else what the tables
// do; empty: nothing.
func explain(topic, name string) string {
	if text, ok := reference.Entry(topic, name); ok {
		return text
	}
	return about(topic, name)
}

// about is what is known about a name in a few words, by its topic: that of the page
// that is about such names.
func about(topic, name string) string {
	switch topic {
	case "paths":
		if p, ok := facts.Find(name); ok {
			return p.Row().Doc
		}
	case "operators":
		return described("strategy", "$defs", "operators", "properties", name)
	case "conditions":
		return described("strategy", "$defs", "condition", "anyOf", "properties", name)
	case "strategies":
		return described("strategy", "properties", name)
	case "rules":
		return described("rule", "properties", name)
	case "settings":
		for _, row := range settings.Rows() {
			if row.Key == name {
				return row.Description
			}
		}
	case "visual":
		if strings.HasPrefix(name, facts.Visual+".") {
			return about("conditions", name)
		}
		for _, a := range visual.Attributes() {
			if "@"+a.String() == name {
				return a.Doc()
			}
		}
	case "preprocessors":
		if info, ok := plan.BuiltinInfo(name); ok {
			return info.Description
		}
	}
	return ""
}

// described is the description of a part of a schema.
func described(name string, path ...string) string {
	at := schemaOf(name)
	for _, key := range path {
		at = at.get(key)
	}
	return at.description()
}

// part is a part of a JSON Schema; nil: there is none.
type part map[string]any

// schemas are read once; they never change.
var schemas = sync.OnceValue(func() map[string]part {
	all := map[string]part{}
	for _, name := range schema.Names() {
		text, _ := schema.Of(name)
		var root part
		_ = json.Unmarshal(text, &root) // it was written by the same program
		all[name] = root
	}
	return all
})

func schemaOf(name string) part { return schemas()[name] }

// get is a part by its key; of alternatives the first that has one.
func (p part) get(key string) part {
	if list, ok := p[key].([]any); ok {
		for _, one := range list {
			if m, ok := one.(map[string]any); ok && m["properties"] != nil {
				return m
			}
		}
		return nil
	}
	m, _ := p[key].(map[string]any)
	return m
}

func (p part) description() string {
	text, _ := p["description"].(string)
	return text
}

// below is the part for the value of a key: definitions, alternatives and lists are
// looked through.
func (p part) below(root part, key string) part {
	for _, one := range p.all(root, 0) {
		if next := one.get("properties").get(key); next != nil {
			return next
		}
	}
	return nil
}

// all is a part with what it refers to, its alternatives and its items.
func (p part) all(root part, depth int) []part {
	if p == nil || depth > 4 {
		return nil
	}
	list := []part{p}
	if name, ok := p["$ref"].(string); ok {
		list = append(list, root.get("$defs").get(name[len("#/$defs/"):]).all(root, depth+1)...)
	}
	if items, ok := p["items"].(map[string]any); ok {
		list = append(list, part(items).all(root, depth+1)...)
	}
	alternatives, _ := p["anyOf"].([]any)
	for _, one := range alternatives {
		if m, ok := one.(map[string]any); ok {
			list = append(list, part(m).all(root, depth+1)...)
		}
	}
	return list
}

// names are the keys that a map may have here, sorted.
func (p part) names(root part) []string {
	var names []string
	for _, one := range p.all(root, 0) {
		for name := range one.get("properties") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// values are the values that may stand here, as far as they are few.
func (p part) values(root part) []string {
	var out []string
	add := func(v any) {
		switch v := v.(type) {
		case string:
			out = append(out, v)
		case bool:
			out = append(out, map[bool]string{true: "true", false: "false"}[v])
		}
	}
	for _, one := range p.all(root, 0) {
		add(one["const"])
		for _, key := range []string{"enum", "examples"} {
			list, _ := one[key].([]any)
			for _, v := range list {
				add(v)
			}
		}
		types, _ := one["type"].([]any)
		if one["type"] == "boolean" || slices.Contains(types, any("boolean")) {
			out = append(out, "true", "false")
		}
	}
	return out
}
