package discover_test

import (
	"testing"

	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
)

// namesOnly is a disk that cannot be asked anything.
type namesOnly struct{ files.Tree }

func (namesOnly) Flavor() files.Flavor { return files.Unix }

// TestStrategyIsNoRule: that is known by the name; an editor asks for each of many documents.
func TestStrategyIsNoRule(t *testing.T) {
	for _, path := range []string{"/w/.cursor/rules/a.strategy.md", "/w/A.STRATEGY.MD", "/w/.cursor/rules/._a.mdc"} {
		if discover.ReadsAsRule(namesOnly{}, discover.RuleRoots{Dir: "/w"}, path) {
			t.Errorf("%s is a rule", path)
		}
	}
}
