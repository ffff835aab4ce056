package diag

import (
	"encoding/json"
	"time"
)

// wire is the JSON form of a diagnostic; other programs rely on the names.
// Absent parts are left out.
type wire struct {
	Severity   string        `json:"severity"`
	Code       Code          `json:"code"`
	Message    string        `json:"message"`
	Hint       string        `json:"hint,omitempty"`
	Strategy   string        `json:"strategy,omitempty"`
	File       string        `json:"file,omitempty"`
	Line       int           `json:"line,omitempty"`
	Column     int           `json:"column,omitempty"`
	EndLine    int           `json:"endLine,omitempty"`
	EndColumn  int           `json:"endColumn,omitempty"`
	Path       string        `json:"path,omitempty"`
	Provider   string        `json:"provider,omitempty"`
	DurationMS float64       `json:"durationMs,omitempty"`
	Related    []wireRelated `json:"related,omitempty"`
}

type wireRelated struct {
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	Message string `json:"message"`
}

// MarshalJSON writes the documented form; message holds the hint as well.
func (d Diagnostic) MarshalJSON() ([]byte, error) {
	w := wire{
		Severity:   d.Severity.String(),
		Code:       d.Code,
		Message:    d.Sentence(),
		Hint:       d.Hint,
		Strategy:   d.Strategy,
		File:       d.File(),
		Path:       d.Path,
		Provider:   d.Provider,
		DurationMS: float64(d.Duration) / float64(time.Millisecond),
	}
	if pos, ok := d.Position(); ok {
		end := d.Source.Position(d.Span.End)
		w.Line, w.Column, w.EndLine, w.EndColumn = pos.Line, pos.Column, end.Line, end.Column
	}
	for _, r := range d.Related {
		rel := wireRelated{Message: r.Message}
		if r.Source != nil {
			rel.File = r.Source.Name()
			if r.Span.IsValid() {
				pos := r.Source.Position(r.Span.Start)
				rel.Line, rel.Column = pos.Line, pos.Column
			}
		}
		w.Related = append(w.Related, rel)
	}
	return json.Marshal(w)
}

// MarshalJSON writes an empty list as [], never as null, and a long one as [List.Limit]
// leaves it.
func (l List) MarshalJSON() ([]byte, error) {
	if l == nil {
		return []byte("[]"), nil
	}
	return json.Marshal([]Diagnostic(l.Limit()))
}
