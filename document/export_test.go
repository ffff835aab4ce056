package document

import "github.com/pertain-dev/pertain/diag"

// RepairYAML reads text that no YAML reader accepts, with offending values in quotes.
func RepairYAML(source *diag.Source, span diag.Span) (*Node, []Edit, []Problem) {
	return repairYAML(source, span, new(reading))
}
