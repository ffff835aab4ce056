package discover_test

import (
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

func TestImports(t *testing.T) {
	tests := []struct {
		name  string
		text  string
		want  string
		warns int
	}{
		{"alone on its line", "Before.\n@docs/a.md\nAfter.", "Before.\nText of a.\nAfter.", 0},
		{"inside a line", "See @docs/a.md for more.\nAfter.", "See @docs/a.md for more.\n\nText of a.\n\nAfter.", 0},
		{"end of a sentence", "See @docs/a.md.", "See @docs/a.md.", 0},
		{"code span", "Write `@docs/a.md` so.", "Write `@docs/a.md` so.", 0},
		{"code block", "```\n@docs/a.md\n```\n~~~\n@docs/a.md\n~~~", "```\n@docs/a.md\n```\n~~~\n@docs/a.md\n~~~", 0},
		{"after a code block", "```\nx\n```\n@docs/a.md", "```\nx\n```\nText of a.", 0},
		{"names of people and packages", "Ask @alice, use @types/node, mail bob@docs/a.md.", "Ask @alice, use @types/node, mail bob@docs/a.md.", 0},
		{"cycle", "@docs/cycle.md", "Cycle: @../CLAUDE.md", 0},
		{"itself", "@CLAUDE.md", "@CLAUDE.md", 0},
		{"four hops", "@hops/1.md", "1\n2\n3\n4\n@5.md", 1},
		{"home", "@~/notes/mine.md", "@~/notes/mine.md", 1},
		{"absolute", "@/w/docs/a.md", "Text of a.", 0},
		{"outside", "@/etc/passwd", "@/etc/passwd", 1},
		{"outside by dots", "@../../etc/passwd", "@../../etc/passwd", 1},
		{"outside by a link", "@docs/escape.md", "@docs/escape.md", 1},
		{"secrets of the home", "@~/.ssh/id_rsa", "@~/.ssh/id_rsa", 1},
		{"escaped blank", `@docs/b\ c.md`, "Blank.", 0},
		{"missing", "@docs/none.md", "@docs/none.md", 1},
		{"binary", "@docs/bin.md", "@docs/bin.md", 1},
		{"huge", "@docs/huge.md", "@docs/huge.md", 1},
		{"indented code", "Text.\n\n    @docs/a.md\n\n\t@docs/a.md\nEnd.", "Text.\n\n    @docs/a.md\n\n\t@docs/a.md\nEnd.", 0},
		{"indented text of a paragraph", "Text\n    @docs/a.md", "Text\nText of a.", 0},
		{"text of a list item", "- item\n\n    @docs/a.md\n\n1. two\n   @docs/a.md", "- item\n\nText of a.\n\n1. two", 0},
		{"code in a list item", "- item\n\n      @docs/a.md\n- ```\n  @docs/a.md\n  ```", "- item\n\n      @docs/a.md\n- ```\n  @docs/a.md\n  ```", 0},
		{"code span over lines", "a `code\n@docs/a.md` b", "a `code\n@docs/a.md` b", 0},
		{"no code span over paragraphs", "a `code\n\n@docs/a.md\n\n` b", "a `code\n\nText of a.\n\n` b", 0},
		{"runs of other lengths", "`` ` @docs/a.md ``\n\n`` ` @docs/a.md `", "`` ` @docs/a.md ``\n\n`` ` @docs/a.md `", 0},
		{"escaped backtick", "\\` @docs/a.md `", "\\` @docs/a.md `\n\nText of a.", 0},
		{"fence in a quote", "> ```\n> @docs/a.md\n> ```\n> @docs/a.md", "> ```\n> @docs/a.md\n> ```\n> @docs/a.md\n\nText of a.", 0},
		{"fence ends with its quote", "> ```\n> x\n@docs/a.md", "> ```\n> x\nText of a.", 0},
		{"quote in a fence", "```\n> ```\n@docs/a.md\n```", "```\n> ```\n@docs/a.md\n```", 0},
		{"fence in a fence", "````\n```\n@docs/a.md\n```\n````", "````\n```\n@docs/a.md\n```\n````", 0},
		{"folder", "@docs", "@docs", 0},
		{"in brackets", "(@docs/a.md)", "(@docs/a.md)", 0},
		{"in quotes", `"@docs/a.md"`, `"@docs/a.md"`, 0},
		{"bold", "**@docs/a.md**", "**@docs/a.md**\n\nText of a.", 0},
		{"twice", "@docs/a.md\n@docs/a.md\nEnd.", "Text of a.\nEnd.", 0},
		{"in a comment on a line of its own", "A\n<!-- notes: @docs/a.md -->\nB", "A\nB", 0},
		{"in a comment over lines", "A\n<!--\n@docs/a.md\n-->\nB", "A\nB", 0},
		{"in a comment inside of a line", "A <!-- @docs/a.md --> B", "A <!-- @docs/a.md --> B", 0},
		{"a comment in a fence", "```\n<!-- x -->\n```", "```\n<!-- x -->\n```", 0},
		{"frontmatter", "---\ndescription: d\n---\nText.", "Text.", 0},
		{"frontmatter of what is imported", "@docs/front.md", "Behind.", 0},
		{"letters with bytes that are blanks elsewhere", "@docs/déjà.md\n@docs/全部.md\n@docs/Å.md\n@docs/ą.md", "Déjà.\n全部.\nÅ.\ną.", 0},
		{"escaped letter of several bytes", `@docs/\à\ 全.md`, `@docs/\à\ 全.md`, 1},
		{"blanks of several bytes", "See @docs/a.md\u00a0for more, and\u3000@docs/a.md\u2003now.", "See @docs/a.md\u00a0for more, and\u3000@docs/a.md\u2003now.\n\nText of a.", 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(files.Unix, map[string]string{
				"/w/.git/HEAD":          "",
				"/w/CLAUDE.md":          test.text,
				"/w/docs/a.md":          "Text of a.\n",
				"/w/docs/b c.md":        "Blank.",
				"/w/docs/front.md":      "---\nname: x\n---\nBehind.",
				"/w/docs/déjà.md":       "Déjà.",
				"/w/docs/全部.md":         "全部.",
				"/w/docs/Å.md":          "Å.",
				"/w/docs/ą.md":          "ą.",
				"/w/docs/bin.md":        "a\x00b",
				"/w/docs/huge.md":       strings.Repeat("x", 1<<20+1),
				"/w/docs/cycle.md":      "Cycle: @../CLAUDE.md",
				"/w/hops/1.md":          "1\n@2.md",
				"/w/hops/2.md":          "2\n@3.md",
				"/w/hops/3.md":          "3\n@4.md",
				"/w/hops/4.md":          "4\n@5.md",
				"/w/hops/5.md":          "5",
				"/home/u/notes/mine.md": "Mine.",
				"/home/u/.ssh/id_rsa":   "PRIVATE KEY",
				"/etc/passwd":           "root",
			})
			w.tree.MakeLink("/etc/passwd", "/w/docs/escape.md")
			set := w.load(t, w.roots("/w"))
			r := only(t, set)
			if r.Content != test.want {
				t.Errorf("got  %q\nwant %q", r.Content, test.want)
			}
			if len(set.Warnings()) != test.warns {
				t.Errorf("warnings = %v, want %d", codes(set.Warnings()), test.warns)
			}
			if strings.Contains(r.Content, "PRIVATE") || strings.Contains(r.Content, "root") {
				t.Error("text from outside is in the rule")
			}
		})
	}
}

