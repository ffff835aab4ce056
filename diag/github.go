package diag

import (
	"fmt"
	"io"
	"strings"
)

// GitHub prints the list as workflow commands, which GitHub Actions shows as
// annotations on the lines of a change. name says how to show a file's name,
// which must be relative to the repository to be found; nil shows it as it is.
func GitHub(w io.Writer, list List, name func(file string) string) error {
	var b strings.Builder
	for _, d := range list {
		kind := d.Severity.String()
		if d.Severity == Info {
			kind = "notice"
		}
		var props []string
		if d.Source != nil {
			file := d.Source.Name()
			if name != nil {
				file = name(file)
			}
			props = append(props, "file="+escapeProperty(harmless(file)))
		}
		if pos, ok := d.Position(); ok {
			end := d.Source.Position(d.Span.End)
			props = append(props, fmt.Sprintf("line=%d", pos.Line), fmt.Sprintf("endLine=%d", end.Line))
			if end.Line == pos.Line { // columns are only understood within one line
				props = append(props, fmt.Sprintf("col=%d", pos.Column), fmt.Sprintf("endColumn=%d", end.Column))
			}
		}
		props = append(props, "title="+escapeProperty(harmless(string(d.Code))))
		fmt.Fprintf(&b, "::%s %s::%s\n", kind, strings.Join(props, ","), escapeCommand(harmless(TextOptions{Name: name}.names(d, d.Sentence()))))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func escapeCommand(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

func escapeProperty(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
}

// harmless replaces what a log viewer may obey, but for line breaks, which the
// format has escapes for.
func harmless(s string) string {
	var b strings.Builder
	for {
		end := strings.IndexAny(s, "\r\n")
		if end < 0 {
			return b.String() + printable(s)
		}
		b.WriteString(printable(s[:end]) + s[end:end+1])
		s = s[end+1:]
	}
}
