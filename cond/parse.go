package cond

import (
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/facts"
)

// Parse reads the value of `when`. The tree holds every part that could be
// read; it may be used only if the list has no errors. A nil node is the
// default: always true.
func Parse(node *document.Node) (*Expr, diag.List) {
	if node == nil {
		return &Expr{kind: exprConst, value: true}, nil
	}
	p := &parser{}
	e := p.condition(node, "`when`")
	return e, p.list
}

// composites are the conditions that are made of others.
var composites = []string{"all", "any", "none", "not"}

type parser struct{ list diag.List }

func (p *parser) add(node *document.Node, code diag.Code, hint, format string, args ...any) {
	d := diag.At(node.Source(), node.Span(), code, format, args...)
	d.Hint = hint
	p.list.Add(d)
}

// condition reads a constant or a condition object. what names the part for
// messages.
func (p *parser) condition(node *document.Node, what string) *Expr {
	if value, ok := node.Bool(); ok {
		return &Expr{kind: exprConst, node: node, value: value}
	}
	switch node.Kind {
	case document.Mapping:
	case document.Sequence:
		p.add(node, diag.StrategyInvalidWhen, "put the list under `all:` or `any:`", "%s must be a condition, not a list", what)
		return &Expr{kind: exprConst, node: node}
	default:
		p.add(node, diag.StrategyInvalidWhen, "write a path with an operator object, such as `clipboard.text: { contains: TODO }`, or `true` or `false`",
			"%s must be a condition, not %s", what, node.Kind)
		return &Expr{kind: exprConst, node: node}
	}
	if len(node.Entries) == 0 {
		p.add(node, diag.StrategyInvalidWhen, "write a condition, or `true`", "%s is empty", what)
		return &Expr{kind: exprConst, node: node}
	}
	entries := p.plain(node)
	children := make([]*Expr, 0, len(entries))
	for _, e := range entries {
		children = append(children, p.keyed(e))
	}
	if len(children) == 1 {
		return children[0]
	}
	return &Expr{kind: exprAll, node: node, children: children}
}

// keyed reads one key of a condition object: a composite, a visual condition
// or a path.
func (p *parser) keyed(e document.Entry) *Expr {
	key := e.Key.Text
	switch key {
	case "all":
		return p.composite(exprAll, e)
	case "any":
		return p.composite(exprAny, e)
	case "none":
		return p.composite(exprNone, e)
	case "not":
		return p.not(e)
	}
	if kind := slices.Index(visualNames, key); kind >= 0 {
		return p.visual(visualKind(kind), e)
	}
	root, _, dotted := strings.Cut(key, ".")
	switch {
	case !dotted:
		p.unknownKey(e.Key)
		return &Expr{kind: exprConst, node: e.Key}
	case !slices.Contains(facts.Roots(), root):
		hint := "a path begins with " + strings.Join(facts.Roots(), ", ")
		if slices.Contains(composites, root) {
			hint = "`" + root + "` stands alone, with its conditions below it"
		} else if whole := endingIn(key); whole != "" {
			hint = meant(whole)
		} else if near := diag.Nearest(root, facts.Roots()); near != "" {
			hint = "did you mean `" + near + strings.TrimPrefix(key, root) + "`?"
		}
		p.add(e.Key, diag.StrategyInvalidWhen, hint, "`%s` is not a root of the context", root)
		if slices.Contains(composites, root) {
			return &Expr{kind: exprConst, node: e.Key}
		}
	case root == "visual":
		hint := "the visual conditions are " + strings.Join(visualNames, ", ")
		if near := diag.Nearest(strings.TrimPrefix(key, "visual."), []string{"exists", "count", "match"}); near != "" {
			hint = meant("visual." + near)
		}
		p.add(e.Key, diag.StrategyUnknownOperator, hint, "there is no visual condition `%s`", key)
		return &Expr{kind: exprConst, node: e.Key}
	}
	return p.field(e)
}

// unknownKey tells what a key without a dot may have been meant to be.
func (p *parser) unknownKey(key *document.Node) {
	hint := "a condition is `all`, `any`, `none`, `not`, or a path such as `clipboard.text`"
	if _, isOperator := operatorNamed(key.Text); isOperator {
		hint = "an operator stands below a path, such as `clipboard.text: { " + key.Text + ": … }`"
	} else if key.Text == "and" {
		hint = "write `all: [ … ]`"
	} else if key.Text == "or" {
		hint = "write `any: [ … ]`"
	} else if near := diag.DidYouMean(key.Text, composites); near != "" {
		hint = near
	}
	p.add(key, diag.StrategyUnknownOperator, hint, "there is no condition `%s`", key.Text)
}

func (p *parser) composite(kind exprKind, e document.Entry) *Expr {
	expr := &Expr{kind: kind, node: e.Key}
	if e.Value.Kind != document.Sequence {
		p.add(e.Value, diag.StrategyInvalidWhen, "write `"+e.Key.Text+":` and below it one `- ` for each condition",
			"`%s` takes a list of conditions, not %s", e.Key.Text, e.Value.Kind)
		return expr
	}
	for _, item := range e.Value.Items {
		expr.children = append(expr.children, p.condition(item, "an item of `"+e.Key.Text+"`"))
	}
	return expr
}

// not reads the composite, which takes one condition.
func (p *parser) not(e document.Entry) *Expr {
	expr := &Expr{kind: exprNot, node: e.Key}
	if e.Value.Kind == document.Sequence {
		p.add(e.Value, diag.StrategyInvalidWhen, "write `none:` with the list, which holds if none of them does, or one condition",
			"`not` takes one condition, not a list")
		return expr
	}
	expr.children = []*Expr{p.condition(e.Value, "`not`")}
	return expr
}

func (p *parser) field(e document.Entry) *Expr {
	expr := &Expr{kind: exprField, node: e.Key, path: e.Key.Text}
	expr.known, _ = facts.Find(expr.path)
	root, _, _ := strings.Cut(expr.path, ".")
	switch {
	case !facts.IsPath(expr.path, false):
		p.add(e.Key, diag.StrategyInvalidWhen, "write names joined by dots, `[]`, `[0]` or `[0..2]` after an array, such as `attachments.files[].path`",
			"`%s` is not a path", expr.path)
	case expr.known == nil && slices.Contains(facts.Roots(), root):
		p.add(e.Key, diag.ConditionUnknownPath, meant(facts.NearestPath(expr.path)), "no value has the path `%s`, so this can only be unknown", expr.path)
	}
	p.operatorObject(expr, e, expr.known)
	return expr
}

// endingIn is the one path that ends in these names, or "": people leave out where
// `git.branch` belongs.
func endingIn(names string) string {
	found := ""
	for _, p := range facts.Paths() {
		if strings.HasSuffix(p.Name, "."+names) {
			if found != "" {
				return ""
			}
			found = p.Name
		}
	}
	return found
}

func meant(name string) string {
	if name == "" {
		return ""
	}
	return "did you mean `" + name + "`?"
}

// didYouMean falls back to a general hint.
func didYouMean(word string, candidates []string, otherwise string) string {
	if near := diag.DidYouMean(word, candidates); near != "" {
		return near
	}
	return otherwise
}

func operatorNamed(name string) (int, bool) {
	for i := range operators {
		if operators[i].name == name {
			return i, true
		}
	}
	return 0, false
}
