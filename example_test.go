package pertain_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/stream"
)

// project makes a folder with files, as somebody's project is one.
func project(files map[string]string) (dir string, remove func()) {
	dir, err := os.MkdirTemp("", "project")
	if err != nil {
		log.Fatal(err)
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		log.Fatal(err)
	}
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			log.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			log.Fatal(err)
		}
	}
	return dir, func() { _ = os.RemoveAll(dir) }
}

// environment is the folder and nothing of this machine. A program of its own passes
// os.Getenv, and gets the user's settings, strategies and rules too.
func environment(dir string) pertain.Environment {
	return pertain.Environment{Dir: dir, Strategies: []string{filepath.Join(dir, "strategies")}, NoBuiltin: true}
}

const invoices = `---
name: File these invoices
when:
  attachments.files:
    any: { extension: { equals: .pdf } }
---
File what I selected: {attachments.files}
`

const selected = `{"attachments": {"files": [{"path": "/inbox/a.pdf", "name": "a.pdf", "extension": ".pdf", "kind": "file"}]}}`

// openIn opens the strategies of a project.
func openIn(dir string) *pertain.Engine {
	location, err := pertain.Locate(environment(dir))
	if err != nil {
		log.Fatal(err) // the settings cannot be read
	}
	engine, err := pertain.Open(context.Background(), location.Options)
	if err != nil {
		log.Fatal(err)
	}
	return engine
}

func Example() {
	dir, remove := project(map[string]string{"strategies/invoices.strategy.md": invoices})
	defer remove()
	engine := openIn(dir)
	snapshot, err := facts.Decode("situation.json", []byte(selected))
	if err != nil {
		log.Fatal(err)
	}
	match, err := engine.Match(context.Background(), snapshot, pertain.MatchOptions{})
	if err != nil {
		log.Fatal(err) // the context was cancelled
	}
	for _, c := range match.Candidates {
		fmt.Println(c.Strategy.ID, "·", c.Strategy.Name)
	}
	// Output: user.invoices · File these invoices
}

// What is wrong with a strategy is a diagnostic of the catalog, never an error.
func ExampleOpen() {
	dir, remove := project(map[string]string{
		"strategies/good.strategy.md":   invoices,
		"strategies/broken.strategy.md": "---\nname: Broken\nwhen: { clipbord.text: { equals: a } }\n---\n",
	})
	defer remove()
	location, err := pertain.Locate(environment(dir))
	if err != nil {
		log.Fatal(err)
	}
	engine, err := pertain.Open(context.Background(), location.Options)
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range engine.Catalog().Strategies() {
		fmt.Println(s.ID, s.Valid)
	}
	for _, d := range engine.Catalog().Diagnostics() {
		at, _ := d.Position()
		fmt.Printf("%s:%d: %s\n", filepath.Base(d.File()), at.Line, d.Code)
	}
	// Output:
	// user.broken false
	// user.good true
	// broken.strategy.md:3: strategy.invalid_when
}

func ExampleEngine_Explain() {
	dir, remove := project(map[string]string{"strategies/invoices.strategy.md": invoices})
	defer remove()
	engine := openIn(dir)
	snapshot := facts.NewSnapshot(facts.Parts{}) // nothing is known
	explanation, ok := engine.Explain("user.invoices", snapshot, pertain.ExplainOptions{})
	if !ok {
		log.Fatal("there is no such strategy")
	}
	fmt.Println(explanation.Result)
	fmt.Println(explanation.Tree.Kind, explanation.Tree.Label, explanation.Tree.Result)
	// Output:
	// null
	// path attachments.files null
}

func ExampleEngine_Plan() {
	dir, remove := project(map[string]string{"strategies/note.strategy.md": "---\nname: Note\n---\nNote {Argument}, seen in {environment.os}.\n"})
	defer remove()
	snapshot, err := facts.Decode("situation.json", []byte(`{"environment": {"os": "linux"}}`))
	if err != nil {
		log.Fatal(err)
	}
	run, ok, err := openIn(dir).Plan(context.Background(), "user.note", snapshot, pertain.PlanOptions{Input: "the noise"})
	if err != nil || !ok {
		log.Fatal(ok, err)
	}
	fmt.Print(run.Plan.Prompt)
	// Output: Note the noise, seen in linux.
}

// Which rules of any tool apply to a file that an agent is about to change.
func ExampleOpenRules() {
	dir, remove := project(map[string]string{
		".git/HEAD":               "ref: refs/heads/main\n",
		".cursor/rules/tests.mdc": "---\ndescription: How we test\nglobs: '**/*_test.go'\n---\nTables, please.\n",
		"CLAUDE.md":               "Be brief.\n",
	})
	defer remove()
	book, err := pertain.OpenRules(context.Background(), environment(dir), pertain.RuleOptions{})
	if err != nil {
		log.Fatal(err)
	}
	for _, verdict := range book.ForPaths([]string{filepath.Join(dir, "sum_test.go")}, false)[0] {
		fmt.Printf("%s of %s, by %s: %s\n", verdict.Rule.Name, verdict.Rule.Provider, verdict.Why, strings.TrimSpace(verdict.Rule.Content))
	}
	// Output:
	// tests of cursor, by glob: Tables, please.
	// CLAUDE of claude, by always: Be brief.
}

// A rule with a trigger stops a model's answer as soon as the answer matches.
func Example_stream() {
	dir, remove := project(map[string]string{
		".git/HEAD":             "ref: refs/heads/main\n",
		".omp/rules/no-eval.md": "---\nttsr_trigger: 'eval\\('\n---\nNever use eval.\n",
	})
	defer remove()
	ctx := context.Background()
	book, err := pertain.OpenRules(ctx, environment(dir), pertain.RuleOptions{})
	if err != nil {
		log.Fatal(err)
	}
	set, problems := stream.Compile(stream.FromRules(book.Rules(), filepath.ToSlash(book.Root)), stream.Options{})
	if len(problems) > 0 {
		log.Fatal(problems)
	}
	watcher, err := stream.NewWatcher(ctx, set, nil, stream.Policy{})
	if err != nil {
		log.Fatal(err)
	}
	for _, piece := range []string{"Then run ", "ev", "al(", "input)"} {
		verdict, err := watcher.Feed(ctx, stream.Source{Kind: stream.Text}, piece)
		if err != nil {
			log.Fatal(err)
		}
		if verdict.Interrupt {
			fmt.Printf("stopped in %q:\n%s", piece, verdict.Injection())
			break
		}
	}
	// Output:
	// stopped in "al(":
	// <system-interrupt reason="rule_violation" rule="no-eval" path=".omp/rules/no-eval.md">
	// Never use eval.
	// </system-interrupt>
}
