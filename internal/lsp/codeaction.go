package lsp

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/lint"
	"github.com/pertain-dev/pertain/rule"
)

type codeActionParams struct {
	TextDocument textDocument `json:"textDocument"`
	Range        textRange    `json:"range"`
	Context      struct {
		Only        []string     `json:"only"`
		Diagnostics []askedAbout `json:"diagnostics"`
	} `json:"context"`
}

// askedAbout is a diagnostic that the editor asks about, such as all of a line. It may
// be another server's: of those nothing is known but where they are.
type askedAbout struct {
	Range  textRange `json:"range"`
	Source any       `json:"source"`
}

func (d diagnostic) isOne(o askedAbout) bool { return o.Range == d.Range && o.Source == d.Source }

type codeAction struct {
	Title       string        `json:"title"`
	Kind        string        `json:"kind"`
	Diagnostics []diagnostic  `json:"diagnostics,omitempty"`
	IsPreferred bool          `json:"isPreferred,omitempty"`
	Edit        workspaceEdit `json:"edit"`
}

// Kinds of actions.
const (
	quickFix = "quickfix"
	fixAll   = "source.fixAll.pertain"
)

// Limits of trying suggestions for one request: the whole document is checked for each, and other requests wait meanwhile.
const (
	maxTried      = 20
	maxTriedBytes = 256 << 10 // of all those documents
)

// tries is how many suggestions are tried for a document of some bytes in which so many mistakes were found. Where there are
// as many as are told, there may be more, and nobody could see that there is one less.
func tries(size, found int) int {
	if found >= diag.MaxPerFile {
		return 0
	}
	return min(maxTried, max(1, maxTriedBytes/max(1, size)))
}

// codeActions offers the fixes of `lint --fix`, and what a diagnostic suggests, where
// trying it shows that the mistake is gone and no other has come.
func (s *server) codeActions(ctx context.Context, params codeActionParams) (any, error) {
	actions := []codeAction{}
	b, by := s.open(params.TextDocument.URI)
	if b == nil || b.kind != strategyFile && b.kind != ruleFile && b.kind != settingsFile && b.kind != contextFile {
		return actions, nil
	}
	wants := func(kind string) bool {
		return len(params.Context.Only) == 0 || slices.ContainsFunc(params.Context.Only, func(only string) bool {
			return only == kind || strings.HasPrefix(kind, only+".")
		})
	}
	mark := b.text.mark()
	offset := diag.Span{Start: b.text.offset(params.Range.Start, by) - mark, End: b.text.offset(params.Range.End, by) - mark}
	fixes := s.ruleFixes(ctx, b)
	edit := func(span diag.Span, text string) workspaceEdit {
		return workspaceEdit{Changes: map[string][]textEdit{b.uri: {{Range: b.text.span(span, by), NewText: text}}}}
	}
	own, err := s.own(s.overlaid(ctx), b)
	if err != nil {
		return actions, ctx.Err()
	}
	left := tries(len(b.text.string), len(own))
	offered := map[int]int{} // by fix, the action
	spoken := newSpokenOf(by)
	for _, d := range own {
		if ctx.Err() != nil {
			break
		}
		told := []diagnostic{spoken.diagnostic(b.text, d)}
		asked := slices.ContainsFunc(params.Context.Diagnostics, told[0].isOne)
		if !wants(quickFix) || !asked && !touches(d.Span, offset) || d.File() != b.path {
			continue
		}
		if i := slices.IndexFunc(fixes, func(f rule.Fix) bool { return touches(f.Span, d.Span) }); i >= 0 {
			if known, ok := offered[i]; ok { // it mends both
				actions[known].Diagnostics = append(actions[known].Diagnostics, told...)
				continue
			}
			offered[i] = len(actions)
			actions = append(actions, codeAction{Title: sentence(fixes[i].Why), Kind: quickFix, Diagnostics: told, IsPreferred: true, Edit: edit(fixes[i].Span, fixes[i].Text)})
			continue
		}
		span, text, ok := suggested(strings.TrimPrefix(b.text.string, "\ufeff"), d)
		if left--; !ok || left < 0 || !s.mends(ctx, b, own, d, span, text) {
			continue
		}
		actions = append(actions, codeAction{Title: "Replace by `" + diag.Short(text) + "`", Kind: quickFix, Diagnostics: told, IsPreferred: true, Edit: edit(span, text)})
	}
	if wants(fixAll) && len(fixes) > 0 {
		list := make([]textEdit, 0, len(fixes))
		for _, f := range fixes {
			list = append(list, textEdit{Range: b.text.span(f.Span, by), NewText: f.Text})
		}
		actions = append(actions, codeAction{Title: "Fix everything that is safe to fix", Kind: fixAll, Edit: workspaceEdit{Changes: map[string][]textEdit{b.uri: list}}})
	}
	return actions, ctx.Err()
}

