package export

import "github.com/pertain-dev/pertain/internal/agent"

// native is Pertain's own form, in which import writes.
func native() Form {
	return Form{
		Path: ".pertain/rules", End: ".md", Deep: true,
		Always: "`alwaysApply: true`", Globs: "`globs`", Except: "`!`", Description: "`description`", Manual: "none of these", Trigger: "`condition`",
		dialect: dialect{baseName: true},
		fields:  nativeFields,
		agent:   &agent.Agent{Name: "pertain", Title: "Pertain"},
	}
}

// omp loads native rules, but none by their globs.
func omp() Form {
	f := native()
	f.Agent, f.Path, f.Deep = "omp", ".omp/rules", false
	f.User = ".omp/agent/rules"
	f.Globs, f.Except = "", ""
	return f
}

func nativeFields(p *placed) []field {
	if p.as == Manual && p.Description != "" {
		p.lose("description", "a manual rule has none; with one the model could ask for it")
		p.Description = ""
	}
	out := described(p.Description)
	if globs := withExcept(p); len(globs) > 0 && (p.as == ByGlobs || p.as == ByTrigger) {
		out = append(out, texts("globs", globs))
	}
	if p.as == Always {
		out = append(out, word("alwaysApply", "true"))
	}
	if p.as == ByTrigger {
		out = append(out, oneOrMore("condition", p.Triggers))
		if len(p.Scope) > 0 {
			out = append(out, texts("scope", p.Scope))
		}
		if p.InterruptMode != "" {
			out = append(out, text("interruptMode", p.InterruptMode))
		}
	}
	return out
}
