package match

import (
	"fmt"
	"strings"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
)

// celEngine loops over one CEL program a condition. Regular expressions and
// lists are prepared when a program is made.
func celEngine(all []condition, contexts []situation) (engine, error) {
	env, err := celEnvironment(contexts[0])
	if err != nil {
		return engine{}, fmt.Errorf("cel-go: %w", err)
	}
	programs := make([]cel.Program, len(all))
	err = onAllCores(len(all), func(i int) error {
		ast, issues := env.Compile(celSource(all[i]))
		if issues.Err() != nil {
			return issues.Err()
		}
		programs[i], err = env.Program(ast, cel.EvalOptions(cel.OptOptimize))
		return err
	})
	if err != nil {
		return engine{}, fmt.Errorf("cel-go: %w", err)
	}
	activations := make([]cel.Activation, len(contexts))
	for i, s := range contexts {
		values := map[string]any{}
		for name, value := range s.folded { // converted beforehand
			values[name] = types.DefaultTypeAdapter.NativeToValue(value)
		}
		if activations[i], err = cel.NewActivation(values); err != nil {
			return engine{}, fmt.Errorf("cel-go: %w", err)
		}
	}
	match := func(c int, hit func(int)) {
		for i, program := range programs {
			if out, _, err := program.Eval(activations[c]); err == nil && out == types.True {
				hit(i)
			}
		}
	}
	return engine{"cel-go", match}, nil
}

func celEnvironment(s situation) (*cel.Env, error) {
	var options []cel.EnvOption
	for name, value := range s.folded {
		kind := cel.StringType
		switch value.(type) {
		case bool:
			kind = cel.BoolType
		case []string:
			kind = cel.ListType(cel.StringType)
		case []int64:
			kind = cel.ListType(cel.IntType)
		}
		options = append(options, cel.Variable(name, kind))
	}
	return cel.NewEnv(options...)
}

func celSource(c condition) string {
	parts := make([]string, len(c))
	for i, p := range c {
		parts[i] = celPredicate(p)
	}
	return strings.Join(parts, " && ")
}

func celPredicate(p predicate) string {
	name := p.field.name
	switch p.op {
	case isTrue:
		return name
	case in:
		return name + " in " + list(p.texts, "[", "]")
	case contains:
		return name + ".contains(" + quote(p.texts[0]) + ")"
	case holds:
		return quote(p.texts[0]) + " in " + name
	case holdsAny:
		return name + ".exists(e, e in " + list(p.texts, "[", "]") + ")"
	case startsWith:
		return name + ".startsWith(" + quote(p.texts[0]) + ")"
	case endsWith:
		return name + ".endsWith(" + quote(p.texts[0]) + ")"
	case matches:
		return name + ".matches(" + quote(p.texts[0]) + ")"
	case length, count:
		return fmt.Sprintf("size(%s) >= %d", name, p.number)
	case anyMin:
		return fmt.Sprintf("%s.exists(e, e >= %d)", name, p.number)
	}
	return name + " == " + quote(p.texts[0])
}
