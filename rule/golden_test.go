package rule_test

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/goldentest"
	"github.com/pertain-dev/pertain/rule"
)

var update = flag.Bool("update", false, "rewrite golden files")

// formats are those of the golden files: together they have each way in which tools differ.
var formats = map[string]*rule.Format{
	"native": native,
	"cursor": {
		Tool: "Cursor", GlobKeys: []string{"globs"}, ModeKey: "alwaysApply", DropFalse: true, Unquoted: true, MaxLines: 12, AlwaysIn: "Cursor CLI",
		Contested: func(r *rule.Rule) string {
			if r.Description == nil {
				return ""
			}
			return "its description may count as well"
		},
	},
	"windsurf": {
		Tool: "Windsurf", GlobKeys: []string{"globs"}, ModeKey: "trigger", Keys: []string{"alwaysApply"}, BaseName: true, MaxCharacters: 120, LimitBy: "Cascade",
		Activate: func(f *rule.Fields) rule.Activation {
			switch f.Word("trigger", "always_on", "glob", "model_decision", "manual") {
			case "always_on":
				return rule.AlwaysActive
			case "model_decision":
				return rule.OnDescription
			case "manual":
				return rule.Manual
			}
			return rule.ByFields
		},
	},
	"claude": {
		Tool: "Claude Code", GlobKeys: []string{"paths", "globs"}, Gitignore: true, MaxBytes: 160,
		Activate: func(f *rule.Fields) rule.Activation {
			switch {
			case f.IsEmptyList("paths"):
				return rule.Never
			case f.Readable() && !f.Has("paths"):
				return rule.AlwaysActive
			}
			return rule.ByFields
		},
	},
	"copilot": {
		Tool: "Copilot", GlobKeys: []string{"applyTo"}, Keys: []string{"excludeAgent", "name"}, BaseName: true, TakesBroken: true, Unquoted: true,
		Alone: true, Unrooted: true, SplitItems: true,
	},
	"kiro":     {Tool: "Kiro", GlobKeys: []string{"fileMatchPattern"}, ModeKey: "inclusion", OnePattern: true, Overrides: true},
	"exact":    {Tool: "Exact", GlobKeys: []string{"globs"}, OnePattern: true, Exact: true, QuoteIsLost: true, BlankIsText: true},
	"exacts":   {Tool: "Exacts", GlobKeys: []string{"globs"}, Exact: true},
	"pico":     {Tool: "Pico", GlobKeys: []string{"globs"}, Extglobs: true, Picomatch: true, Negation: true},
	"mini":     {Tool: "Mini", GlobKeys: []string{"globs"}, Extglobs: true, Minimatch: true, Negation: true, Overrides: true},
	"cline":    {Tool: "Cline", GlobKeys: []string{"paths"}, Keys: []string{"alwaysApply"}},
	"place":    {Tool: "Place", Keys: []string{"summary"}},
	"whole":    {Tool: "Whole", Whole: true},
	"memory":   {Tool: "Memory", Memory: true, GlobKeys: []string{"globs"}},
	"anything": {Tool: "Any", GlobKeys: []string{"globs"}, Documented: rule.Normalization{AnyGlobs: true, AnyDescription: true, AnyTrigger: true, AnyAlways: true}},
	"truth":    {Tool: "Truth", GlobKeys: []string{"globs"}, Documented: rule.Normalization{TrueAlways: true}},
}

// originOf reads what stands after a format in a golden file.
func originOf(words []string, name string) rule.Origin {
	o := rule.Origin{Provider: words[0], Level: rule.Project, Name: name, Base: "/w"}
	for _, w := range words[1:] {
		key, value, _ := strings.Cut(w, "=")
		switch key {
		case "documented":
			o.Documented = true
		case "user":
			o.Level = rule.User
		case "always":
			o.Always = true
		case "manual":
			o.Manual = true
		case "loose":
			o.Loose = true
		case "nested":
			o.Nested, o.Folder, o.Base, o.Within = true, value, "/w/"+value, "/w/"+value
		case "folder":
			o.Chained, o.Folder, o.Base = true, value, "/w/"+value
		case "chained":
			o.Chained = true
		case "within":
			o.Within = value
		case "base":
			o.Base = value
		case "prefix":
			o.Prefix = value
		default:
			panic("no such word: " + w)
		}
	}
	return o
}

// TestReadGolden: documents and what each format makes of them.
func TestReadGolden(t *testing.T) {
	goldentest.Run(t, "testdata/read.golden", *update, func(t *testing.T, c goldentest.Case) string {
		words := c.Words
		format := formats[words[0]]
		if format == nil {
			t.Fatalf("%s: no such format", c.Head)
		}
		text := strings.NewReplacer("<CR>", "\r", "<BOM>", "\uFEFF", "<BS>", "\b", "<NUL>", "\x00", "<DEL>", "\x7f", "<ZWSP>", "\u200b").Replace(c.Text)
		r, list := rule.Read(diag.NewSource("/w/a.md", text), originOf(words, "a"), format)
		var b strings.Builder
		if r != nil {
			describe(&b, r)
		}
		goldentest.Tell(&b, "", list)
		if r != nil {
			goldentest.Tell(&b, "check: ", rule.Check(r))
		}
		return b.String()
	})
}

// describe writes a rule: its JSON, and what is not in it unless it is usual.
func describe(b *strings.Builder, r *rule.Rule) {
	data, err := r.MarshalJSON()
	if err != nil {
		panic(err)
	}
	fmt.Fprintf(b, "%s\n", data)
	line := func(name string, unusual bool, value any) {
		if unusual {
			fmt.Fprintf(b, "%s: %q\n", name, value)
		}
	}
	line("content", r.Content != "Body", r.Content)
	line("scope", r.Scope != nil, r.Scope)
	line("activation", r.Activation != rule.ByFields, fmt.Sprint(r.Activation))
	line("lost", r.Lost, "yes")
	line("documented", r.Documented(), "yes")
	for _, e := range r.Examples.Match {
		line("match", true, e.Text+" at "+r.Source.Text()[e.Span.Start:e.Span.End])
	}
	for _, e := range r.Examples.NoMatch {
		line("no match", true, e.Text+" at "+r.Source.Text()[e.Span.Start:e.Span.End])
	}
	for _, fix := range r.Fixes {
		fmt.Fprintf(b, "fix: %q → %q: %s\n", r.Source.Text()[fix.Span.Start:fix.Span.End], fix.Text, fix.Why)
	}
	if globs, extended := r.ProjectGlobs("/w"); globs != nil {
		line("project", true, globs)
		line("extended", extended, "yes")
	}
}
