// Package sse reads and writes server-sent events without losing a byte: whoever reads
// a stream to its end and writes what each event came as has written the stream.
//
// Start with [NewReader]. An event keeps its bytes in Raw, with the empty line that
// ends it; [Event.With] gives the same event with other data, [Append] a new one.
package sse
