package lint

import (
	"context"
	"slices"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/discover/skillfolder"
	"github.com/pertain-dev/pertain/internal/discover/strategyfile"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/follow"
	"github.com/pertain-dev/pertain/skill"
	"github.com/pertain-dev/pertain/strategy"
)

// broken are mistakes by which a rule or skill does not do what it says. On one machine, where files of other tools are read as well, the rest of it is
// used and they are warnings; pushed, they would be on every machine, and nobody there could mend them.
var broken = []diag.Code{
	diag.RuleInvalidYAML, diag.RuleInvalidTrigger, diag.RuleInvalidField, diag.RuleEmpty, diag.RuleTooLarge, diag.SkillInvalid,
}

// Fleet checks a folder that is to be a revision of a fleet, as other machines will load it. Whether a glob matches anything is theirs to say.
func (w Workspace) Fleet(ctx context.Context, dir string) (Report, error) {
	tree := follow.Noted(ctx, files.OS())
	skills := skillfolder.Fleet(dir, func(context.Context) string { return dir })
	options := w.Engine
	options.Providers = []strategy.Provider{strategyfile.Fleet(tree, dir)}
	options.Resolvers = []strategy.Resolver{strategyfile.Resolver{Tree: tree}, skillfolder.Resolver{Tree: tree, Moving: skills}}
	options.Diagnostics = nil // the settings were not asked about
	read, err := w.readStrategies(ctx, options)
	if err != nil {
		return Report{}, err
	}
	rules, list, err := discover.FleetRules(ctx, tree, w.Rules, dir)
	if err != nil {
		return Report{}, err
	}
	registry, err := skill.Library{Tree: tree, Moving: skills}.Load(ctx)
	if err != nil {
		return Report{}, err
	}
	report := Report{Files: len(read.Looked) + len(rules) + len(registry.Skills())}
	report.Diagnostics = append(append(append(diag.List{}, read.Diagnostics...), list...), CheckTexts(rules)...)
	report.Diagnostics = append(report.Diagnostics, registry.Diagnostics()...)
	for i := range report.Diagnostics {
		if d := &report.Diagnostics[i]; d.Severity == diag.Warning && slices.Contains(broken, d.Code) {
			d.Severity = diag.Error
		}
	}
	report.Finish()
	return report, nil
}
