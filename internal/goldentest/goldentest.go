// Package goldentest is for tests that compare what comes of many small texts with one file. The file holds the texts and the
// outcomes beside each other, so that a reader sees what is done with what; [Run] compares it, or writes it anew.
//
//	=== WORDS: what the case is about
//	the text
//	>>>
//	what comes of it
package goldentest

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/diag"
)

// Case is one text.
type Case struct {
	Head  string   // its first line, without the sign
	Words []string // of the first line, before the colon
	Text  string
}

// Run tries the cases of a file and compares what comes of each with what the file says. With update the file is written instead.
func Run(t *testing.T, file string, update bool, try func(t *testing.T, c Case) string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split("\n"+string(data), "\n=== ")
	if len(parts) < 2 {
		t.Errorf("%s holds no cases", file)
	}
	out := strings.TrimSpace(parts[0]) + "\n"
	for _, part := range parts[1:] {
		text, want, _ := strings.Cut(part, "\n>>>\n")
		var c Case
		c.Head, c.Text, _ = strings.Cut(text, "\n")
		words, _, _ := strings.Cut(c.Head, ":")
		c.Words = strings.Fields(words)
		got := strings.TrimSpace(try(t, c))
		if want = strings.TrimSpace(want); !update && got != want {
			t.Errorf("%s: %s: (-want +got)\n%s", file, c.Head, cmp.Diff(want, got))
		}
		out += "\n=== " + c.Head + "\n" + c.Text + "\n>>>\n" + got + "\n"
	}
	if update {
		if err := os.WriteFile(file, []byte(out), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// Tell writes diagnostics with all that they say, each with the text that it is about.
func Tell(w io.Writer, what string, list diag.List) {
	for _, d := range list {
		fmt.Fprintf(w, "%s%s %s", what, d.Severity, d.Code)
		if d.Span.IsValid() {
			fmt.Fprintf(w, " at %d %q", d.Span.Start, d.Source.Text()[d.Span.Start:min(d.Span.End, len(d.Source.Text()))])
		}
		fmt.Fprintf(w, ": %s", d.Message)
		for _, part := range []struct{ before, text, after string }{
			{"; hint: ", d.Hint, ""}, {"; path ", d.Path, ""}, {"; strategy ", d.Strategy, ""}, {" (", d.Provider, ")"},
		} {
			if part.text != "" {
				fmt.Fprint(w, part.before, part.text, part.after)
			}
		}
		for _, other := range d.Related {
			fmt.Fprintf(w, " [%s at %d: %s]", other.Source.Name(), other.Span.Start, other.Message)
		}
		fmt.Fprintln(w)
	}
}