// TestImportsDoNotExplode: many imports of files with many imports stay small.
func TestImportsDoNotExplode(t *testing.T) {
	texts := map[string]string{"/w/CLAUDE.md": strings.Repeat("@a.md\n", 100)}
	for _, pair := range [][2]string{{"a", "b"}, {"b", "c"}, {"c", "d"}, {"d", "e"}} {
		texts["/w/"+pair[0]+".md"] = strings.Repeat("@"+pair[1]+".md\n", 100) + strings.Repeat("x", 1000)
	}
	w := newWorld(files.Unix, texts)
	if r := only(t, w.load(t, w.roots("/w"))); len(r.Content) > 2<<20 || len(r.Includes) > 200 {
		t.Errorf("%d bytes of %d files", len(r.Content), len(r.Includes))
	}
}

// TestImportsOfClaudeRules: rules import, too, and a warning has the position of the
// import and shows nothing of the text around it.
func TestImportsOfClaudeRules(t *testing.T) {
	w := newWorld(files.Unix, map[string]string{
		"/w/.git/HEAD":          "",
		"/w/.claude/rules/a.md": "---\npaths: \"*.ts\"\n---\nText é\n\nSecret @../../x.md and @./none.md\n",
		"/w/x.md":               "Imported.",
	})
	set := w.load(t, w.roots("/w"))
	if r := only(t, set); !strings.Contains(r.Content, "Imported.") || len(r.Includes) != 1 {
		t.Errorf("%q", r.Content)
	}
	list := set.Warnings()
	if len(list) != 1 {
		t.Fatalf("%v", codes(list))
	}
	p, _ := list[0].Position()
	if list[0].File() != "/w/.claude/rules/a.md" || p != (diag.Position{Line: 6, Column: 24}) || strings.Contains(list[0].Source.Text(), "Secret") {
		t.Errorf("%+v at %v", list[0], p)
	}
}

