package match

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"
)

// opaEngine asks one policy whose set of answers has a rule a condition. The
// input is parsed beforehand.
func opaEngine(all []condition, contexts []situation) (engine, error) {
	var b strings.Builder
	b.WriteString("package bench\n\n")
	for i, c := range all {
		fmt.Fprintf(&b, "hits contains %d if {\n", i)
		for at, p := range c {
			b.WriteString("\t" + regoPredicate(p, fmt.Sprint("e", at)) + "\n")
		}
		b.WriteString("}\n\n")
	}
	query, err := rego.New(rego.Query("data.bench.hits"), rego.Module("bench.rego", b.String())).PrepareForEval(context.Background())
	if err != nil {
		return engine{}, fmt.Errorf("opa: %w", err)
	}
	inputs := make([]ast.Value, len(contexts))
	for i, s := range contexts {
		values := map[string]any{}
		for name, value := range s.folded {
			values[name] = value
		}
		if inputs[i], err = ast.InterfaceToValue(values); err != nil {
			return engine{}, fmt.Errorf("opa: %w", err)
		}
	}
	match := func(c int, hit func(int)) {
		results, err := query.Eval(context.Background(), rego.EvalParsedInput(inputs[c]))
		if err != nil || len(results) == 0 {
			return
		}
		hits, _ := results[0].Expressions[0].Value.([]any)
		for _, value := range hits {
			if number, ok := value.(json.Number); ok {
				if i, err := number.Int64(); err == nil {
					hit(int(i))
				}
			}
		}
	}
	return engine{"opa", match}, nil
}

// regoPredicate writes a predicate; element is a name that no other predicate
// of the rule uses.
func regoPredicate(p predicate, element string) string {
	value := "input." + p.field.name
	switch p.op {
	case isTrue:
		return value
	case in:
		return value + " in " + list(p.texts, "{", "}")
	case contains:
		return "contains(" + value + ", " + quote(p.texts[0]) + ")"
	case holds:
		return quote(p.texts[0]) + " in " + value
	case holdsAny:
		return "some " + element + " in " + value + "; " + element + " in " + list(p.texts, "{", "}")
	case startsWith:
		return "startswith(" + value + ", " + quote(p.texts[0]) + ")"
	case endsWith:
		return "endswith(" + value + ", " + quote(p.texts[0]) + ")"
	case matches:
		return "regex.match(" + quote(p.texts[0]) + ", " + value + ")"
	case length, count:
		return fmt.Sprintf("count(%s) >= %d", value, p.number)
	case anyMin:
		return fmt.Sprintf("some %[1]s in %[2]s; %[1]s >= %[3]d", element, value, p.number)
	}
	return value + " == " + quote(p.texts[0])
}
