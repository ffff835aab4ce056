package document

import (
	"strings"

	"github.com/pertain-dev/pertain/diag"
)

// Veil returns the same span in a source that holds nothing but the text of the
// span: for messages about a rule's or prompt's text, which no output may show.
// The span must not cross a line.
func Veil(source *diag.Source, span diag.Span) (*diag.Source, diag.Span) {
	at := source.Position(span.Start)
	lead := strings.Repeat("\n", at.Line-1) + strings.Repeat(" ", at.Column-1)
	shown, _, _ := strings.Cut(source.Text()[span.Start:span.End], "\n")
	return diag.NewSource(source.Name(), lead+shown), diag.Span{Start: len(lead), End: len(lead) + len(shown)}
}