// FuzzImports: whatever a text holds, reading it ends, and what stands in a code
// block is not followed.
func FuzzImports(f *testing.F) {
	for _, seed := range []string{
		"@a.md", "> - `x\n@a.md`", "```\n> @a.md\n```", "1. a\n\n\t\t@a.md\n* * *\n", "\\``@a.md`` `", "- - ~~~\n@a.md", "@\\", "#\n-\n+\t`",
		"@déjà.md\u00a0@全部.md", "@\\à\xa0\x85",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		w := newWorld(files.Unix, map[string]string{
			"/w/.git/HEAD": "", "/w/CLAUDE.md": text, "/w/a.md": "Imported.",
			"/w/QWEN.md": "x\n\n~~~~~~~~\n" + strings.ReplaceAll(text, "~", "") + "\n@a.md\n~~~~~~~~",
		})
		for _, r := range w.load(t, w.roots("/w")).All() {
			if r.Name == "QWEN" && len(r.Includes) > 0 {
				t.Errorf("code is followed: %q", r.Source.Text())
			}
		}
	})
}

// TestImportsThatAreNotThere: names that lead nowhere, or in a circle, are looked
// up only so often, and deep ones not at all.
func TestImportsThatAreNotThere(t *testing.T) {
	deep := strings.Repeat("d/", 1500) + "a.md"
	for name, test := range map[string]struct {
		text  string
		code  diag.Code
		words string
		looks int // at most
	}{
		"missing": {strings.Repeat("@docs/none.md\n", 50_000), diag.RuleTooLarge, "more than 1000 files", 1100},
		"cycles":  {strings.Repeat("@CLAUDE.md\n", 50_000), diag.RuleTooLarge, "more than 1000 files", 3100},
		"people":  {strings.Repeat("Ask @alice.\n", 50_000), diag.RuleTooLarge, "more than 1000 files", 1100},
		"deep":    {strings.Repeat("@"+deep+"\n", 300), diag.RuleInvalidField, "more than 64 folders", 100},
	} {
		w := newWorld(files.Unix, map[string]string{"/w/.git/HEAD": "x", "/w/CLAUDE.md": "Text.\n" + test.text, "/w/" + deep: "Deep."})
		counting := &countingTree{Tree: w.tree}
		_, list, err := providerOf(t, counting, "claude").Rules(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		told := 0
		for _, d := range list {
			if d.Code == test.code && strings.Contains(d.Message, test.words) {
				told++
			}
		}
		if told == 0 || len(list) > 30 {
			t.Errorf("%s: %v", name, list)
		}
		if counting.looks > test.looks {
			t.Errorf("%s: %d paths were looked up", name, counting.looks)
		}
	}
}

// countingTree counts how often paths are resolved.
type countingTree struct {
	files.Tree
	looks int
}

func (c *countingTree) RealPath(path string) (string, error) {
	c.looks++
	return c.Tree.RealPath(path)
}

func providerOf(t *testing.T, tree files.Tree, id string) rule.Provider {
	t.Helper()
	for _, p := range discover.Rules(tree, discover.RuleRoots{Dir: "/w", Home: "/home/u"}) {
		if p.ID() == id {
			return p
		}
	}
	t.Fatal("no such provider")
	return nil
}
