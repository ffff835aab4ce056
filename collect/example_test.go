package collect_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/pertain-dev/pertain/collect"
	"github.com/pertain-dev/pertain/facts"
)

// Only what conditions need is collected: here the workspace of a folder, and
// nothing of the desktop.
func Example() {
	dir, err := os.MkdirTemp("", "collect")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	work := filepath.Join(dir, "shop")
	if err := os.MkdirAll(filepath.Join(work, ".git"), 0o700); err != nil {
		panic(err)
	}

	machine := collect.Open(collect.Options{Dir: work})
	defer machine.Close()
	var needs facts.Needs
	needs.AddPath("extra.workspace.name")
	gathering, err := facts.NewGatherer(machine.Collectors()...).Gather(context.Background(), needs, facts.Parts{}, time.Second)
	if err != nil {
		panic(err)
	}
	fmt.Println(facts.Item(gathering.Snapshot.Values(), "extra.workspace.name").Text())
	for _, part := range gathering.Parts {
		fmt.Println(part.Path, part.Provider)
	}
	// Output:
	// shop
	// extra.workspace workspace.directory
}
