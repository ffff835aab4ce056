package discover

import (
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/internal/agent"
	"github.com/pertain-dev/pertain/rule"
)

// owner is the tool whose files are at an agent's location, and how the tool itself
// takes them.
func (s *search) owner(p *agent.Location) (id string, own location) {
	user := p.Where&agent.User != 0
	for _, t := range s.tools {
		list := t.project
		if user {
			list = t.user
		}
		for _, l := range list {
			if l.path == p.Path && (l.exts != nil) == p.IsFolder() && l.config == (p.Where&agent.Config != 0) {
				return t.id, l
			}
		}
	}
	for _, t := range s.tools { // another spelling, or a file where a tool has a folder
		for _, l := range t.project {
			if strings.EqualFold(l.path, p.Path) {
				return t.id, l
			}
		}
	}
	if p.As != "" {
		return s.owner(&agent.Location{Path: p.As, Exts: p.Exts, Where: p.Where})
	}
	return "opencode", location{} // what settings name
}

// location is an agent's location in the form that the search takes.
func (v *view) location(p *agent.Location) location {
	_, l := v.owner(p)
	l.path, l.exts, l.flat, l.skip = p.Path, p.Exts, p.IsFolder() && !p.Deep, p.Skip
	l.rootBase, l.workBase = p.Base == agent.BaseRoot, p.Base == agent.BaseWork
	l.imports = nil
	if v.agent.Imports.Levels > 0 && !(v.agent.Imports.Memory && p.IsFolder()) || v.agent.Imports.Kiro && p.IsFolder() {
		l.imports = &v.agent.Imports
	}
	l.format, l.always = v.format(p, l)
	return l
}

// format is how the agent reads the files of a location, and whether they always
// apply.
func (v *view) format(p *agent.Location, own location) (f *format, always bool) {
	title := v.agent.Title
	switch p.Reading {
	case agent.AsText, agent.Settings:
		return &format{Tool: title, Whole: true}, true
	case agent.Stripped:
		return &format{Tool: title, Memory: true}, true
	case agent.ByPaths:
		f = claudeRules()
		switch p.Globs {
		case agent.Picomatch:
			f = qwenFormat()
		case agent.BaseName: // Copilot reads Claude's rules
			f = applyToFormat()
			f.GlobKeys, f.SplitItems = []string{"paths"}, false
		}
	case agent.ByApplyTo:
		f = applyToFormat()
		f.Activate = copilotActivation
	case agent.ContinueCLI:
		own := continueDev()
		f = own.project[0].format
	case agent.Omp:
		f = nativeFormat()
		f.Overrides = false
		if own.format != nil { // the fields of the tool whose file it is are no mistake
			f.Keys = append(slices.Clone(f.Keys), own.format.FieldNames()...)
		}
	case agent.OmpGlobs:
		f = applyToFormat()
	default:
		return own.format, own.always
	}
	f.Tool = title
	f.TakesBroken, f.Unquoted = false, false
	f.Exact = v.agent.Measured()
	f.BlankIsText, f.QuoteIsLost = v.agent.Broken.BlankIsText, v.agent.Broken.QuoteIsLost
	return f, false
}

// copilotActivation: Copilot's command line is a coding agent, which authors may
// keep out.
func copilotActivation(f *rule.Fields) rule.Activation {
	if slices.Contains(f.Texts("excludeAgent"), "coding-agent") {
		return rule.Never
	}
	return applyToAll(f)
}

// judge says when the agent loads a rule, and by which way it reaches the model.
func (v *view) judge(r *rule.Rule, f *viewFile) {
	r.When, r.Unsure = v.when(r, f), f.unsure
	switch r.When {
	case rule.AtStart:
		r.Activation = rule.AlwaysActive
	case rule.IsListed:
		r.Activation = rule.OnDescription
	case rule.NotAtAll:
		if r.Activation != rule.Manual {
			r.Activation = rule.Never
		}
	case rule.OnTouch:
		if f.location.Reading == agent.AsText || f.location.Reading == agent.Stripped {
			r.Activation = rule.AlwaysActive // for the files of its folder
		}
	}
	r.Settle()
}

func (v *view) when(r *rule.Rule, f *viewFile) rule.When {
	start := rule.AtStart
	if f.below {
		start = rule.OnTouch
	}
	always := r.Activation == rule.AlwaysActive || r.Activation == rule.ByFields && r.AlwaysApply != nil && *r.AlwaysApply
	switch f.location.Reading {
	case agent.AsText, agent.Stripped, agent.Settings:
		return start
	case agent.ContinueCLI:
		if always {
			return start
		}
		return rule.NotAtAll
	case agent.Omp:
		switch {
		case r.Disabled:
			return rule.NotAtAll
		case len(r.Triggers) > 0:
			return rule.OnTrigger
		case always:
			return start
		case r.Description != nil:
			return rule.IsListed
		}
		return rule.NotAtAll
	case agent.OmpGlobs:
		if slices.Contains(r.Globs, "**") {
			return start
		}
		return rule.IsListed
	}
	switch {
	case r.Lost, r.Activation == rule.Never, r.Activation == rule.Manual:
		return rule.NotAtAll
	case always:
		return start
	case r.Activation == rule.ByFields && len(r.Globs) > 0:
		return rule.OnTouch
	case r.Description != nil:
		return rule.IsListed
	}
	return rule.NotAtAll
}
