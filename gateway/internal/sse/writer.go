package sse

import "bytes"

// Append appends an event to a stream. name may be empty; data has no line breaks.
func Append(to []byte, name string, data []byte) []byte {
	if name != "" {
		to = append(append(append(to, "event: "...), name...), '\n')
	}
	to = append(append(to, "data: "...), data...)
	return append(to, '\n', '\n')
}

// With gives the bytes of an event with other data, each line of it in a field; its other
// fields and comments stay where they are.
func (e Event) With(data []byte) []byte {
	if e.item {
		return append(bytes.Clone(e.Raw[:len(e.Raw)-len(e.Data)]), data...)
	}
	out := make([]byte, 0, len(e.Raw)+len(data))
	done := false
	for rest := e.Raw; len(rest) > 0; {
		at := bytes.IndexAny(rest, "\r\n")
		if at < 0 {
			at = len(rest)
		}
		line, after := rest[:at], rest[at:]
		breaks := 0
		if bytes.HasPrefix(after, []byte("\r\n")) {
			breaks = 2
		} else if len(after) > 0 {
			breaks = 1
		}
		rest = after[breaks:]
		if name, _, _ := bytes.Cut(bytes.TrimPrefix(line, mark), []byte(":")); string(name) != "data" {
			out = append(append(out, line...), after[:breaks]...)
			continue
		}
		if !done {
			done = true
			out = append(append(append(out, "data: "...), bytes.ReplaceAll(data, []byte("\n"), []byte("\ndata: "))...), after[:breaks]...)
		}
	}
	return out
}
