package rule

import (
	"strings"

	"github.com/pertain-dev/pertain/internal/markup"
	"github.com/pertain-dev/pertain/internal/visible"
)

// PromptOptions say what a prompt block is for. The zero value is for a session
// that has not begun to work on a file.
type PromptOptions struct {
	Files []File // about to be worked on: rules whose globs match one are placed whole
}

// Prompt is the block for a system prompt (docs/reference/rules.md): first, by default, the whole
// text of the rules that always apply, then the list of those that can be read.
// It is empty if there is nothing to say, and ends with a line break otherwise.
func (s *Set) Prompt(options PromptOptions) string {
	s = s.orEmpty()
	var b strings.Builder
	if !s.options.Documented {
		if whole := s.whole(options.Files); len(whole) > 0 {
			b.WriteString("<always-rules>\n")
			for _, p := range whole {
				b.WriteString(`<rule name="` + markup.Attribute(s.told(p.rule.Name)) + `">` + markup.Rule.Body(s.told(p.text)) + "</rule>\n")
			}
			b.WriteString("</always-rules>\n")
		}
	}
	block := s.listed()
	if b.Len() > 0 && block != "" {
		b.WriteByte('\n')
	}
	return b.String() + block
}

// Cost is what makes a prompt long: the texts that are placed whole, each once,
// and the block that lists rules.
type Cost struct {
	Texts []string
	Block string
}

// Cost takes the prompt apart, so that what it costs can be counted.
func (s *Set) Cost(options PromptOptions) Cost {
	s = s.orEmpty()
	c := Cost{Block: s.listed()}
	if !s.options.Documented {
		for _, p := range s.whole(options.Files) {
			c.Texts = append(c.Texts, s.told(p.text))
		}
	}
	return c
}

// listed is the block of the rules that can be read.
func (s *Set) listed() string {
	listed := s.Bucket(Rulebook)
	if len(listed) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("<rules>\nRead rule://<name> when working in matching domain\n\n")
	for _, r := range listed {
		b.WriteString("<rule name=\"" + markup.Attribute(s.told(r.Name)) + "\">\n")
		if r.Description != nil {
			b.WriteString(markup.Text(s.told(*r.Description)) + "\n")
		}
		for _, g := range r.Globs {
			b.WriteString("<glob>" + markup.Text(s.told(g)) + "</glob>\n")
		}
		b.WriteString("</rule>\n")
	}
	b.WriteString("</rules>\n")
	return b.String()
}

// told is a text as a model is told it: what no reader of the file can see is left
// out, before anything else looks for markup. As documented, it stays.
func (s *Set) told(text string) string {
	if s.options.Documented {
		return text
	}
	return visible.Strip(text)
}

// placed is a rule with what of its text is placed.
type placed struct {
	rule *Rule
	text string
}

// whole are the rules whose text goes into the prompt, in order of precedence.
// A text is taken once, however many names it has and rules import it. What stands
// in a folder below the working directory counts only for files there, once files
// are named.
func (s *Set) whole(files []File) []placed {
	take := map[*Rule]bool{}
	for _, r := range s.rules {
		take[r] = r.Bucket == Always && !(r.nested && len(files) > 0) && !s.replaced(r, files)
	}
	for _, verdicts := range s.For(files, false) {
		for _, v := range verdicts {
			if v.Why == ByGlob || v.Why == ByAlways {
				take[v.Rule] = true
			}
		}
	}
	var out []placed
	var once Once
	for _, r := range s.rules {
		if !take[r] {
			continue
		}
		if text := once.Take(r); text != "" {
			out = append(out, placed{r, text})
		}
	}
	return out
}

// Import is a file whose text was put into that of a rule: the part of the rule's content that it takes.
type Import struct {
	Path       string // absolute, without links
	Start, End int    // in bytes of Content
}

// Once is what a text for a model holds already, so that nothing stands there twice: neither a text with several names, nor a file
// that several rules import. The zero value holds nothing.
type Once struct {
	files map[string]bool // absolute paths
	texts map[string]bool // in their plain form
}

// AddFile says that the text for the model holds that of a file already.
func (o *Once) AddFile(path string) {
	if o.files == nil {
		o.files, o.texts = map[string]bool{}, map[string]bool{}
	}
	if path != "" {
		o.files[path] = true
	}
}

// Take is what a rule adds, as [Once.Rest] has it; from then on the text holds it.
func (o *Once) Take(r *Rule) string {
	rest := o.Rest(r)
	o.add(r)
	return rest
}

// Rest is what a rule would add: its content without the imports that the text holds already. It is empty if the text
// holds all of it.
func (o *Once) Rest(r *Rule) string {
	if o.holds(r) {
		return ""
	}
	var b strings.Builder
	at, cut := 0, false
	for _, part := range r.Imported {
		if part.Start < at { // inside of one that has come
			continue
		}
		if o.files[part.Path] || o.texts[seenForm(r.Content[part.Start:part.End])] {
			b.WriteString(r.Content[at:part.Start])
			at, cut = part.End, true
		}
	}
	b.WriteString(r.Content[at:])
	if !cut {
		return r.Content
	}
	return strings.TrimSpace(b.String())
}

// holds tells whether the whole of a rule has come, as a text or as a file that another one imports.
func (o *Once) holds(r *Rule) bool {
	if o.texts[seenForm(r.Content)] {
		return true
	}
	if !o.files[r.Path] && (r.Real == "" || !o.files[r.Real]) {
		return false
	}
	for _, path := range r.Includes { // what imports others need not have led that far
		if !o.files[path] {
			return false
		}
	}
	return true
}

func (o *Once) add(r *Rule) {
	o.AddFile(r.Path)
	o.AddFile(r.Real)
	o.texts[seenForm(r.Content)] = true
	for _, part := range r.Imported {
		o.AddFile(part.Path)
		o.texts[seenForm(r.Content[part.Start:part.End])] = true
	}
}

// seenForm is a text as a model gets it and texts are compared.
func seenForm(text string) string { return plainForm(visible.Strip(text)) }
