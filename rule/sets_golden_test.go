package rule_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/goldentest"
	"github.com/pertain-dev/pertain/internal/mark"
	"github.com/pertain-dev/pertain/rule"
)

// setOptions reads what stands before the title of a case.
func setOptions(words []string) rule.Options {
	o := rule.Options{Root: "/w"}
	for _, w := range words {
		key, value, _ := strings.Cut(w, "=")
		switch key {
		case "set":
		case "documented":
			o.Documented = true
		case "fold":
			o.FoldCase = true
		case "beside":
			o.Beside = true
		case "agent":
			o.Agent = value
		case "root":
			o.Root = value
		case "trusted":
			o.Trusted = append(o.Trusted, value)
		default:
			panic("no such word: " + w)
		}
	}
	return o
}

// readSet reads the rules of a case, each below a line `@@ PATH FORMAT WORDS`, and the files that are asked for, in lines `?? PATH REAL`.
// `when=` is what an agent makes of a rule, `exported=` a mark of what it was made from, and `section=` that of a section.
func readSet(t *testing.T, text string) (rules []*rule.Rule, files []rule.File, warnings diag.List) {
	t.Helper()
	parts := strings.Split("\n"+text, "\n@@ ")
	for _, part := range parts[1:] {
		head, body, _ := strings.Cut(part, "\n")
		body, queries, _ := strings.Cut("\n"+body+"\n", "\n?? ")
		for query := range strings.SplitSeq(strings.TrimSpace(queries), "\n?? ") {
			if words := strings.Fields(query); len(words) > 0 {
				files = append(files, rule.File{Path: words[0], Real: strings.Join(words[1:], " ")})
			}
		}
		words := strings.Fields(head)
		name := strings.TrimSuffix(words[0][strings.LastIndexAny(words[0], `/\`)+1:], ".md")
		var own []func(*rule.Rule)
		source := strings.ReplaceAll(strings.TrimSpace(body), "<ZWSP>", "\u200b")
		words = append(words[:1:1], slices.DeleteFunc(words[1:], func(w string) bool {
			key, value, _ := strings.Cut(w, "=")
			switch key {
			case "when":
				own = append(own, func(r *rule.Rule) { r.When = rule.When(value); r.Settle() })
			case "real":
				own = append(own, func(r *rule.Rule) { r.Real = value })
			case "lost":
				own = append(own, func(r *rule.Rule) { r.Lost = true })
			case "never":
				own = append(own, func(r *rule.Rule) { r.Activation = rule.Never; r.Settle() })
			case "off":
				own = append(own, func(r *rule.Rule) { r.Disabled, r.Activation = true, rule.Never })
			case "provider":
				own = append(own, func(r *rule.Rule) { r.Provider = value })
			case "section": // of a file that has more above and below it
				var s mark.Section
				source = "above\n" + s.Write(strings.Split(value, ","), source+"\n") + "below\n"
			case "alone": // a section without anything around it
				var s mark.Section
				source = s.Write(strings.Split(value, ","), source+"\n")
			case "edited":
				source = strings.Replace(source, "One.", "One, edited.", 1)
			case "exported":
				source = mark.Seal(mark.HTML(strings.Split(value, ",")) + "\n\n" + source + "\n")
			default:
				return false
			}
			return true
		})...)
		r, list := rule.Read(diag.NewSource(words[0], source), originOf(words[1:], name), formats[words[1]])
		warnings = append(warnings, list...)
		if r == nil {
			continue
		}
		for _, change := range own {
			change(r)
		}
		rules = append(rules, r)
	}
	return rules, files, warnings
}

// TestSetGolden: several rules, which of them are in force, what each file gets and why, and what a model is told.
func TestSetGolden(t *testing.T) {
	goldentest.Run(t, "testdata/sets.golden", *update, func(t *testing.T, c goldentest.Case) string {
		options := setOptions(c.Words)
		rules, files, warnings := readSet(t, c.Text)
		s := rule.NewSet(slices.Clone(rules), warnings, options)
		var b strings.Builder
		for _, r := range s.All() {
			data, err := r.MarshalJSON()
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&b, "%s\n ", data)
			if r.Export != nil {
				fmt.Fprintf(&b, " exported from %q: %q", r.Export.Sources, r.Content)
			}
			if globs, extended := r.ProjectGlobs("/w"); globs != nil {
				fmt.Fprintf(&b, " %q", globs)
				if extended {
					b.WriteString(" extended")
				}
			}
			if r.Scope != nil {
				fmt.Fprintf(&b, " scope %q", r.Scope)
			}
			fmt.Fprintf(&b, " binding %v watches %v\n", s.Binding(r), r.Watches())
		}
		fmt.Fprintf(&b, "names: %q\n", s.Names())
		goldentest.Tell(&b, "", s.Warnings())
		goldentest.Tell(&b, "check: ", rule.CheckAll(s.Rules()))
		goldentest.Tell(&b, "unwatched: ", s.Unwatched())
		goldentest.Tell(&b, "left out: ", s.LeftOut())
		coverage := rule.NewCoverage(s.Rules(), options.FoldCase)
		table, ok := rule.UnpackTable(s.Table(func(*rule.Rule) bool { return true }).Pack())
		if !ok {
			t.Errorf("%s: the table cannot be read again", c.Head)
		}
		for i, verdicts := range s.For(files, true) {
			fmt.Fprintf(&b, "%s:\n", strings.TrimSpace(files[i].Path+" "+files[i].Real))
			var applies, byTable []string
			for _, v := range verdicts {
				fmt.Fprintf(&b, "  %s: %v, %s %s", v.Rule.Name, v.Applies, v.Why, v.Glob)
				if v.Note != "" {
					fmt.Fprintf(&b, "; %s", v.Note)
				}
				b.WriteByte('\n')
				if v.Applies {
					applies = append(applies, v.Rule.Path)
				}
			}
			short := s.For(files[i:i+1], false)[0]
			if !slices.EqualFunc(short, applies, func(v rule.Verdict, path string) bool { return v.Rule.Path == path && v.Applies }) {
				t.Errorf("%s: %s gets %v, and %v when all are asked for", c.Head, files[i].Path, short, applies)
			}
			for _, n := range table.For(files[i]) {
				row := table.Rule(n)
				byTable = append(byTable, fmt.Sprint(row.Name, " ", row.Path, " ", row.Level, " ", row.Binding, " ", len(row.Text)))
			}
			var want []string
			for _, v := range short {
				if v.Why == rule.ByGlob || v.Why == rule.ByAlways && v.Rule.Within != "" {
					want = append(want, fmt.Sprint(v.Rule.Name, " ", v.Rule.Path, " ", v.Rule.Level, " ", s.Binding(v.Rule), " ", len(v.Rule.Text())))
				}
			}
			if diff := cmp.Diff(want, byTable); diff != "" {
				t.Errorf("%s: what the table gives for %s (-set +table):\n%s", c.Head, files[i].Path, diff)
			}
			coverage.See(files[i].Path)
		}
		if len(files) > 0 {
			goldentest.Tell(&b, "dead: ", coverage.Dead())
			fmt.Fprintf(&b, "all seen: %v\n", coverage.Empty())
		}
		for _, asked := range [][]rule.File{nil, files} {
			if p := s.Prompt(rule.PromptOptions{Files: asked}); p != "" && (asked == nil || len(files) > 0) {
				fmt.Fprintf(&b, "prompt for %d files:\n%s", len(asked), p)
				cost := s.Cost(rule.PromptOptions{Files: asked})
				fmt.Fprintf(&b, "it costs %q and %d bytes\n", cost.Texts, len(cost.Block))
			}
		}
		return b.String()
	})
}

// TestPairsGolden: what two rules of one name and text become, whichever of them comes first.
func TestPairsGolden(t *testing.T) {
	kinds := []struct{ words, fields string }{
		{"native", "alwaysApply: true"},
		{"native always", "globs: a/*"},
		{"native", "globs: b/*"},
		{"native", "description: d"},
		{"windsurf", "trigger: model_decision\ndescription: e"},
		{"windsurf", "trigger: model_decision\nglobs: c/*"},
		{"windsurf", "trigger: manual\nglobs: d/*\ndescription: f"},
		{"claude", "paths: []"},
		{"native", "tags: [x]"},
		{"windsurf", "trigger: manual\nglobs: e/*\nttsr_trigger: foo"},
		{"native within=/w/lib", "description: g"},
	}
	goldentest.Run(t, "testdata/pairs.golden", *update, func(*testing.T, goldentest.Case) string {
		var b strings.Builder
		for _, one := range kinds {
			for _, two := range kinds {
				var rules []*rule.Rule
				for i, kind := range []struct{ words, fields string }{one, two} {
					words := strings.Fields(kind.words)
					r, _ := rule.Read(diag.NewSource(fmt.Sprintf("/w/%d/a.md", i), "---\n"+kind.fields+"\n---\nBody"), originOf(words, "a"), formats[words[0]])
					rules = append(rules, r)
				}
				s := rule.NewSet(rules, nil, rule.Options{Root: "/w"})
				r := s.Rules()[0]
				globs, _ := r.ProjectGlobs("/w")
				fmt.Fprintf(&b, "%s %q + %s %q: %d %s %q %q", one.words, one.fields, two.words, two.fields, r.Activation, r.Bucket, globs, r.Triggers)
				for _, v := range s.For([]rule.File{{Path: "/w/b/x"}, {Path: "/w/lib/x"}}, true) {
					fmt.Fprintf(&b, " %s", v[0].Why)
				}
				b.WriteByte('\n')
			}
		}
		return b.String()
	})
}