// sentence begins with a capital letter.
func sentence(text string) string {
	if text == "" {
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// touches tells whether two spans have a byte or an edge in common.
func touches(a, b diag.Span) bool { return a.Start <= b.End && b.Start <= a.End }

// ruleFixes are the safe fixes of a rule, in their order.
func (s *server) ruleFixes(ctx context.Context, b *buffer) []rule.Fix {
	if b.kind != ruleFile {
		return nil
	}
	read, err := b.folder.lint.Read(s.overlaid(ctx), []string{b.path})
	if err != nil || len(read.Rules) == 0 {
		return nil
	}
	_, fixes := lint.Fixed(read.Rules[0])
	return fixes
}

// Hints that name what to write.
var (
	meant    = regexp.MustCompile("^(?:did you mean|the right key is) `([^`…]+)`")
	entry    = regexp.MustCompile("^write `([^`:…]+): ([^`…]+)`$")
	literal  = regexp.MustCompile("^write `([^`…]+)`$")
	inQuotes = "put it in quotes"
	noQuotes = "leave out the quotes"
)

// suggested is the edit that a diagnostic's hint suggests; ok is false if it suggests
// none.
func suggested(text string, d diag.Diagnostic) (span diag.Span, replacement string, ok bool) {
	if !d.Span.IsValid() || d.Span.End > len(text) {
		return diag.Span{}, "", false
	}
	span = d.Span
	now := text[span.Start:span.End]
	if strings.Contains(now, "\n") {
		return diag.Span{}, "", false
	}
	quote := ""
	if len(now) > 1 && (now[0] == '"' || now[0] == '\'') && now[len(now)-1] == now[0] {
		quote = now[:1]
	}
	keep := func(s string) string { return quote + s + quote }
	switch {
	case d.Hint == inQuotes && quote == "":
		return span, `"` + strings.ReplaceAll(now, `"`, `\"`) + `"`, true
	case d.Hint == noQuotes && quote != "":
		return span, now[1 : len(now)-1], true
	}
	if m := meant.FindStringSubmatch(d.Hint); m != nil {
		return span, keep(m[1]), m[1] != now
	}
	if m := entry.FindStringSubmatch(d.Hint); m != nil {
		before := strings.TrimRight(text[:span.Start], " ")
		if strings.HasSuffix(before, m[1]+":") {
			return span, m[2], true
		}
		return diag.Span{}, "", false
	}
	if m := literal.FindStringSubmatch(d.Hint); m != nil {
		return span, keep(m[1]), m[1] != now
	}
	return diag.Span{}, "", false
}

// mends tries an edit: the mistake must be gone, and there must be fewer.
func (s *server) mends(ctx context.Context, b *buffer, before diag.List, d diag.Diagnostic, span diag.Span, text string) bool {
	mark := b.text.mark()
	edited := *b
	edited.text = newText(b.text.string[:span.Start+mark] + text + b.text.string[span.End+mark:])
	texts := s.buffers()
	texts[b.path] = edited.text.string
	after, err := s.own(s.overlay(ctx, texts), &edited)
	return err == nil && len(after) < len(before) &&
		!slices.ContainsFunc(after, func(o diag.Diagnostic) bool { return o.Code == d.Code && o.Span.Start == d.Span.Start })
}
