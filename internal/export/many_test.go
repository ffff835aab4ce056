package export

import (
	"fmt"
	"testing"
)

// TestManyRules: what is told of very many rules of one file, and where they come from, is compared with no other of them; that
// took minutes.
func TestManyRules(t *testing.T) {
	const count = 300_000
	file := &File{rel: "AGENTS.md"}
	for i := range count {
		file.hold(&placed{Rule: Rule{Name: fmt.Sprintf("r%06d", i), Description: "D", Source: fmt.Sprintf(".pertain/rules/r%06d.md", i/2)}})
	}
	file.finish()
	if len(file.Rules) != count || len(file.sources) != count/2 || file.sources[1] != ".pertain/rules/r000001.md" {
		t.Errorf("%d rules from %d files", len(file.Rules), len(file.sources))
	}
	if losses := sortedLosses(file.placed); len(losses) != count+1 || losses[0] != "name: rules in AGENTS.md have none" || losses[2] != "description: `r000001`: rules in AGENTS.md have none" {
		t.Errorf("%d losses: %q", len(losses), losses[:min(len(losses), 3)])
	}
}
