// Command collector shows a collector of one's own: the branch of a working folder, read
// from .git/HEAD, beside a strategy that asks for it.
//
//	go run ./examples/collector
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/facts"
)

// branch is the collector.
type branch struct{ dir string }

func (branch) Info() facts.CollectorInfo {
	return facts.CollectorInfo{ID: "example.branch", Serves: []string{"extra.workspace"}}
}

func (branch) CanCollect(context.Context, *facts.Snapshot, facts.Request) bool { return true }

func (b branch) Collect(context.Context, *facts.Snapshot, facts.Request) (facts.Part, error) {
	head, err := os.ReadFile(filepath.Join(b.dir, ".git", "HEAD"))
	if err != nil {
		return facts.Part{}, facts.Unavailable("the folder is no repository", "run it in a repository")
	}
	name, ok := strings.CutPrefix(strings.TrimSpace(string(head)), "ref: refs/heads/")
	if !ok {
		return facts.Part{}, nil // not on a branch: this collector does not know
	}
	part := facts.Part{Summary: map[string]string{"extra.workspace": "1 branch"}}
	return part.With("extra.workspace.git.branch", facts.Text(name)), nil
}

func main() {
	if err := run(context.Background(), os.Stdout, "."); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, out io.Writer, dir string) error {
	strategies, err := os.MkdirTemp("", "strategies")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(strategies) }()
	const text = "---\nname: Review before the release\nwhen: {extra.workspace.git.branch: {startsWith: release}}\n---\nReview.\n"
	if err := os.WriteFile(filepath.Join(strategies, "review.strategy.md"), []byte(text), 0o600); err != nil {
		return err
	}
	location, err := pertain.Locate(pertain.Environment{Dir: dir, Strategies: []string{strategies}, NoBuiltin: true})
	if err != nil {
		return err
	}
	engine, err := pertain.Open(ctx, location.Options)
	if err != nil {
		return err
	}
	gathering, err := engine.Gather(ctx, facts.NewGatherer(branch{dir}), facts.Parts{Values: facts.Fields()})
	if err != nil {
		return err
	}
	for _, part := range gathering.Parts {
		fmt.Fprintln(out, part.Path, part.Provider, part.Available)
	}
	match, err := engine.Match(ctx, gathering.Snapshot, pertain.MatchOptions{})
	if err != nil {
		return err
	}
	for _, c := range match.Candidates {
		fmt.Fprintln(out, c.Strategy.Name)
	}
	return nil
}
