package strategy

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
)

// FromKind is how a `from` source is to be read.
type FromKind string

// The kinds of sources, as docs/reference/skills.md explains them.
const (
	FromAuto     FromKind = "auto"
	FromSkill    FromKind = "skill"
	FromStrategy FromKind = "strategy"
	FromMarkdown FromKind = "markdown"
	FromURL      FromKind = "url"
)

var fromKinds = []string{"auto", "skill", "strategy", "markdown", "url"}

// Reference is a parsed `from`.
type Reference struct {
	Target string   // as written: a path, skill://ID or a URL
	Kind   FromKind // never auto: decided by scheme, then by file name
}

// Included is what a resolver found.
type Included struct {
	Name   string // absolute path, or the URI
	Data   []byte
	Folder string // name of the folder the file is in, which names a skill
}

// Resolver finds what `from` names. It refuses what leaves origin.Confine, when
// that is set. An error's text is shown to the author.
type Resolver interface {
	CanResolve(ref Reference, current *diag.Source, origin Origin) bool
	Resolve(ctx context.Context, ref Reference, current *diag.Source, origin Origin) (Included, error)
}

// HintError is an error of a resolver that also knows the remedy.
type HintError struct {
	Problem, Hint string
}

// Error is the problem alone.
func (e *HintError) Error() string { return e.Problem }

// parseFrom reads the short or the expanded form.
func parseFrom(node *document.Node) (Reference, *document.Node, *diag.Diagnostic) {
	fail := func(at *document.Node, hint, format string, args ...any) (Reference, *document.Node, *diag.Diagnostic) {
		d := diag.At(at.Source(), at.Span(), diag.StrategyInvalidFrom, format, args...).WithHint("%s", hint)
		return Reference{}, nil, &d
	}
	target, kind := node, FromAuto
	switch node.Kind {
	case document.String:
	case document.Mapping:
		target = node.Get("source")
		for _, e := range node.Entries {
			if e.Key.Text != "source" && e.Key.Text != "kind" {
				return fail(e.Key, "`from` has `source` and `kind`", "`from` has no `%s`", e.Key.Text)
			}
		}
		if target == nil {
			return fail(node, "add `source: ./FILE.md`", "`from` has no `source`")
		}
		if target.Kind != document.String {
			return fail(target, "name one file", "`source` must be a string, not %s", target.Kind)
		}
		if k := node.Get("kind"); k != nil {
			hint := "write one of " + strings.Join(fromKinds, ", ")
			if k.Kind != document.String {
				return fail(k, hint, "`kind` must be a string, not %s", k.Kind)
			}
			if !slices.Contains(fromKinds, k.Text) {
				return fail(k, hint, "`%s` is not a kind of source", k.Text)
			}
			kind = FromKind(k.Text)
		}
	case document.Sequence:
		return fail(node, "keep one source; several cannot be combined", "`from` takes one source, not a list")
	default:
		return fail(node, "write `from: ./FILE.md`", "`from` must be a string or an object, not %s", node.Kind)
	}
	if strings.TrimSpace(target.Text) == "" {
		return fail(target, "name a file, such as `./SKILL.md`", "`from` names nothing")
	}
	ref := Reference{Target: target.Text, Kind: kind}
	scheme := ref.Scheme()
	isURL := scheme != "" && scheme != "skill"
	switch {
	case kind == FromAuto:
		ref.Kind = guessKind(ref)
	case kind == FromURL && !isURL:
		return fail(target, "use another kind, or a URL with its scheme", "`%s` is not a URL", target.Text)
	case kind != FromSkill && scheme == "skill":
		return fail(target, "write `kind: skill`", "a skill cannot be read as %s", kind)
	}
	return ref, target, nil
}

// Scheme is the part before ://, or "" for a file.
func (r Reference) Scheme() string {
	scheme, _, ok := strings.Cut(r.Target, "://")
	if !ok || len(scheme) < 2 { // one letter is a drive
		return ""
	}
	return strings.ToLower(scheme)
}

