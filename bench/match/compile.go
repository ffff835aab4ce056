package match

import (
	"cel.dev/cel-go/cel"
	"github.com/expr-lang/expr"

	"github.com/pertain-dev/pertain/bench/measure"
	"github.com/pertain-dev/pertain/cond"
)

// compileSize is the number of conditions for which compiling is measured.
const compileSize = 10_000

// compileCase measures what it takes to make the index of parsed conditions,
// for each condition: time, and memory that stays.
func compileCase(b *measure.Bench, all []condition, exprs []*cond.Expr, contexts []situation, regex bool) {
	n := len(all)
	if n != compileSize {
		return
	}
	type built struct {
		programs []*cond.Program
		set      *cond.Set
	}
	build := func() any {
		compiled, _ := compile(exprs) // it was checked before
		programs := make([]*cond.Program, n)
		for i, m := range compiled {
			programs[i] = m.Program
		}
		return built{programs, cond.NewSet(compiled)}
	}
	bytes := measure.Kept(build) / float64(n)
	perCondition := *b
	perCondition.Emit = func(r measure.Result) {
		r.PertainNS /= float64(n)
		r.Ratio = r.PeerNS / r.PertainNS
		r.Allocs /= float64(n)
		r.Bytes = bytes
		b.Emit(r)
	}
	env, err := celEnvironment(contexts[0])
	if err != nil {
		return
	}
	// One of the peers' runs is one condition, parsing included: they have no
	// step between.
	perCondition.Compare(
		measure.Case{Name: "compile one condition" + suffix(regex), N: n},
		measure.Engine{Name: "pertain", Run: func(int) { build() }},
		measure.Engine{Name: "expr", Run: func(run int) {
			_, _ = expr.Compile(exprSource(all[run%n]), expr.Env(contexts[0].folded), expr.AsBool())
		}},
		measure.Engine{Name: "cel-go", Run: func(run int) {
			if ast, issues := env.Compile(celSource(all[run%n])); issues.Err() == nil {
				_, _ = env.Program(ast, cel.EvalOptions(cel.OptOptimize))
			}
		}},
	)
}
