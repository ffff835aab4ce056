package lsp

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/cases"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/follow"
	"github.com/pertain-dev/pertain/internal/preprocess"
	"github.com/pertain-dev/pertain/internal/settings"
	"github.com/pertain-dev/pertain/strategy"
)

// failedCases are the cases of a test file that fail, where they stand, as `pertain
// test` tells it.
func (s *server) failedCases(ctx context.Context, b *buffer) (diag.List, error) {
	tree := follow.Noted(ctx, files.OS())
	flavor := tree.Flavor()
	folder := flavor.Dir(b.path)
	within := settings.WorkspaceAround(tree, folder)
	bounds := files.Below(tree, folder)
	if within != "" {
		bounds = files.Below(tree, within)
	}
	budget, registry := cases.NewStrangerBudget(), preprocess.RegistryForStrangers(cmp.Or(within, folder), b.folder.lint.Rules.Home)
	trusted, err := settings.Trust{Path: b.folder.trust}.Trusted(cmp.Or(within, folder))
	if err == nil && trusted {
		budget = cases.NewBudget()
	}
	isOwn := func(own string) bool { return flavor.Inside(own, b.path) }
	if err == nil && trusted || slices.ContainsFunc(b.folder.lint.Strategies.User, isOwn) {
		registry = preprocess.RegistryWithin(within)
	}
	results, err := cases.Read(b.path, []byte(b.text.string)).Run(ctx, cases.World{
		Budget:        budget,
		Preprocessors: registry,
		Find:          func(ctx context.Context, id string) (*strategy.Strategy, error) { return s.tested(ctx, b, id) },
		Open: func(path string) ([]byte, error) {
			if !flavor.IsAbs(path) {
				path = flavor.Join(folder, path)
			}
			return cases.OpenContext(tree, path, bounds)
		},
	})
	if err != nil {
		return nil, err
	}
	source := diag.NewSource(b.path, b.text.string[b.text.mark():])
	var list diag.List
	for _, r := range results {
		if r.Passed {
			continue
		}
		span := diag.NoSpan
		if r.Line > 0 {
			span.Start = source.Offset(diag.Position{Line: r.Line, Column: 1})
			span.End = span.Start + len(source.Line(r.Line))
		}
		list.Add(diag.Diagnostic{Message: diag.Sentence("%s", r.Message), Source: source, Span: span})
	}
	return list.Limit(), nil
}

// tested is the strategy that a test file is about.
func (s *server) tested(ctx context.Context, b *buffer, id string) (*strategy.Strategy, error) {
	if id == "" {
		path, ok := cases.StrategyOf(b.path)
		if !ok {
			return nil, errors.New("the file is not called after a strategy")
		}
		read, err := b.folder.lint.Read(ctx, []string{path})
		if err != nil || len(read.Strategies) != 1 {
			return nil, errors.New("there is no strategy file beside it")
		}
		return read.Strategies[0], nil
	}
	for _, one := range s.strategies(ctx, b) {
		if strategy.Key(one.ID) == strategy.Key(id) {
			return one, nil
		}
	}
	return nil, errors.New("there is no strategy `" + diag.Short(id) + "`")
}

// caseWords are those for a test file.
func (s *server) caseWords(ctx context.Context, b *buffer, c cursor) []word {
	var words []word
	at := slices.IndexFunc(c.keys, func(key string) bool { return key == "context" })
	switch {
	case c.key == "strategy" && len(c.keys) == 0:
		for _, one := range s.strategies(s.overlaid(ctx), b) {
			words = append(words, word{label: one.ID, kind: aValue, detail: one.Name})
		}
	case at >= 0: // a context, in the file or in a case
		c.keys = c.keys[at+1:]
		return schemaWords(schemaOf("context"), "paths", c)
	case c.key == "result":
		for _, v := range []string{"true", "false", "null"} {
			words = append(words, word{label: v, kind: aChoice})
		}
	case c.key == "fails", c.item && c.parent() == "diagnostics":
		for _, code := range diag.Codes() {
			words = append(words, word{label: string(code.Code), kind: aValue, topic: "diagnostics"})
		}
	case c.key == "" && len(c.keys) == 0:
		words = named("strategy", "context", "cases")
	case c.key == "" && slices.Equal(c.keys, []string{"cases"}):
		words = named("name", "context", "selection", "text", "attach", "input", "result", "prompt", "systemPrompt", "diagnostics", "fails")
		if c.item {
			for i := range words {
				words[i].insert = words[i].label + ": "
			}
		}
	case c.key == "" && (c.parent() == "prompt" || c.parent() == "systemPrompt"):
		words = named("contains", "lacks", "equals")
	}
	return words
}

// named are keys that need no explanation.
func named(keys ...string) []word {
	words := make([]word, 0, len(keys))
	for _, key := range keys {
		words = append(words, word{label: key, kind: aField})
	}
	return words
}
