package rule

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
)

// rawFields are the values of a rule as the rulebook keeps them: where it
// says that a field is mapped or cast without a check, any value may stand
// there. nil is JavaScript's undefined.
type rawFields struct {
	description, globs, always, trigger any
}

// bucket is the rulebook's, with JavaScript's idea of truth.
func (f *rawFields) bucket() Bucket {
	switch {
	case truthy(f.trigger):
		return TTSR
	case !truthy(f.always) && truthy(f.description):
		return Rulebook
	}
	return None
}

// normalizeDocumented takes each field exactly as the rulebook says.
func (r *Rule) normalizeDocumented(list *diag.List) {
	how, node := r.Format.Documented, r.Frontmatter
	raw := &rawFields{
		description: keep(node.Get("description"), how.AnyDescription),
		globs:       documentedGlobs(node.Get("globs"), how.AnyGlobs),
		trigger:     keep(node.Get("ttsr_trigger"), how.AnyTrigger),
	}
	always := value(node.Get("alwaysApply"))
	switch flag, isFlag := always.(bool); {
	case how.AnyAlways, isFlag && (flag || !how.TrueAlways):
		raw.always = always
	}
	r.raw = raw
	if truthy(raw.description) {
		text := plainText(raw.description)
		r.Description = &text
	}
	if globs, ok := raw.globs.([]any); ok {
		r.Globs = make([]string, 0, len(globs))
		for _, g := range globs {
			r.Globs = append(r.Globs, plainText(g))
		}
	}
	if flag, ok := raw.always.(bool); ok {
		r.AlwaysApply = &flag
	}
	if truthy(raw.trigger) {
		text := plainText(raw.trigger)
		r.Trigger, r.Triggers = &text, []string{text}
		if err := checkTrigger(text, true); err != nil {
			list.Add(diag.At(r.Source, node.Get("ttsr_trigger").Span(), diag.RuleInvalidTrigger, "the trigger is not a valid expression: %s; it never fires", err))
		}
	}
}

// keep returns a value if it is a string, or whatever it is.
func keep(n *document.Node, any bool) any {
	v := value(n)
	if _, ok := v.(string); ok || any {
		return v
	}
	return nil
}

// documentedGlobs takes a string as one glob, and of a list the strings, or all
// elements where the provider does not filter.
func documentedGlobs(n *document.Node, anyElement bool) any {
	switch v := value(n).(type) {
	case string:
		return []any{v}
	case []any:
		out := make([]any, 0, len(v))
		for _, e := range v {
			if _, ok := e.(string); ok || anyElement {
				out = append(out, e)
			}
		}
		return out
	default:
		return nil
	}
}

// value is the JavaScript value of a node.
func value(n *document.Node) any {
	if n == nil {
		return nil
	}
	switch n.Kind {
	case document.Null:
		return nil
	case document.Bool:
		v, _ := n.Bool()
		return v
	case document.Int, document.Float:
		if v, ok := n.Number(); ok {
			return v
		}
		return n.Text
	case document.Sequence:
		out := make([]any, 0, len(n.Items))
		for _, item := range n.Items {
			out = append(out, value(item))
		}
		return out
	case document.Mapping:
		out := make(map[string]any, len(n.Entries))
		for _, e := range n.Entries {
			out[e.Key.Text] = value(e.Value)
		}
		return out
	}
	return n.Text
}

func truthy(v any) bool {
	switch v := v.(type) {
	case nil:
		return false
	case bool:
		return v
	case string:
		return v != ""
	case float64:
		return v != 0
	}
	return true
}

// plainText is how a template writes a value.
func plainText(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case bool:
		return strconv.FormatBool(v)
	case []any:
		parts := make([]string, len(v))
		for i, e := range v {
			parts[i] = plainText(e)
		}
		return strings.Join(parts, ",")
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	text, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(text)
}

// readable tells whether `read` and rule:// give a rule: the rulebook gives those of its own bucket alone.
func (s *Set) readable(r *Rule) bool { return !s.options.Documented || r.Bucket == Rulebook }
