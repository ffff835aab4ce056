package pertain_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/docs/reference"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/agent"
	"github.com/pertain-dev/pertain/internal/cli"
	"github.com/pertain-dev/pertain/internal/connect"
	"github.com/pertain-dev/pertain/internal/discover/skillfolder"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/settings"
	"github.com/pertain-dev/pertain/internal/visual"
	"github.com/pertain-dev/pertain/plan"
	"github.com/pertain-dev/pertain/rule"
	"github.com/pertain-dev/pertain/strategy"
)

// besideLinks are links to pages beside docs/config.md, which the reference is one folder below.
var besideLinks = regexp.MustCompile(`\]\(([\w-]+)\.md`)

// TestReferenceTables keeps the tables of docs/reference true that the program has: go test . -run TestReferenceTables -update.
func TestReferenceTables(t *testing.T) {
	for topic, tables := range map[string][]string{
		"paths":         {pathsTable(), needsTable()},
		"settings":      {besideLinks.ReplaceAllString(settings.Table(), "](../$1.md")},
		"diagnostics":   {codesTable()},
		"visual":        {attributesTable()},
		"preprocessors": {preprocessorsTable()},
		"agents":        {agentsTable()},
		"rules":         {fieldsTable()},
	} {
		path := filepath.Join("docs", "reference", topic+".md")
		page := readPage(t, path)
		for _, want := range tables {
			head, _, _ := strings.Cut(want, "\n")
			start := strings.Index(page, head+"\n")
			if start < 0 {
				t.Errorf("%s has no table %s", path, head)
				continue
			}
			end := start
			for rest := page[start:]; strings.HasPrefix(rest, "|"); rest = page[end:] {
				line, _, _ := strings.Cut(rest, "\n")
				end += len(line) + 1
			}
			have := page[start:end]
			if *update && have != want {
				page = page[:start] + want + page[end:]
				if err := os.WriteFile(path, []byte(page), 0o644); err != nil {
					t.Fatal(err)
				}
				continue
			}
			if diff := cmp.Diff(want, have); diff != "" {
				t.Errorf("%s is not what the program says; go test . -run TestReferenceTables -update\n%s", path, diff)
			}
		}
	}
}

func attributesTable() string {
	var b strings.Builder
	b.WriteString("| attribute | kind | meaning |\n| --- | --- | --- |\n")
	for _, a := range visual.Attributes() {
		fmt.Fprintf(&b, "| `@%s` | %s | %s |\n", a, bare(a.Kind()), a.Doc())
	}
	return b.String()
}

func preprocessorsTable() string {
	var b strings.Builder
	b.WriteString("| preprocessor | sets | reads | what users are told |\n| --- | --- | --- | --- |\n")
	for _, id := range plan.Preprocessors().IDs() {
		info, _ := plan.BuiltinInfo(id)
		fmt.Fprintf(&b, "| `%s` | `%s` | `%s` | %s |\n", id, strings.Join(info.Variables, "`, `"), strings.Join(info.Needs, "`, `"), info.Permission)
	}
	return b.String()
}

// agentsTable is every agent, by name.
func agentsTable() string {
	type row struct{ title, measured, hooks, mcp string }
	rows := map[string]row{}
	for _, a := range agent.All() {
		r := row{title: a.Title, measured: "by its documents"}
		if a.Measured() {
			r.measured = "measured with " + a.Version
		}
		rows[a.Name] = r
	}
	yes := func(b bool) string {
		if b {
			return "yes"
		}
		return ""
	}
	for _, a := range connect.Agents() {
		r := rows[a.Name]
		r.title, r.hooks, r.mcp = a.Title, yes(a.Has(connect.Hooks)), yes(a.Has(connect.MCP))
		rows[a.Name] = r
	}
	var b strings.Builder
	b.WriteString("| name | agent | rules as it loads them | hooks | MCP |\n| --- | --- | --- | --- | --- |\n")
	for _, name := range sortedKeys(rows) {
		r := rows[name]
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", name, r.title, r.measured, r.hooks, r.mcp)
	}
	return b.String()
}

