package strategy_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/discover/strategyfile"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/strategy"
)

// skills resolves skill://ID from memory; web does so for URLs.
type scripted struct {
	scheme string
	files  map[string]string
}

func (r scripted) CanResolve(ref strategy.Reference, _ *diag.Source, _ strategy.Origin) bool {
	return ref.Scheme() == r.scheme
}

func (r scripted) Resolve(_ context.Context, ref strategy.Reference, _ *diag.Source, _ strategy.Origin) (strategy.Included, error) {
	text, ok := r.files[ref.Target]
	if !ok {
		return strategy.Included{}, &strategy.HintError{Problem: "there is no skill `" + ref.Target + "`", Hint: "install it"}
	}
	return strategy.Included{Name: ref.Target, Data: []byte(text), Folder: "my-folder"}, nil
}

// world is a tree with a user's and a workspace's strategies.
func world(flavor files.Flavor, contents map[string]string) (*files.Memory, *strategy.Normalizer) {
	tree := files.NewMemory(flavor)
	for path, text := range contents {
		tree.WriteFile(path, text)
	}
	return tree, &strategy.Normalizer{Resolvers: []strategy.Resolver{strategyfile.Resolver{Tree: tree}}}
}

func read(t *testing.T, tree files.Tree, n *strategy.Normalizer, path string, origin strategy.Origin) *strategy.Strategy {
	t.Helper()
	data, err := tree.ReadFile(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	return n.Normalize(context.Background(), path, data, origin)
}

const skill = "---\nname: My skill\ndescription: what it does\nallowed-tools: x\n---\n# Heading\n\nSkill body.\n"

func TestFromForms(t *testing.T) {
	tree, n := world(files.Unix, map[string]string{
		"/u/SKILL.md":                 skill,
		"/u/sub/skill.md":             "# Only a heading #\n\ntext\n",
		"/u/plain/SKILL.md":           "no heading\n```sh\n# a comment\n```\n",
		"/u/comment/SKILL.md":         "<!--\n# no heading\n-->\nA title\n===\n",
		"/u/open/SKILL.md":            "---\nname: Open\ndescription: never closed\n\ntext\n",
		"/u/fenced/SKILL.md":          "```sh\n# a comment\n```\n\n## C#\n",
		"/u/numbered/SKILL.md":        "---\nname: 2048\n---\nbody\n",
		"/u/nameless/SKILL.md":        "---\nname: ~\n---\n#hashtag\nbody\n",
		"/u/notes.md":                 "---\nname: ignored\ndescription: of notes\n---\n# Notes\n\nNotes body.\n",
		"/u/bare.md":                  "Just text.\n",
		"/u/base.strategy.md":         "---\nid: user.base\nname: Base\nicon: Star\npriority: 7\nwhen: false\ntools: {a: true}\nsystemPrompt: sys\noptions: {regexTimeout: 5ms}\n---\nBase body.\n",
		"/u/base.md":                  "---\nname: Base\n---\nBase body.\n",
		"/abs/x.md":                   "Absolute.\n",
		`/u/back\slash.md`:            "A name with a backslash.\n",
		"/u/win/file.md":              "Windows form.\n",
		"/u/a b.md":                   "blank\n",
		"/u/missing-name.strategy.md": "---\npriority: 3\n---\nbody\n",
	})
	tests := []struct {
		from             string
		name, body, desc string
		include          string
		want             string // diagnostics
	}{
		{from: "./SKILL.md", name: "My skill", desc: "what it does", body: "# Heading\n\nSkill body.", include: "/u/SKILL.md"},
		{from: "SKILL.md", name: "My skill", desc: "what it does", body: "# Heading\n\nSkill body.", include: "/u/SKILL.md"},
		{from: "{source: ./SKILL.md, kind: auto}", name: "My skill", desc: "what it does", body: "# Heading\n\nSkill body.", include: "/u/SKILL.md"},
		{from: "{source: ./SKILL.md, kind: skill}", name: "My skill", desc: "what it does", body: "# Heading\n\nSkill body.", include: "/u/SKILL.md"},
		{from: "{source: ./notes.md, kind: skill}", name: "ignored", desc: "of notes", body: "# Notes\n\nNotes body.", include: "/u/notes.md"},
		{from: "sub/skill.md", name: "Only a heading", body: "# Only a heading #\n\ntext", include: "/u/sub/skill.md"},
		{from: "comment/SKILL.md", name: "A title", body: "<!--\n# no heading\n-->\nA title\n===", include: "/u/comment/SKILL.md"},
		{from: "open/SKILL.md", name: "Open", desc: "never closed", body: "---\nname: Open\ndescription: never closed\n\ntext", include: "/u/open/SKILL.md", want: "warning rule.invalid_yaml 1:1\n"},
		{from: "plain/SKILL.md", name: "plain", body: "no heading\n```sh\n# a comment\n```", include: "/u/plain/SKILL.md"},
		{from: "fenced/SKILL.md", name: "C#", body: "```sh\n# a comment\n```\n\n## C#", include: "/u/fenced/SKILL.md"},
		{from: "numbered/SKILL.md", name: "2048", body: "body", include: "/u/numbered/SKILL.md"},
		{from: "nameless/SKILL.md", name: "nameless", body: "#hashtag\nbody", include: "/u/nameless/SKILL.md"},
		{from: "notes.md", desc: "of notes", body: "# Notes\n\nNotes body.", include: "/u/notes.md", want: "error strategy.missing_name 1:1\n"},
		{from: "{source: ./SKILL.md, kind: markdown}", desc: "what it does", body: "# Heading\n\nSkill body.", include: "/u/SKILL.md", want: "error strategy.missing_name 1:1\n"},
		{from: "base.strategy.md", name: "Base", body: "Base body.", include: "/u/base.strategy.md"},
		{from: "{source: base.md, kind: strategy}", name: "Base", body: "Base body.", include: "/u/base.md"},
		{from: "/abs/x.md", body: "Absolute.", include: "/abs/x.md", want: "error strategy.missing_name 1:1\n"},
		{from: "../abs/x.md", body: "Absolute.", include: "/abs/x.md", want: "error strategy.missing_name 1:1\n"},
		{from: `'win\file.md'`, body: "Windows form.", include: "/u/win/file.md", want: "error strategy.missing_name 1:1\n"},
		{from: `'.\win/file.md'`, body: "Windows form.", include: "/u/win/file.md", want: "error strategy.missing_name 1:1\n"},
		{from: `'back\slash.md'`, body: "A name with a backslash.", include: `/u/back\slash.md`, want: "error strategy.missing_name 1:1\n"},
		{from: "a b.md", body: "blank", include: "/u/a b.md", want: "error strategy.missing_name 1:1\n"},
		{from: "missing-name.strategy.md", body: "body", include: "/u/missing-name.strategy.md", want: "error strategy.missing_name 1:1\n"},
	}
	for _, tt := range tests {
		t.Run(tt.from, func(t *testing.T) {
			tree.WriteFile("/u/x.strategy.md", "---\nfrom: "+tt.from+"\n---\n")
			s := read(t, tree, n, "/u/x.strategy.md", user("x.strategy.md"))
			if got := short(s.Diagnostics); got != tt.want {
				t.Errorf("diagnostics %q, want %q: %v", got, tt.want, s.Diagnostics)
			}
			if s.Name != tt.name || s.Body != tt.body || s.Description != tt.desc {
				t.Errorf("name %q, description %q, body %q", s.Name, s.Description, s.Body)
			}
			if len(s.Includes) != 1 || s.Includes[0].Name() != tt.include || !s.Derived {
				t.Errorf("includes = %v", s.Includes)
			}
			if s.ID != "user.x" {
				t.Errorf("id = %s: ids are never inherited", s.ID)
			}
		})
	}
}

func TestFromMistakes(t *testing.T) {
	tree, n := world(files.Unix, map[string]string{
		"/u/nested.strategy.md":  "---\nname: Nested\nfrom: ./SKILL.md\n---\n",
		"/u/SKILL.md":            skill,
		"/u/broken.strategy.md":  "---\nname: [\n---\n",
		"/u/nofront.strategy.md": "text\n",
		"/u/binary.md":           "\xff\xfe\x00",
		"/u/nul.md":              "a\x00",
		"/u/folder/x.md":         "",
		"/u/v2.strategy.md":      "---\nschema: v2\nname: x\n---\n",
		"/u/wrong.strategy.md":   "---\nname: Wrong\npriority: high\ncolour: red\nwhen: 3\n---\n",
	})
	tests := []struct {
		from, want, says string
		related          string // file of the related position, if one is wanted
	}{
		{"[a.md, b.md]", "error strategy.invalid_from 3:7", "takes one source, not a list", ""},
		{"5", "error strategy.invalid_from 3:7", "must be a string or an object", ""},
		{"true", "error strategy.invalid_from 3:7", "", ""},
		{"\"\"", "error strategy.invalid_from 3:7", "names nothing", ""},
		{"{kind: skill}", "error strategy.invalid_from 3:7", "has no `source`", ""},
		{"{source: [a.md]}", "error strategy.invalid_from 3:16", "must be a string", ""},
		{"{source: a.md, kind: book}", "error strategy.invalid_from 3:28", "write one of auto, skill, strategy, markdown, url", ""},
		{"{source: a.md, kind: 5}", "error strategy.invalid_from 3:28", "", ""},
		{"{source: a.md, sources: b.md}", "error strategy.invalid_from 3:22", "`from` has `source` and `kind`", ""},
		{"{source: a.md, kind: url}", "error strategy.invalid_from 3:16", "is not a URL", ""},
		{"{source: 'skill://x', kind: markdown}", "error strategy.invalid_from 3:16", "write `kind: skill`", ""},
		{"https://example.com/x.strategy.md", "error strategy.invalid_from 3:7", "nothing is loaded from the network", ""},
		{"{source: 'https://example.com/x.md', kind: url}", "error strategy.invalid_from 3:16", "nothing is loaded from the network", ""},
		{"file:///etc/passwd", "error strategy.invalid_from 3:7", "", ""},
		{"skill://x", "error strategy.invalid_from 3:7", "skills cannot be resolved here", ""},
		{"gone.md", "error strategy.invalid_from 3:7", "it does not exist; paths are relative to the folder of this file", ""},
		{"~/x.md", "error strategy.invalid_from 3:7", "`~` is not expanded", ""},
		{`'E:\Everywhere\Base.strategy.md'`, "error strategy.invalid_from 3:7", "a path of Windows", ""},
		{"folder", "error strategy.invalid_from 3:7", "it is a folder, not a regular file", ""},
		{"binary.md", "error strategy.invalid_from 3:7", "cannot be read", "/u/binary.md"},
		{"nul.md", "error strategy.invalid_from 3:7", "cannot be read", "/u/nul.md"},
		{"nested.strategy.md", "error strategy.invalid_from 3:7", "sources cannot be chained", "/u/nested.strategy.md"},
		{"{source: nested.strategy.md, kind: markdown}", "error strategy.invalid_from 3:16", "sources cannot be chained", "/u/nested.strategy.md"},
		{"x.strategy.md", "error strategy.invalid_from 3:7", "names itself", "/u/x.strategy.md"},
		{"../u/x.strategy.md", "error strategy.invalid_from 3:7", "names itself", "/u/x.strategy.md"},
		{"broken.strategy.md", "error strategy.invalid_from 3:7", "not a valid strategy; mend the source first", "/u/broken.strategy.md"},
		{"nofront.strategy.md", "error strategy.invalid_from 3:7", "", "/u/nofront.strategy.md"},
		{"v2.strategy.md", "error strategy.unsupported_schema 2:9", "", "/u/x.strategy.md"},
	}
	for _, tt := range tests {
		t.Run(tt.from, func(t *testing.T) {
			tree.WriteFile("/u/x.strategy.md", "---\nname: x\nfrom: "+tt.from+"\n---\n")
			s := read(t, tree, n, "/u/x.strategy.md", user("x.strategy.md"))
			if got := short(s.Diagnostics); got != tt.want+"\n" {
				t.Fatalf("got %q, want %q: %v", got, tt.want, s.Diagnostics)
			}
			d := s.Diagnostics[0]
			if !strings.Contains(d.Sentence(), tt.says) {
				t.Errorf("%q does not say %q", d.Sentence(), tt.says)
			}
			if tt.related != "" && (len(d.Related) == 0 || d.Related[0].Source.Name() != tt.related) {
				t.Errorf("the other file is not named: %v", d.Related)
			}
			if s.Valid || !s.Derived {
				t.Errorf("valid %v, derived %v", s.Valid, s.Derived)
			}
		})
	}
	t.Run("mistakes in the source name both files", func(t *testing.T) {
		tree.WriteFile("/u/x.strategy.md", "---\nfrom: wrong.strategy.md\n---\n")
		s := read(t, tree, n, "/u/x.strategy.md", user("x.strategy.md"))
		want := "warning strategy.unknown_field 4:1\nerror strategy.invalid_field 3:11\nerror strategy.invalid_when 5:7\n"
		if diff := cmp.Diff(want, short(s.Diagnostics)); diff != "" {
			t.Error(diff)
		}
		for _, d := range s.Diagnostics {
			if d.File() != "/u/wrong.strategy.md" || len(d.Related) != 1 || d.Related[0].Source.Name() != "/u/x.strategy.md" {
				t.Errorf("%s in %s, related %v", d.Code, d.File(), d.Related)
			}
		}
	})
	t.Run("an overridden mistake in the source does not matter", func(t *testing.T) {
		tree.WriteFile("/u/x.strategy.md", "---\nfrom: wrong.strategy.md\npriority: 1\nwhen: true\n---\n")
		s := read(t, tree, n, "/u/x.strategy.md", user("x.strategy.md"))
		if !s.Valid || s.Name != "Wrong" || s.Priority != 1 {
			t.Errorf("%v", s.Diagnostics)
		}
	})
}

func TestFromOverrides(t *testing.T) {
	base := "---\nid: user.base\nname: Base\ndescription: base\nenabled: false\nicon: Star\npriority: 7\nwhen: false\ntools: {a: true, b: false}\npreprocessors: [selected-text]\nsystemPrompt: sys\noptions: {regexTimeout: 5ms, extraTimeout: 6ms}\n---\nBase body.\n"
	tree, n := world(files.Unix, map[string]string{"/u/base.strategy.md": base})
	load := func(fields, body string) *strategy.Strategy {
		tree.WriteFile("/u/x.strategy.md", "---\nfrom: base.strategy.md\n"+fields+"---\n"+body)
		s := read(t, tree, n, "/u/x.strategy.md", user("x.strategy.md"))
		if len(s.Diagnostics) > 0 {
			t.Fatalf("%s: %v", fields, s.Diagnostics)
		}
		return s
	}
	inherited := load("", "")
	if s := inherited; s.Name != "Base" || s.Description != "base" || s.Enabled || s.Icon != "Star" || s.Priority != 7 || len(s.Tools) != 2 ||
		len(s.Preprocessors) != 1 || s.SystemPrompt != "sys" || s.Limits.Regex.String() != "5ms" || s.Body != "Base body." || s.ID != "user.x" {
		t.Errorf("inherited: %+v", s)
	}
	cleared := load("description: null\nicon: ~\ntools:\nsystemPrompt: null\n", "")
	if s := cleared; s.Description != "" || s.Icon != "" || s.Tools != nil || s.SystemPrompt != "" || s.Name != "Base" {
		t.Errorf("cleared: %+v", s)
	}
	replaced := load("name: Own\nenabled: true\npriority: 0\nwhen: true\ntools: {c: true}\npreprocessors: []\noptions: {extraTimeout: 9ms}\n", "Own body.\n")
	if s := replaced; s.Name != "Own" || !s.Enabled || s.Priority != 0 || len(s.Tools) != 1 || s.Tools[0].Pattern != "c" || len(s.Preprocessors) != 0 ||
		s.Limits.Extra.String() != "9ms" || s.Limits.Regex.String() != "50ms" || s.Body != "Own body." {
		t.Errorf("replaced whole, not merged: %+v", s)
	}
	for body, want := range map[string]string{"": "Base body.", "\n \t\n": "Base body.", "\nx\n": "x"} {
		if got := load("", body).Body; got != want {
			t.Errorf("with the body section %q the body is %q, want %q", body, got, want)
		}
	}
	tree.WriteFile("/u/x.strategy.md", "---\nfrom: null\nname: x\n---\n")
	if s := read(t, tree, n, "/u/x.strategy.md", user("x.strategy.md")); !s.Valid || s.Derived {
		t.Errorf("from: null is no from: %v", s.Diagnostics)
	}
}

func TestFromSchemes(t *testing.T) {
	n := &strategy.Normalizer{Resolvers: []strategy.Resolver{
		scripted{"skill", map[string]string{"skill://style": skill, "skill://bare": "text only\n"}},
		scripted{"https", map[string]string{"https://example.com/x.md": "From the network.\n"}},
	}}
	load := func(from string) *strategy.Strategy {
		return n.Normalize(context.Background(), "/u/x.strategy.md", []byte("---\nfrom: "+from+"\n---\n"), user("x.strategy.md"))
	}
	for _, from := range []string{"skill://style", "{source: 'skill://style', kind: skill}", "SKILL://style"} {
		s := load(from)
		if from == "SKILL://style" { // the scheme is known without case; the id is the resolver's business
			if len(s.Diagnostics) != 1 || s.Diagnostics[0].Hint != "install it" {
				t.Errorf("%s: %v", from, s.Diagnostics)
			}
			continue
		}
		if !s.Valid || s.Name != "My skill" || s.Includes[0].Name() != "skill://style" {
			t.Errorf("%s: %v", from, s.Diagnostics)
		}
	}
	if s := load("skill://bare"); s.Name != "my-folder" {
		t.Errorf("a skill without name and heading is named by its folder, not %q", s.Name)
	}
	if s := load("skill://gone"); short(s.Diagnostics) != "error strategy.invalid_from 2:7\n" || s.Diagnostics[0].Hint != "install it" {
		t.Errorf("%v", s.Diagnostics)
	}
	if s := load("{source: 'https://example.com/x.md', kind: url}"); s.Body != "From the network." {
		t.Errorf("a URL with a resolver: %v", s.Diagnostics)
	}
}

// TestFromErrorsAreShown proves that a resolver's own error, without a hint, reaches the author.
func TestFromErrorsAreShown(t *testing.T) {
	n := &strategy.Normalizer{Resolvers: []strategy.Resolver{failing{}}}
	s := n.Normalize(context.Background(), "/u/x.strategy.md", []byte("---\nname: x\nfrom: ./y.md\n---\n"), user("x.strategy.md"))
	if len(s.Diagnostics) != 1 || s.Diagnostics[0].Message != "the disk is on fire" {
		t.Errorf("%v", s.Diagnostics)
	}
}

type failing struct{}

func (failing) CanResolve(strategy.Reference, *diag.Source, strategy.Origin) bool { return true }

func (failing) Resolve(context.Context, strategy.Reference, *diag.Source, strategy.Origin) (strategy.Included, error) {
	return strategy.Included{}, errors.New("the disk is on fire")
}

// TestFromConfinement holds that a workspace's file reaches the workspace alone, and learns nothing about the rest.
func TestFromConfinement(t *testing.T) {
	tree, n := world(files.Unix, map[string]string{
		"/w/.pertain/strategies/x.strategy.md": "",
		"/w/docs/in.md":                        "inside\n",
		"/outside/secret.md":                   "secret\n",
		"/wide/x.md":                           "another folder whose name begins the same\n",
	})
	tree.MakeLink("/outside", "/w/out")
	tree.MakeLink("/outside/secret.md", "/w/docs/link.md")
	tree.MakeLink("/outside/gone.md", "/w/docs/dangling.md")
	tree.MakeLink("docs", "/w/alias")
	tree.MakeLink("/w", "/elsewhere")
	origin := strategy.Origin{Provider: "workspace", Path: "x.strategy.md", Confine: "/w", Trusted: true}
	const outside = "lies outside of the workspace"
	for from, want := range map[string]string{
		"../../docs/in.md":              "",
		"/w/docs/in.md":                 "",
		"../../alias/in.md":             "",
		"/elsewhere/docs/in.md":         "",
		"../../docs/gone.md":            "it does not exist",
		"../../gone/deep/er.md":         "it does not exist",
		"../../../outside/secret.md":    outside,
		"../../../outside/gone.md":      outside,
		"/outside/secret.md":            outside,
		"/outside/gone.md":              outside,
		"/wide/x.md":                    outside,
		"../../out/secret.md":           outside,
		"../../out/gone.md":             outside, // as if it were there: nothing is learned
		"../../out/gone/deep.md":        outside,
		"../../docs/link.md":            outside,
		"../../docs/dangling.md":        outside,
		"../../docs/../../outside/x.md": outside,
		"/":                             outside,
		`'..\..\..\outside\secret.md'`:  outside,
	} {
		path := "/w/.pertain/strategies/x.strategy.md"
		s := n.Normalize(context.Background(), path, []byte("---\nname: x\nfrom: "+from+"\n---\n"), origin)
		switch {
		case want == "" && !s.Valid:
			t.Errorf("%s is refused: %v", from, s.Diagnostics)
		case want != "" && (short(s.Diagnostics) != "error strategy.invalid_from 3:7\n" || !strings.Contains(s.Diagnostics[0].Message, want)):
			t.Errorf("%s: %v, want %q", from, s.Diagnostics, want)
		}
		if strings.Contains(s.Body, "secret") {
			t.Errorf("%s: the outside was read", from)
		}
	}
	free := strategy.Origin{Provider: "user", Path: "x.strategy.md", Trusted: true}
	if s := n.Normalize(context.Background(), "/u/x.strategy.md", []byte("---\nname: x\nfrom: /wide/x.md\n---\n"), free); !s.Valid {
		t.Errorf("a user's own file goes anywhere: %v", s.Diagnostics)
	}
	if s := n.Normalize(context.Background(), "/u/x.strategy.md", []byte("---\nname: x\nfrom: /outside/secret.md\n---\n"), free); s.Valid || strings.Contains(s.Body, "secret") {
		t.Errorf("but not to a secret: %v", s.Diagnostics)
	}
}

func TestFromOnWindows(t *testing.T) {
	tree, n := world(files.Windows, map[string]string{
		`C:\u\SKILL.md`:           skill,
		`C:\u\sub\SKILL.md`:       skill,
		`E:\Everywhere\SKILL.md`:  skill,
		`C:\top\SKILL.md`:         skill,
		`\\server\share\SKILL.md`: skill,
	})
	for from, include := range map[string]string{
		"./SKILL.md":                `C:\u\SKILL.md`,
		`'.\SKILL.md'`:              `C:\u\SKILL.md`,
		`'sub\SKILL.md'`:            `C:\u\sub\SKILL.md`,
		"sub/SKILL.md":              `C:\u\sub\SKILL.md`,
		`'E:\Everywhere\SKILL.md'`:  `E:\Everywhere\SKILL.md`,
		`E:/Everywhere/SKILL.md`:    `E:\Everywhere\SKILL.md`,
		`'\top\SKILL.md'`:           `C:\top\SKILL.md`,
		`/top/SKILL.md`:             `C:\top\SKILL.md`,
		`'\\server\share\SKILL.md'`: `\\server\share\SKILL.md`,
		`'..\top\SKILL.md'`:         `C:\top\SKILL.md`,
	} {
		s := n.Normalize(context.Background(), `C:\u\x.strategy.md`, []byte("---\nfrom: "+from+"\n---\n"), user("x.strategy.md"))
		if !s.Valid || len(s.Includes) != 1 || s.Includes[0].Name() != include {
			t.Errorf("%s: %v, want %s", from, s.Diagnostics, include)
		}
	}
	tree.WriteFile(`C:\w\in.md`, "in")
	confined := strategy.Origin{Provider: "workspace", Path: "x.strategy.md", Confine: `C:\w`}
	for from, ok := range map[string]bool{`'C:\W\IN.md'`: true, `'\w\in.md'`: true, `'E:\Everywhere\SKILL.md'`: false, `'..\u\SKILL.md'`: false, `'\u\SKILL.md'`: false} {
		s := n.Normalize(context.Background(), `C:\w\x.strategy.md`, []byte("---\nname: x\nfrom: "+from+"\n---\n"), confined)
		if s.Valid != ok {
			t.Errorf("%s in the workspace: %v", from, s.Diagnostics)
		}
	}
}

// TestFromOfNullIsNone: a source whose own `from` is null has none, so nothing is chained.
func TestFromOfNullIsNone(t *testing.T) {
	tree, n := world(files.Unix, map[string]string{
		"/u/base.strategy.md": "---\nname: Base\nfrom: ~\n---\nBase body.\n",
		"/u/x.strategy.md":    "---\nname: X\nfrom: ./base.strategy.md\n---\n",
	})
	if s := read(t, tree, n, "/u/x.strategy.md", strategy.Origin{Provider: "user", Path: "x.strategy.md", Trusted: true}); !s.Valid || strings.TrimSpace(s.Body) != "Base body." {
		t.Errorf("%v, body %q", s.Diagnostics, s.Body)
	}
}

// TestOwnMistakesAreNotIncluded: a mistake in the file itself is not told as one of the file that it includes, nor the other way round.
func TestOwnMistakesAreNotIncluded(t *testing.T) {
	tree, n := world(files.Unix, map[string]string{
		"/u/x.strategy.md":    "---\nname: X\nfrom: ./base.strategy.md\nwhen: {no.such: true}\n---\n",
		"/u/base.strategy.md": "---\nname: Base\npriority: high\n---\nBody\n",
	})
	s := read(t, tree, n, "/u/x.strategy.md", user("x.strategy.md"))
	own, included := 0, 0
	for _, d := range s.Diagnostics {
		switch d.File() {
		case "/u/x.strategy.md":
			own++
			if len(d.Related) > 0 {
				t.Errorf("%s: %+v", d.Message, d.Related)
			}
		default:
			included++
			if len(d.Related) != 1 || d.Related[0].Message != "included from here" {
				t.Errorf("%s: %+v", d.Message, d.Related)
			}
		}
	}
	if own == 0 || included == 0 {
		t.Errorf("%d own, %d included", own, included)
	}
}
