package match

import (
	"fmt"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/vm"
)

// exprEngine loops over one expr program a condition.
func exprEngine(all []condition, contexts []situation) (engine, error) {
	programs := make([]*vm.Program, len(all))
	err := onAllCores(len(all), func(i int) error {
		program, err := expr.Compile(exprSource(all[i]), expr.Env(contexts[0].folded), expr.AsBool())
		programs[i] = program
		return err
	})
	if err != nil {
		return engine{}, fmt.Errorf("expr: %w", err)
	}
	var machine vm.VM
	match := func(c int, hit func(int)) {
		for i, program := range programs {
			if out, err := machine.Run(program, contexts[c].folded); err == nil && out == true {
				hit(i)
			}
		}
	}
	return engine{"expr", match}, nil
}

func exprSource(c condition) string {
	parts := make([]string, len(c))
	for i, p := range c {
		parts[i] = exprPredicate(p)
	}
	return strings.Join(parts, " && ")
}

func exprPredicate(p predicate) string {
	name := p.field.name
	switch p.op {
	case isTrue:
		return name
	case in:
		return name + " in " + list(p.texts, "[", "]")
	case contains:
		return name + " contains " + quote(p.texts[0])
	case holds:
		return quote(p.texts[0]) + " in " + name
	case holdsAny:
		return "any(" + name + ", # in " + list(p.texts, "[", "]") + ")"
	case startsWith:
		return name + " startsWith " + quote(p.texts[0])
	case endsWith:
		return name + " endsWith " + quote(p.texts[0])
	case matches:
		return name + " matches " + quote(p.texts[0])
	case length, count:
		return fmt.Sprintf("len(%s) >= %d", name, p.number)
	case anyMin:
		return fmt.Sprintf("any(%s, # >= %d)", name, p.number)
	}
	return name + " == " + quote(p.texts[0])
}
