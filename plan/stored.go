package plan

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/pertain-dev/pertain/diag"
)

// storedDiagnostic is a diagnostic of a plan that was read. Its JSON has more
// than the value, such as the position in a file that may be another by now, so that
// is what is written again.
type storedDiagnostic struct {
	form  json.RawMessage
	value diag.Diagnostic
}

// unmarshalDiagnostics reads the documented form of a list.
func unmarshalDiagnostics(data json.RawMessage) ([]storedDiagnostic, error) {
	var forms []json.RawMessage
	if len(data) > 0 {
		if err := json.Unmarshal(data, &forms); err != nil {
			return nil, err
		}
	}
	stored := make([]storedDiagnostic, len(forms))
	for i, form := range forms {
		var w struct {
			Severity, Code, Message, Hint, Strategy, File, Path, Provider string
			DurationMS                                                    float64
		}
		if err := json.Unmarshal(form, &w); err != nil {
			return nil, err
		}
		d := diag.Diagnostic{
			Severity: severity(w.Severity), Code: diag.Code(w.Code), Message: w.Message, Span: diag.NoSpan,
			Strategy: w.Strategy, Path: w.Path, Provider: w.Provider, Duration: time.Duration(w.DurationMS * float64(time.Millisecond)),
		}
		if message, ok := strings.CutSuffix(w.Message, "; "+w.Hint); ok && w.Hint != "" { // the message holds the hint as well
			d.Message, d.Hint = message, w.Hint
		}
		if w.File != "" {
			d.Source = diag.NewSource(w.File, "")
		}
		stored[i] = storedDiagnostic{slices.Clone(form), d}
	}
	return stored, nil
}

func severity(word string) diag.Severity {
	for _, s := range []diag.Severity{diag.Error, diag.Warning} {
		if word == s.String() {
			return s
		}
	}
	return diag.Info
}

// marshalDiagnostics writes a list, those of it that were read as they stood there.
func marshalDiagnostics(list diag.List, stored []storedDiagnostic) (json.RawMessage, error) {
	var b bytes.Buffer
	b.WriteByte('[')
	for i, d := range list {
		if i > 0 {
			b.WriteByte(',')
		}
		if at := slices.IndexFunc(stored, func(s storedDiagnostic) bool { return same(s.value, d) }); at >= 0 {
			b.Write(stored[at].form)
			continue
		}
		form, err := marshal(d)
		if err != nil {
			return nil, err
		}
		b.Write(form)
	}
	b.WriteByte(']')
	return b.Bytes(), nil
}

// same tells whether a diagnostic is still the one that was read.
func same(read, now diag.Diagnostic) bool {
	return read.Severity == now.Severity && read.Code == now.Code && read.Message == now.Message && read.Hint == now.Hint &&
		read.Source == now.Source && read.Span == now.Span && read.Strategy == now.Strategy && read.Path == now.Path &&
		read.Provider == now.Provider && read.Duration == now.Duration && len(now.Related) == 0
}
