package facts_test

import (
	"context"
	"fmt"
	"time"

	"github.com/pertain-dev/pertain/facts"
)

// lamp is a collector: it tells whether a lamp is on.
type lamp struct{}

func (lamp) Info() facts.CollectorInfo {
	return facts.CollectorInfo{ID: "example.lamp", Serves: []string{"extra.lamp"}, Permission: "Reads the lamp"}
}

func (lamp) CanCollect(context.Context, *facts.Snapshot, facts.Request) bool { return true }

func (lamp) Collect(context.Context, *facts.Snapshot, facts.Request) (facts.Part, error) {
	return facts.Part{}.With("extra.lamp", facts.Fields(facts.Field{Name: "on", Value: facts.Flag(true)})), nil
}

// A collector is asked only for what conditions need.
func ExampleGatherer() {
	var needs facts.Needs
	needs.AddPath("extra.lamp.on")
	gathering, err := facts.NewGatherer(lamp{}).Gather(context.Background(), needs, facts.Parts{}, time.Second)
	if err != nil {
		panic(err)
	}
	fmt.Println(facts.Item(gathering.Snapshot.Values(), "extra.lamp.on").Bool())
	for _, part := range gathering.Parts {
		fmt.Println(part.Path, part.Provider, part.Available)
	}
	// Output:
	// true
	// extra.lamp example.lamp true
}

func Example() {
	snapshot, err := facts.Decode("situation.json", []byte(`{"clipboard": {"text": "https://example.org"}, "environment": {"os": "linux"}}`))
	if err != nil {
		panic(err)
	}
	path, _ := facts.Lookup("clipboard.text")
	fmt.Println(snapshot.At(path).Text())
	fmt.Println(snapshot.Known())
	// Output:
	// https://example.org
	// [clipboard.text environment.os]
}
