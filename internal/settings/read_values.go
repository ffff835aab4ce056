package settings

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/internal/glob"
)

// value reads one setting. Null leaves the default; so does a mistake.
func (r *reader) value(row *row, node *document.Node) {
	if node.Kind == document.Null {
		return
	}
	switch field := row.field(&r.settings).(type) {
	case *bool:
		if v, ok := node.Bool(); ok {
			*field = v
			return
		}
		r.wrong(row, node, "true or false", "write `true` or `false` without quotes")
	case **bool:
		if v, ok := node.Bool(); ok {
			*field = &v
			return
		}
		r.wrong(row, node, "true or false", "write `true` or `false` without quotes")
	case *int:
		if v, ok := node.Int(); ok && v >= 0 && v <= maxInt {
			*field = int(v)
			return
		}
		r.wrong(row, node, fmt.Sprintf("a whole number from 0 to %d", maxInt), "write such as `"+row.normal+"`")
	case *time.Duration:
		r.duration(row, node, field)
	case *string:
		if node.Kind != document.String {
			r.wrong(row, node, "text", "put it into quotes")
			return
		}
		if strings.HasPrefix(row.key, "fleet.") && row.choices == nil {
			if texts := r.fleetTexts(row, []*document.Node{node}); len(texts) > 0 {
				*field = texts[0]
			}
			return
		}
		if row.choices == nil || slices.Contains(row.choices, node.Text) {
			*field = node.Text
			return
		}
		hint := diag.DidYouMean(node.Text, row.choices)
		if hint == "" {
			hint = "write " + row.kind()
		}
		r.mistake(row.key)
		r.list.Add(diag.At(r.source, node.Span(), diag.StrategyInvalidField, "`%s` must be one of %s", row.key, row.kind()).WithHint("%s", hint))
	case *[]string:
		if texts, ok := r.texts(row, node); ok {
			*field = texts
		}
	case *ids:
		if texts, ok := r.texts(row, node); ok {
			*field = texts
		}
	case *oneOrMore:
		nodes := []*document.Node{node}
		if node.Kind != document.String {
			if _, ok := r.texts(row, node); !ok {
				return
			}
			nodes = slices.DeleteFunc(slices.Clone(node.Items), func(item *document.Node) bool { return item.Kind != document.String })
		}
		*field = r.fleetTexts(row, nodes)
	case *map[string]string:
		r.named(row, node, field)
	}
}

// named reads a map from names to texts; what is wrong in it is left out.
func (r *reader) named(row *row, node *document.Node, field *map[string]string) {
	if node.Kind != document.Mapping {
		r.wrong(row, node, "a map", "write a name, a colon and a text on each line")
		return
	}
	all := make(map[string]string, len(node.Entries))
	for _, e := range node.Entries {
		switch {
		case e.Value.Kind != document.String:
			r.wrong(row, e.Value, "a map of texts", "put the text into quotes")
		case !isID(e.Key.Text):
			r.mistake(row.key)
			r.list.Add(diag.At(r.source, e.Key.Span(), diag.StrategyInvalidField, "`%s`: this is no name", row.key).
				WithHint("a name is made of letters, digits, `-`, `_` and dots between"))
		default:
			all[e.Key.Text] = e.Value.Text
		}
	}
	*field = all
}

func (r *reader) wrong(row *row, node *document.Node, want, hint string) {
	r.mistake(row.key)
	got := ""
	if node.Kind.String() != "a number" || !strings.Contains(want, "number") {
		got = ", not " + node.Kind.String()
	}
	r.list.Add(diag.At(r.source, node.Span(), diag.StrategyInvalidField, "`%s` must be %s%s", row.key, want, got).WithHint("%s", hint))
}

func (r *reader) duration(row *row, node *document.Node, field *time.Duration) {
	if !node.IsScalar() || node.Kind == document.Bool {
		r.list.Add(diag.At(r.source, node.Span(), diag.StrategyInvalidDuration, "`%s` must be a duration, not %s", row.key, node.Kind).
			WithHint("write such as `%s`", row.normal))
		return
	}
	d, bad := ParseDuration(node.Text)
	if bad != nil {
		r.list.Add(diag.At(r.source, node.Span(), diag.StrategyInvalidDuration, "`%s`: %s", row.key, bad.Message).WithHint("%s", bad.Hint))
		return
	}
	*field = d
}

// texts reads a list of texts; items that are wrong are left out. It is never nil if ok.
func (r *reader) texts(row *row, node *document.Node) ([]string, bool) {
	if node.Kind != document.Sequence {
		r.wrong(row, node, "a list", "write `[…]`, or one item a line with `- ` before it")
		return nil, false
	}
	_, wantIDs := row.field(&r.settings).(*ids)
	out := make([]string, 0, len(node.Items))
	for _, item := range node.Items {
		switch {
		case item.Kind != document.String:
			r.wrong(row, item, "a list of texts", "put the item into quotes, or take it out")
		case wantIDs && !isID(item.Text):
			r.list.Add(diag.At(r.source, item.Span(), diag.StrategyInvalidField, "this is not the id of a strategy").
				WithHint("an id is made of letters, digits, `-` and `_`, with dots between, such as `builtin.x`"))
		default:
			if strings.HasPrefix(row.key, "private.") {
				r.glob(row, item)
			}
			out = append(out, item.Text)
		}
	}
	return out, true
}

// glob checks a pattern for what is private. One that can match nothing is a
// mistake: whoever wrote it takes something for private that would not be.
func (r *reader) glob(row *row, item *document.Node) {
	hollow := ""
	switch {
	case strings.TrimSpace(item.Text) == "":
		hollow = "is empty and matches nothing"
	case row.key == "private.applications" && strings.ContainsAny(item.Text, `/\`):
		hollow = "has a path, and the names of programs have none"
	}
	if hollow != "" {
		r.list.Add(diag.At(r.source, item.Span(), diag.StrategyInvalidField, "`%s`: this %s", row.key, hollow).
			WithHint("write the name of the program or a part of the title, such as `keepassxc` or `\"*Private Browsing*\"`; `*` is any text"))
		r.mistake(row.key)
		return
	}
	if _, bad := glob.Compile(item.Text, true); bad != nil {
		r.list.Add(diag.At(r.source, item.Span(), diag.StrategyInvalidField, "`%s`: this is not a glob: %s", row.key, bad.Message).
			WithHint("write `*` for any text; put a backslash before a character that means itself"))
		r.mistake(row.key)
	}
}

// isID tells whether a text has the form of an id (docs/reference/strategies.md).
func isID(text string) bool {
	for segment := range strings.SplitSeq(text, ".") {
		if segment == "" {
			return false
		}
		for _, c := range segment {
			if !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '-' && c != '_' {
				return false
			}
		}
	}
	return true
}
