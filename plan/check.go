package plan

import (
	"regexp"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/strategy"
)

// Check finds placeholders of a strategy's templates that nothing ever fills, and
// braces that are nearly a placeholder. A nil registry is Pertain's own.
func Check(s *strategy.Strategy, registry *Registry) diag.List {
	return NewChecks(registry).Check(s)
}

// Checks is [Check] for strategies that are checked together: a template that many of
// them take from one source is looked through once.
type Checks struct {
	registry *Registry
	found    map[templates][]finding
	offsets  map[passage]int // where a text stands in a source that was included; -1: nowhere
}

// NewChecks makes one that has checked nothing yet. A nil registry is Pertain's own.
func NewChecks(registry *Registry) *Checks {
	return &Checks{registry: registry, found: map[templates][]finding{}, offsets: map[passage]int{}}
}

// templates are what decides what is found.
type templates struct{ system, body, preprocessors string }

// finding is a part of a template that is probably not meant.
type finding struct {
	part
	body         bool // it is in the body, not in the system prompt
	hint, format string
}

// passage is a text in a source.
type passage struct {
	source *diag.Source
	text   string
	whole  bool // the text is a template; else one placeholder
}

// Check is what is found in the templates of a strategy.
func (c *Checks) Check(s *strategy.Strategy) diag.List {
	key := templates{s.SystemPrompt, s.Body, strings.Join(s.Preprocessors, "\n")}
	found, known := c.found[key]
	if !known {
		found = findings(s, c.registry)
		c.found[key] = found
	}
	if len(found) == 0 {
		return nil
	}
	list := make(diag.List, 0, len(found))
	var sources [2]*diag.Source // where the system prompt and the body stand
	var starts [2]int
	for i, text := range [2]string{s.SystemPrompt, s.Body} {
		sources[i], starts[i] = c.whole(s, text)
	}
	for _, f := range found {
		at := 0
		if f.body {
			at = 1
		}
		source, span := sources[at], diag.Span{Start: starts[at] + f.at, End: starts[at] + f.at + len(f.text) + len("{}")}
		if source == nil {
			source, span = c.alone(s, f.part)
		}
		d := diag.At(source, span, diag.TemplateUnknownPlaceholder, f.format, diag.Short(f.text))
		d.Hint, d.Path = f.hint, f.text
		list.Add(d)
	}
	return list
}

// findings looks through the templates.
func findings(s *strategy.Strategy, registry *Registry) []finding {
	var list []finding
	told := map[string]bool{}
	for i, text := range []string{s.SystemPrompt, s.Body} {
		template := parseTemplate(text)
		for _, p := range template.parts {
			if told[p.text] {
				continue
			}
			if len(told) > diag.MaxPerFile { // nobody is shown more
				return list
			}
			if hint, unknown := unfilled(s, registry, p); unknown {
				told[p.text] = true
				list = append(list, finding{p, i == 1, hint, "nothing fills `{%s}`"})
			}
		}
		for _, p := range template.nearly(text) {
			if told[p.text] {
				continue
			}
			if len(told) > diag.MaxPerFile {
				return list
			}
			if near := nearPlaceholder(s, registry, p.text); near != "" {
				told[p.text] = true
				list = append(list, finding{p, i == 1, "did you mean `{" + near + "}`? write `{{" + p.text + "}}` for the braces themselves", "`{%s}` is no placeholder and stays as it is"})
			}
		}
	}
	return list
}

// whole is where a text stands as it is, in the strategy's own file or in the one that it includes; nil: nowhere.
func (c *Checks) whole(s *strategy.Strategy, text string) (source *diag.Source, at int) {
	return c.first(s, text, true)
}

// alone is where a placeholder stands in a text that YAML has folded or unescaped.
func (c *Checks) alone(s *strategy.Strategy, hole part) (*diag.Source, diag.Span) {
	text := "{" + hole.text + "}"
	if source, at := c.first(s, text, false); source != nil {
		return source, diag.Span{Start: at, End: at + len(text)}
	}
	return s.Source, diag.NoSpan
}

// first looks for a text in the strategy's own file, then in the one that it includes: for a template from the end, where the body is.
func (c *Checks) first(s *strategy.Strategy, text string, whole bool) (*diag.Source, int) {
	index := strings.Index
	if whole {
		index = strings.LastIndex
	}
	if s.Source != nil {
		if at := index(s.Source.Text(), text); at >= 0 {
			return s.Source, at
		}
	}
	for _, source := range s.Includes {
		if source == nil {
			continue
		}
		at, known := c.offsets[passage{source, text, whole}]
		if !known {
			at = index(source.Text(), text)
			c.offsets[passage{source, text, whole}] = at
		}
		if at >= 0 {
			return source, at
		}
	}
	return nil, -1
}

// unfilled tells whether nothing ever fills a placeholder, and what to do about it.
func unfilled(s *strategy.Strategy, registry *Registry, p part) (hint string, unknown bool) {
	if !p.holder || p.text == argument {
		return "", false
	}
	if root, _, _ := strings.Cut(p.text, "."); root != variableRoot {
		if _, known := facts.Find(p.text); known {
			return "", false
		}
		if near := facts.NearestPath(p.text); near != "" {
			return "did you mean `{" + near + "}`?", true
		}
		return "docs/context.md lists all paths", true
	}
	variables := variablesOf(s, registry)
	if slices.ContainsFunc(variables, func(name string) bool { return name == p.text || strings.HasPrefix(name, p.text+".") }) {
		return "", false
	}
	if id := registry.setter(p.text); id != "" {
		return "add `" + id + "` to `preprocessors`", true
	}
	if near := diag.Nearest(p.text, append(variables, registry.variables()...)); near != "" {
		return "did you mean `{" + near + "}`?", true
	}
	return "the variables are " + strings.Join(registry.variables(), ", "), true
}

// variablesOf are what the preprocessors of a strategy set.
func variablesOf(s *strategy.Strategy, registry *Registry) []string {
	var names []string
	for _, id := range s.Preprocessors {
		info, _ := registry.Info(id)
		names = append(names, info.Variables...)
	}
	return names
}

// variables are what all preprocessors set.
func (r *Registry) variables() []string {
	var names []string
	for _, p := range r.list() {
		names = append(names, p.info.Variables...)
	}
	return names
}

// braced is a name between braces, or between two of them on each side.
var braced = regexp.MustCompile(`\{?\{[A-Za-z_][\w.\[\]^-]*\}\}?`)

// nearly are the names between braces in the literal text of a template.
func (t template) nearly(text string) []part {
	holders := map[int]bool{}
	for _, p := range t.parts {
		if p.holder {
			holders[p.at] = true
		}
	}
	var out []part
	for _, at := range braced.FindAllStringIndex(text, -1) {
		name := text[at[0]:at[1]]
		if strings.HasPrefix(name, "{{") || strings.HasSuffix(name, "}}") || holders[at[0]] {
			continue
		}
		out = append(out, part{text: name[1 : len(name)-1], at: at[0]})
	}
	return out
}

// nearPlaceholder is the placeholder that a name was meant to be by a slip of the
// hand; most braces are text and mean nothing.
func nearPlaceholder(s *strategy.Strategy, registry *Registry, name string) string {
	if diag.IsNear(name, argument) {
		return argument
	}
	if !strings.Contains(name, ".") {
		return ""
	}
	for _, variable := range append(variablesOf(s, registry), registry.variables()...) {
		if diag.IsNear(name, variable) {
			return variable
		}
	}
	for _, path := range facts.Paths() {
		if diag.IsNear(name, path.Name) && path.Kind != facts.Object {
			return path.Name
		}
	}
	return ""
}
