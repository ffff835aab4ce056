package lsp

import (
	"context"

	"github.com/creachadair/jrpc2"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/lint"
)

// formatting is `pertain fmt` on a document.
func (s *server) formatting(_ context.Context, params documentParams) (any, error) {
	b, by := s.open(params.TextDocument.URI)
	if b == nil || b.kind != strategyFile && b.kind != ruleFile {
		return nil, nil
	}
	order, ok := lint.FieldOrder(b.path)
	if !ok {
		return nil, nil
	}
	after, err := lint.Formatted([]byte(b.text.string), order)
	if err != nil {
		return nil, jrpc2.Errorf(codeFailed, "%s", diag.Sentence("the file cannot be formatted: %s", err))
	}
	return replaced(b.text, string(after), by), nil
}

// replaced is one edit that makes one text of another: whole lines between what both
// begin and end with. None, if they are equal.
func replaced(before text, after string, by encoding) []textEdit {
	if before.string == after {
		return []textEdit{}
	}
	start, old, now := 0, before.string, after
	for i := 0; i < len(old) && i < len(now) && old[i] == now[i]; i++ {
		if old[i] == '\n' {
			start = i + 1
		}
	}
	end := 0
	for i := 1; i <= min(len(old), len(now))-start && old[len(old)-i] == now[len(now)-i]; i++ {
		if old[len(old)-i] == '\n' {
			end = i - 1 // the line break stays in the edit
		}
	}
	return []textEdit{{
		Range:   textRange{before.position(start, by), before.position(len(old)-end, by)},
		NewText: now[start : len(now)-end],
	}}
}
