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
	var list diag.List
	told := map[string]bool{}
	for _, text := range []string{s.SystemPrompt, s.Body} {
		template := parseTemplate(text)
		for _, p := range template.parts {
			if told[p.text] {
				continue
			}
			if len(told) > diag.MaxPerFile { // nobody is shown more, and to find each takes as long as the text is
				return list
			}
			if hint, unknown := unfilled(s, registry, p); unknown {
				told[p.text] = true
				list.Add(unknownPlaceholder(s, text, p, hint, "nothing fills `{%s}`"))
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
				list.Add(unknownPlaceholder(s, text, p, "did you mean `{"+near+"}`? write `{{"+p.text+"}}` for the braces themselves", "`{%s}` is no placeholder and stays as it is"))
			}
		}
	}
	return list
}

func unknownPlaceholder(s *strategy.Strategy, text string, p part, hint, format string) diag.Diagnostic {
	source, span := locate(s, text, p)
	d := diag.At(source, span, diag.TemplateUnknownPlaceholder, format, diag.Short(p.text))
	d.Hint, d.Path = hint, p.text
	return d
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
