package diag

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// TextOptions say how [Text] and [Lines] print. The zero value prints absolute
// names without colour.
type TextOptions struct {
	Color bool                     // ANSI colours; the caller knows whether there is a terminal
	Name  func(file string) string // how to show a file's name; nil shows it as it is
}

// Text prints each diagnostic with the line it is about and a caret under the
// location:
//
//	error[strategy.invalid_duration]: `5 minutes` is not a duration
//	  --> x.strategy.md:12:20
//	   |
//	12 |   matchingTimeout: 5 minutes
//	   |                    ^^^^^^^^^
//	   = hint: write a number followed by ms or s, such as 300ms
func Text(w io.Writer, list List, opts TextOptions) error {
	p := printer{opts: opts}
	for i, d := range list {
		if i > 0 {
			p.b.WriteByte('\n')
		}
		p.diagnostic(d)
	}
	_, err := io.WriteString(w, p.b.String())
	return err
}

// Lines prints one line for each diagnostic: file:line:column: severity: message [code].
func Lines(w io.Writer, list List, opts TextOptions) error {
	p := printer{opts: opts}
	for _, d := range list {
		if location := p.location(d.Source, d.Span); location != "" {
			p.b.WriteString(location + ": ")
		}
		p.b.WriteString(p.paint(d.Severity, d.Severity.String()) + ": " + printable(p.opts.names(d, d.Sentence())) + " [" + printable(string(d.Code)) + "]\n")
	}
	_, err := io.WriteString(w, p.b.String())
	return err
}

// names writes the files that a diagnostic is about into its message as they are shown.
func (o TextOptions) names(d Diagnostic, message string) string {
	if o.Name == nil || d.Source == nil {
		return message
	}
	sources := []*Source{d.Source}
	for _, r := range d.Related {
		sources = append(sources, r.Source)
	}
	for _, s := range sources {
		if s != nil && len(s.Name()) > 1 {
			message = strings.ReplaceAll(message, " "+s.Name(), " "+o.Name(s.Name()))
		}
	}
	return message
}

type printer struct {
	opts TextOptions
	b    strings.Builder
}

func (p *printer) diagnostic(d Diagnostic) {
	head := d.Severity.String() + "[" + printable(string(d.Code)) + "]"
	p.b.WriteString(p.paint(d.Severity, head) + p.bold(": "+printable(p.opts.names(d, d.Message))) + "\n")
	gutter := 3
	if pos, ok := d.Position(); ok {
		gutter = len(strconv.Itoa(pos.Line)) + 1
	}
	pad := strings.Repeat(" ", gutter)
	if location := p.location(d.Source, d.Span); location != "" {
		p.b.WriteString(pad + p.dim("--> ") + location + "\n")
	} else if d.Strategy != "" {
		p.b.WriteString(pad + p.dim("--> ") + printable(d.Strategy) + "\n")
	}
	if pos, ok := d.Position(); ok {
		line, marker := excerpt(d.Source, d.Span, pos)
		p.b.WriteString(pad + p.dim("|") + "\n")
		fmt.Fprintf(&p.b, "%*d %s %s\n", gutter-1, pos.Line, p.dim("|"), line)
		p.b.WriteString(pad + p.dim("|") + " " + p.paint(d.Severity, marker) + "\n")
	}
	for _, r := range d.Related {
		p.b.WriteString(pad + p.dim("= ") + "see: ")
		if location := p.location(r.Source, r.Span); location != "" {
			p.b.WriteString(location + ": ")
		}
		p.b.WriteString(printable(r.Message) + "\n")
	}
	if d.Hint != "" {
		p.b.WriteString(pad + p.dim("= ") + "hint: " + printable(d.Hint) + "\n")
	}
}

// location is file:line:column as far as it is known.
func (p *printer) location(s *Source, span Span) string {
	if s == nil {
		return ""
	}
	name := s.Name()
	if p.opts.Name != nil {
		name = p.opts.Name(name)
	}
	name = printable(name)
	if !span.IsValid() {
		return name
	}
	pos := s.Position(span.Start)
	return fmt.Sprintf("%s:%d:%d", name, pos.Line, pos.Column)
}

func (p *printer) paint(s Severity, text string) string {
	color := "34"
	switch s {
	case Error:
		color = "31"
	case Warning:
		color = "33"
	}
	return p.style("1;"+color, text)
}

func (p *printer) bold(text string) string { return p.style("1", text) }
func (p *printer) dim(text string) string  { return p.style("2", text) }

func (p *printer) style(code, text string) string {
	if !p.opts.Color {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}