// TestReferenceNamesEverything: what the program knows by name has an entry in the reference, and nothing else has.
func TestReferenceNamesEverything(t *testing.T) {
	var paths, codes, keys, attributes []string
	for _, p := range facts.Paths() {
		if p.Kind != facts.Object {
			paths = append(paths, p.Name)
		}
	}
	for _, c := range diag.Codes() {
		codes = append(codes, string(c.Code))
	}
	for _, row := range settings.Rows() {
		keys = append(keys, row.Key)
	}
	for _, a := range visual.Attributes() {
		attributes = append(attributes, "@"+a.String())
	}
	for topic, names := range map[string][]string{
		"strategies":    append(strategy.FieldNames(), "matchingTimeout", "conditionTimeout", "regexTimeout", "visualQueryTimeout", "extraTimeout"),
		"conditions":    {"all", "any", "none", "not"},
		"operators":     cond.OperatorNames(),
		"paths":         paths,
		"visual":        slices.Concat(attributes, facts.ElementTypes(), visual.Functions(), []string{"visual.exists", "visual.count", "visual.match"}),
		"preprocessors": plan.Preprocessors().IDs(),
		"rules":         append(rule.NativeFields(), string(rule.TTSR), string(rule.Always), string(rule.Rulebook), string(rule.None)),
		"settings":      keys,
		"diagnostics":   codes,
		"agents":        agent.Names(),
		"exit-codes":    {"0", "1", "2", "3", "130", "141"},
		"skills":        append(skillSources(), "auto", "strategy", "skill", "markdown", "url"),
		"tests":         {"strategy", "context", "cases", "name", "selection", "text", "attach", "input", "result", "prompt", "systemPrompt", "diagnostics", "fails"},
	} {
		entries := reference.Entries(topic)
		for _, name := range names {
			if !slices.Contains(entries, name) {
				t.Errorf("docs/reference/%s.md says nothing of `%s`", topic, name)
			}
			if text, ok := reference.Entry(topic, name); ok && text == "" {
				t.Errorf("docs/reference/%s.md says nothing of `%s` but its name", topic, name)
			}
		}
	}
	for _, name := range reference.Entries("operators") {
		if !slices.Contains(cond.OperatorNames(), name) {
			t.Errorf("docs/reference/operators.md knows `%s`, which is no operator", name)
		}
	}
}

// TestReferenceHasItsPages: every page is a topic, and every topic has a page with a heading.
func TestReferenceHasItsPages(t *testing.T) {
	files, err := filepath.Glob(filepath.FromSlash("docs/reference/*.md"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != len(reference.Topics()) {
		t.Errorf("%d pages, %d topics", len(files), len(reference.Topics()))
	}
	for _, topic := range reference.Topics() {
		page, ok := reference.Page(topic.Name)
		if !ok || !strings.HasPrefix(page, "# ") || topic.About == "" {
			t.Errorf("%s: %.40q", topic.Name, page)
		}
	}
}

// skillSources are the sources of skills, as they stand in ids.
func skillSources() []string {
	var names []string
	for _, root := range skillfolder.Roots(files.OS(), settings.Paths{Home: "/home/me", Skills: "/home/me/.config/pertain/skills"}, "/work", false) {
		names = append(names, root.Source)
	}
	return names
}

// TestReferenceJSON: the page on JSON has a section for every command with --json, and names every key that its examples print.
func TestReferenceJSON(t *testing.T) {
	page, _ := reference.Page("json")
	entries := reference.Entries("json")
	for _, command := range commandsWithJSON(t, nil) {
		if !slices.Contains(entries, command) {
			t.Errorf("docs/reference/json.md has no section `%s`", command)
		}
	}
	prose := page
	for _, b := range blocks(page) {
		prose = strings.Replace(prose, b.text(), "", 1)
	}
	for _, b := range blocks(page) {
		for _, key := range regexp.MustCompile(`(?m)^\s*"(\w+)": |^\{"(\w+)":|,"(\w+)":`).FindAllStringSubmatch(b.text(), -1) {
			if name := key[1] + key[2] + key[3]; b.kind == "console" && !regexp.MustCompile("[`.]"+name+"`").MatchString(prose) {
				t.Errorf("docs/reference/json.md does not explain `%s`", name)
			}
		}
	}
}

// commandsWithJSON are the commands below one that have the flag, as their help tells.
func commandsWithJSON(t *testing.T, parent []string) []string {
	t.Helper()
	var out strings.Builder
	cli.Main(t.Context(), cli.Invocation{Args: append(slices.Clone(parent), "--help"), Stdin: strings.NewReader(""), Stdout: &out, Stderr: io.Discard, Dir: t.TempDir()})
	var found []string
	if strings.Contains(out.String(), " --json ") && len(parent) > 0 {
		found = append(found, strings.Join(parent, " "))
	}
	_, rest, _ := strings.Cut(out.String(), "Available Commands:\n")
	list, _, _ := strings.Cut(rest, "\n\n")
	for line := range strings.Lines(list) {
		if fields := strings.Fields(line); len(fields) > 0 && fields[0] != "help" {
			found = append(found, commandsWithJSON(t, append(slices.Clone(parent), fields[0]))...)
		}
	}
	return found
}
