package schema_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"go.yaml.in/yaml/v4"

	"github.com/pertain-dev/pertain/internal/schema"
	"github.com/pertain-dev/pertain/internal/settings"
	"github.com/pertain-dev/pertain/strategy"
)

func resolved(t *testing.T, name string) *jsonschema.Resolved {
	t.Helper()
	text, ok := schema.Of(name)
	if !ok {
		t.Fatalf("there is no schema %s", name)
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	r, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// instance is YAML as JSON would read it.
func instance(t *testing.T, text string) any {
	t.Helper()
	var v any
	if err := yaml.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var out any
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestSchemas holds what each schema takes against what it refuses.
func TestSchemas(t *testing.T) {
	for name, rows := range map[string]map[string]bool{
		"strategy": {
			"name: x":             true,
			"name: x\nwhen: true": true,
			"name: x\nwhen: {all: [{clipboard.text: {contains: a}}, {not: {environment.os: {in: [linux]}}}]}": true,
			"name: x\nwhen: {attachments.files.any.path.glob: '*.md', environment: {os: {equals: linux}}}":    true,
			"name: x\nwhen: {'attachments.files[0].path': {not.equals: a, length: {min: 1}}}":                 true,
			"name: x\nwhen: {visual.count: {query: //Button, min: 1}}":                                        true,
			"title: {en: A, pt-BR: B}": true, "title: A": true, "description: null": true, "unknown: 5": true,
			"from: {source: ./a.md, kind: auto}": true, "options: {regexTimeout: 1.5s}": true, "preprocessors: [selected-text]": true,
			"tools: {builtin.web.*: true}":             true,
			"name: 5":                                  false,
			"priority: high":                           false,
			"enabled: 1":                               false,
			"when: 5":                                  false,
			"when: {}":                                 false,
			"when: {every: []}":                        false,
			"when: {all: true}":                        false,
			"when: {not: [true]}":                      false,
			"when: {clipboard.text: hello}":            false,
			"when: {clipboard.text: {contians: a}}":    false,
			"when: {clipboard.text: {equals: [a]}}":    false,
			"when: {clipboard.text: {containsAny: a}}": false,
			"when: {clipboard.text: {length: 5}}":      false,
			"when: {visual.exists: {}}":                false,
			"title: {}":                                false,
			"title: {en: 5}":                           false,
			"options: {regexTimeout: 5 minutes}":       false,
			"options: {regexTimout: 5s}":               false,
			"preprocessors: [selectd-text]":            false,
			"tools: {a: {b: true}}":                    false,
			"from: [a]":                                false,
			"schema: everywhere.strategy/v2":           false,
		},
		"rule": {
			"description: a\nglobs: ['*.ts', b]\nalwaysApply: false\nttsr_trigger: a+\nexamples: {match: [aa], no_match: b}": true,
			"interruptMode: prose-only": true, "interruptMode: null": true, "interruptMode: sometimes": false,
			"paths: [a]\ntrigger: always_on": true, "globs: 5": false, "alwaysApply: maybe": false, "examples: {matches: [a]}": false,
		},
		"settings": {
			"{}": true, "disabled: [builtin.x]\noptions: {matchingTimeout: 300ms}\nprivate: {defaults: false}": true, "options: null": true,
			"options: {matchingTimout: 1s}": false, "disabled: x": false, "private: {defaults: 5}": false, "colour: red": false,
		},
		"context": {
			"{}": true, "clipboard: {text: a, hasText: true, files: [{path: /a, extension: .a}]}": true, "environment: {os: null}": true,
			"visual: {roots: [{type: Button, children: [{type: Label, name: x, bounds: {x: 1}}]}]}": true,
			"activeProcess: {name: code, path: /usr/bin/code, id: 4711}":                            true,
			"unknown: 5": true, "clipboard: {text: 5}": false, "visual: {roots: [{name: x}]}": false, "activeProcess: {id: x}": false,
		},
	} {
		r := resolved(t, name)
		for text, fine := range rows {
			if err := r.Validate(instance(t, text)); (err == nil) != fine {
				t.Errorf("%s: %q: %v", name, text, err)
			}
		}
	}
	if _, ok := schema.Of("nothing"); ok {
		t.Error("there is a schema of nothing")
	}
}

// TestSchemasKnowEverything: every field and setting is described.
func TestSchemasKnowEverything(t *testing.T) {
	for _, name := range schema.Names() {
		text, _ := schema.Of(name)
		if strings.Contains(string(text), ": null,") && name != "settings" || strings.Contains(string(text), `"description": ""`) {
			t.Errorf("%s: something has no schema or description", name)
		}
	}
	var s struct {
		Properties map[string]struct{ Description string }
	}
	text, _ := schema.Of("strategy")
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	for _, name := range strategy.FieldNames() {
		if s.Properties[name].Description == "" {
			t.Errorf("%s is not described", name)
		}
	}
	for _, row := range settings.Rows() {
		if row.Description == "" {
			t.Errorf("%s is not described", row.Key)
		}
	}
}

// TestExamplesFit: the strategies in this repository are what the schema says.
func TestExamplesFit(t *testing.T) {
	r := resolved(t, "strategy")
	seen := 0
	for _, pattern := range []string{"../discover/strategyfile/builtin/*.strategy.md", "../../examples/strategies/*.strategy.md", "../cli/templates/strategy.md"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			_, rest, _ := strings.Cut(string(text), "---\n")
			front, _, _ := strings.Cut(rest, "\n---")
			seen++
			if err := r.Validate(instance(t, front)); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		}
	}
	if seen < 15 {
		t.Errorf("only %d files were looked at", seen)
	}
}
