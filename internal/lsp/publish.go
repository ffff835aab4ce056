package lsp

import (
	"context"
	"reflect"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/settings"
)

// say sends what is wrong with a file. The same about the same version is not said
// twice.
func (s *server) say(ctx context.Context, params publishParams, versioned bool) {
	s.work.mu.Lock()
	before, known := s.work.published[params.URI]
	same := known && reflect.DeepEqual(before, params.Diagnostics)
	if versioned {
		same = same && s.work.versions[params.URI] == *params.Version
		s.work.versions[params.URI] = *params.Version
	}
	s.work.published[params.URI] = params.Diagnostics
	s.work.mu.Unlock()
	if !same {
		s.notify(ctx, "textDocument/publishDiagnostics", params)
	}
}

// clear takes back what was said about a file.
func (s *server) clear(ctx context.Context, uri string) {
	s.work.mu.Lock()
	delete(s.work.published, uri)
	delete(s.work.versions, uri)
	delete(s.work.views, uri)
	s.work.mu.Unlock()
	s.notify(ctx, "textDocument/publishDiagnostics", publishParams{URI: uri, Diagnostics: []diagnostic{}})
}

// spokenOf are the texts of files that diagnostics name, each indexed once: many may name
// the same one.
type spokenOf struct {
	by    encoding
	texts map[*diag.Source]text
}

func newSpokenOf(by encoding) *spokenOf { return &spokenOf{by, map[*diag.Source]text{}} }

func (o *spokenOf) text(source *diag.Source) text {
	t, known := o.texts[source]
	if !known {
		t = newText(source.Text())
		o.texts[source] = t
	}
	return t
}

// diagnostic is a diagnostic of a text in the editor's form.
func (o *spokenOf) diagnostic(t text, d diag.Diagnostic) diagnostic {
	out := diagnostic{
		Range: t.span(d.Span, o.by), Severity: diagnosticSeverity(d.Severity) + 1, Code: string(d.Code), Source: "pertain", Message: d.Sentence(),
	}
	for _, r := range d.Related {
		if r.Source != nil && files.Native().IsAbs(r.Source.Name()) {
			out.Related = append(out.Related, relatedInformation{
				Location: location{URI: uriOf(r.Source.Name()), Range: o.text(r.Source).span(r.Span, o.by)}, Message: r.Message,
			})
		}
	}
	return out
}

// settingsProblems is what is wrong with the user's settings.
func settingsProblems(b *buffer) diag.List {
	source, list := document.Decode(b.path, []byte(b.text.string))
	_, found := settings.Parse(source)
	list = append(list, found...)
	list.Sort()
	return list.Limit()
}