func guessKind(ref Reference) FromKind {
	switch ref.Scheme() {
	case "":
	case "skill":
		return FromSkill
	default:
		return FromURL
	}
	name := strings.ToLower(ref.Target[strings.LastIndexAny(ref.Target, `/\`)+1:])
	switch {
	case IsFile("./" + ref.Target):
		return FromStrategy
	case name == "skill.md":
		return FromSkill
	}
	return FromMarkdown
}

// include resolves `from` and reads the source as a definition. Without one the
// strategy cannot be used; nil: nothing was found.
func (n *Normalizer) include(ctx context.Context, node *document.Node, current *diag.Source, origin Origin) (*sourceFile, diag.List) {
	ref, target, bad := parseFrom(node)
	if bad != nil {
		return nil, diag.List{*bad}
	}
	fail := func(hint, format string, args ...any) diag.Diagnostic {
		d := diag.At(current, target.Span(), diag.StrategyInvalidFrom, format, args...)
		d.Hint = hint
		return d
	}
	at := slices.IndexFunc(n.Resolvers, func(r Resolver) bool { return r.CanResolve(ref, current, origin) })
	if at < 0 {
		switch scheme := ref.Scheme(); {
		case scheme == "skill":
			return nil, diag.List{fail("name the skill's file, such as `./SKILL.md`", "skills cannot be resolved here")}
		case scheme == "file":
			return nil, diag.List{fail("write the path alone, relative to this file or absolute", "`from` takes paths, not addresses of files")}
		case scheme != "":
			return nil, diag.List{fail("save the page next to this file and name that", "nothing is loaded from the network")}
		}
		return nil, diag.List{fail("", "`%s` cannot be resolved here", ref.Target)}
	}
	found, err := n.Resolvers[at].Resolve(ctx, ref, current, origin)
	if err != nil {
		hint := ""
		var hinted *HintError
		if errors.As(err, &hinted) {
			hint = hinted.Hint
		}
		return nil, diag.List{fail(hint, "%s", err.Error())}
	}
	file := n.sources.of(ref.Kind, found)
	switch {
	case len(file.unread) > 0:
		return file, diag.List{causedBy(fail("", "the source `%s` cannot be read", ref.Target), file.unread)}
	case file.nested != nil:
		d := fail("name the file that its own `from` names", "`%s` has a `from` itself, and sources cannot be chained", ref.Target).
			WithRelated(file.source, file.nested.Span(), "its `from` is here")
		if file.source.Name() == current.Name() {
			d.Message, d.Hint = "the file names itself as its source", "name another file"
		}
		return file, diag.List{d}
	case file.definition == nil:
		return file, diag.List{causedBy(fail("mend the source first", "the source `%s` is not a valid strategy", ref.Target), file.problems)}
	}
	return file, file.problems
}

// causedBy points at the first error in the included file.
func causedBy(d diag.Diagnostic, problems diag.List) diag.Diagnostic {
	for _, p := range problems {
		if p.Severity == diag.Error {
			return d.WithRelated(p.Source, p.Span, p.Message)
		}
	}
	return d
}

// markdownDefinition takes what a skill or a Markdown file gives: description
// and body, and of a skill the name (docs/reference/skills.md).
func markdownDefinition(doc *document.Document, kind FromKind, found Included) *definitionV1 {
	def := &definitionV1{Body: doc.Body, HasBody: doc.HasBody}
	front := doc.Frontmatter
	if !doc.HasFrontmatter && kind == FromSkill {
		front = document.Unclosed(doc.Source)
	}
	if text := front.Get("description"); text != nil && text.Kind == document.String {
		def.Description = text
	}
	if kind != FromSkill {
		return def
	}
	if name := front.Get("name"); name != nil && name.Kind != document.Null && strings.TrimSpace(name.Text) != "" {
		def.fallbackName = name.Text // `name: 2048` is a name too
		return def
	}
	def.fallbackName = found.Folder
	if heading := document.FirstHeading(doc.Body); heading != "" {
		def.fallbackName = heading
	}
	return def
}
