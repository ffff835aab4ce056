// Package goldentest is for tests that compare what comes of many small texts with one file. The file holds the texts and the
// outcomes beside each other, so that a reader sees what is done with what; [Run] compares it, or writes it anew.
//
//	=== WORDS: what the case is about
//	the text
//	>>>
//	what comes of it
//
// A [Form] has other signs. Where a text is one line, [Questions] is shorter:
//
//	? the text
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

// Form is how the cases of a file are told apart.
type Form struct {
	Begin   string // before the first line of a case
	Outcome string // the line before what comes of it; empty: a case is its first line alone
}

// Run tries the cases of a file in the usual form.
func Run(t *testing.T, file string, update bool, try func(t *testing.T, c Case) string) {
	t.Helper()
	Form{"=== ", ">>>"}.Run(t, file, update, try)
}

// Run tries the cases of a file and compares what comes of each with what the file says. With update the file is written instead.
func (f Form) Run(t *testing.T, file string, update bool, try func(t *testing.T, c Case) string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split("\n"+string(data), "\n"+f.Begin)
	if len(parts) < 2 {
		t.Errorf("%s holds no cases", file)
	}
	out := strings.TrimSpace(parts[0]) + "\n"
	for _, part := range parts[1:] {
		c, want := f.read(part)
		got := strings.TrimSpace(try(t, c))
		if want = strings.TrimSpace(want); !update && got != want {
			t.Errorf("%s: %s: (-want +got)\n%s", file, c.Head, cmp.Diff(want, got))
		}
		out += "\n" + f.Begin + c.Head + "\n"
		if c.Text != "" {
			out += c.Text + "\n"
		}
		if f.Outcome != "" {
			out += f.Outcome + "\n"
		}
		out += got + "\n"
	}
	if update {
		write(t, file, strings.TrimLeft(out, "\n"))
	}
}

// read takes a case apart.
func (f Form) read(part string) (c Case, want string) {
	if f.Outcome == "" {
		c.Head, want, _ = strings.Cut(part, "\n")
	} else {
		var text string
		text, want, _ = strings.Cut(part, "\n"+f.Outcome+"\n")
		c.Head, c.Text, _ = strings.Cut(strings.TrimSuffix(text, "\n"+f.Outcome), "\n")
	}
	words, _, _ := strings.Cut(c.Head, ":")
	c.Words = strings.Fields(words)
	return c, want
}

// Questions compares a file of texts of one line, each after "? ", with what answer says of each, which stands below it. Lines that begin
// with # are headings. With update the file is written instead.
func Questions(t *testing.T, file string, update bool, answer func(question string) string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	asked := 0
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "#") {
			fmt.Fprintf(&b, "\n%s", line)
		}
		if question, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "? "); ok {
			asked++
			fmt.Fprintf(&b, "\n? %s\n%s", question, answer(question))
		}
	}
	if asked == 0 {
		t.Errorf("%s holds no questions", file)
	}
	got := strings.TrimPrefix(b.String(), "\n")
	if update {
		write(t, file, got)
		return
	}
	if diff := cmp.Diff(strings.Split(string(data), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s, before and now:\n%s", file, diff)
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
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
