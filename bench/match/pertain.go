package match

import (
	"context"
	"fmt"

	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/facts"
)

// parse reads conditions from YAML, as loading a strategy does.
func parse(all []condition) ([]*cond.Expr, error) {
	exprs := make([]*cond.Expr, len(all))
	err := onAllCores(len(all), func(i int) error {
		node, problems := document.ParseYAML(diag.NewSource("condition", "when: "+all[i].yaml()+"\n"))
		if len(problems) > 0 {
			return fmt.Errorf("it is not valid YAML: %v", problems[0])
		}
		expr, list := cond.Parse(node.Get("when"))
		if list.HasErrors() {
			return fmt.Errorf("it is not valid: %s", list[0].Message)
		}
		exprs[i] = expr
		return nil
	})
	return exprs, err
}

// compile makes programs of parsed conditions.
func compile(exprs []*cond.Expr) ([]cond.Condition, error) {
	compiled := make([]cond.Condition, len(exprs))
	for i, e := range exprs {
		program, list := cond.Compile(e)
		if list.HasErrors() {
			return nil, fmt.Errorf("condition %d does not compile: %s", i, list[0].Message)
		}
		compiled[i].Program = program
	}
	return compiled, nil
}

// indexed matches through the index over all conditions, as the engine does.
func indexed(compiled []cond.Condition, contexts []situation) engine {
	set := cond.NewSet(append([]cond.Condition(nil), compiled...))
	snapshots := snapshotsOf(contexts)
	match := func(s *facts.Snapshot, hit func(int)) {
		set.Match(context.Background(), cond.NewEvaluation(s), func(h cond.Hit) { hit(h.Condition) })
	}
	return engine{"pertain", func(c int, hit func(int)) { match(snapshots[c], hit) }}
}

// walked evaluates every condition, one after the other.
func walked(compiled []cond.Condition, contexts []situation) engine {
	snapshots := snapshotsOf(contexts)
	match := func(s *facts.Snapshot, hit func(int)) {
		cond.Walk(context.Background(), compiled, cond.NewEvaluation(s), func(h cond.Hit) { hit(h.Condition) })
	}
	return engine{"walk", func(c int, hit func(int)) { match(snapshots[c], hit) }}
}

func snapshotsOf(contexts []situation) []*facts.Snapshot {
	out := make([]*facts.Snapshot, len(contexts))
	for i, s := range contexts {
		out[i] = s.snapshot()
	}
	return out
}
