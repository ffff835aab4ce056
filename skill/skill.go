package skill

import (
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
)

// Skill is a skill as it was read.
type Skill struct {
	Location
	Source      *diag.Source // the SKILL.md
	Name        string       // from the frontmatter, else the first heading, else the folder
	Description string
	Body        string // the instructions
	Enabled     bool   // whether it is in the index
	Valid       bool   // false: it is never in the index
	Diagnostics diag.List

	exported bool // it says what a rule says that is here
	effort   int  // of reading its frontmatter
}

// MaxDescription is how many characters of a description are in the index.
const MaxDescription = 1024

// read makes a skill of what is in its folder. Nothing that is there is lost:
// a skill that is wrong is still listed, with what is wrong.
func (l Library) read(location Location) *Skill {
	s := &Skill{Location: location, Name: location.Folder, Source: diag.NewSource(location.File(), ""), Valid: true}
	if location.problem != "" {
		s.wrong(diag.NoSpan, location.problem, "")
		if location.outside {
			s.Diagnostics[0].Code = diag.RuleOutsideWorkspace
		}
		return s
	}
	data, err := l.readInside(location, []string{FileName})
	if err != nil {
		why := err.Error()
		var known *ReadError
		if errors.As(err, &known) {
			why = known.Reason
		}
		s.wrong(diag.NoSpan, FileName+" cannot be read: "+why, "")
		return s
	}
	source, list := document.Decode(location.File(), data)
	doc, more := document.Parse(source, document.Lenient)
	s.Source, s.Body, s.effort = source, doc.Body, doc.Effort()
	for _, d := range append(list, more...) {
		d.Code, d.Severity = diag.SkillInvalid, diag.Warning
		d.Message = strings.ReplaceAll(d.Message, "the rule's text", "the skill's text")
		s.Diagnostics.Add(d)
	}
	for _, d := range document.Unseen(source) {
		s.Diagnostics.Add(d)
	}
	s.exported = l.isExported(location, source.Text())
	s.readFields(doc)
	if !doc.HasBody {
		s.wrong(diag.NoSpan, "the skill has no instructions", "write them below the frontmatter")
	}
	return s
}

func (s *Skill) readFields(doc *document.Document) {
	front := doc.Frontmatter
	if !doc.HasFrontmatter {
		front = document.Unclosed(doc.Source)
	}
	switch name := front.Get("name"); {
	case name != nil && name.IsScalar() && strings.TrimSpace(name.Text) != "":
		s.Name = strings.TrimSpace(name.Text)
		if !strings.EqualFold(s.Name, s.Folder) {
			s.warn(name.Span(), "the name `"+s.Name+"` differs from the folder `"+s.Folder+"`, which makes the id", "write `name: "+s.Folder+"`, or rename the folder")
		}
	default:
		if heading := document.FirstHeading(doc.Body); heading != "" {
			s.Name = heading
		}
		s.warn(diag.NoSpan, "the skill has no name; `"+s.Name+"` is shown", "add `name: "+s.Folder+"` to the frontmatter")
	}
	description := front.Get("description")
	if description != nil && description.IsScalar() {
		s.Description = strings.TrimSpace(description.Text)
	}
	switch {
	case s.Description == "" && description != nil && description.Kind != document.Null && !description.IsScalar():
		s.wrong(description.Span(), "`description` must be a text, not "+description.Kind.String(), "write one text that says when to use the skill")
	case s.Description == "":
		s.wrong(diag.NoSpan, "the skill has no description, so nobody knows when to use it", "add `description: …` to the frontmatter")
	case utf8.RuneCountInString(s.Description) > MaxDescription:
		s.warn(description.Span(), "the description is longer than the 1024 characters that a prompt gets", "keep the details in the instructions")
	}
}

func (s *Skill) warn(span diag.Span, message, hint string) {
	d := diag.At(s.Source, span, diag.SkillInvalid, "%s", message)
	d.Severity, d.Hint = diag.Warning, hint
	s.Diagnostics.Add(d)
}

// wrong is a mistake that keeps the skill out of the index.
func (s *Skill) wrong(span diag.Span, message, hint string) {
	d := diag.At(s.Source, span, diag.SkillInvalid, "%s", message)
	d.Severity, d.Hint = diag.Error, hint
	s.Diagnostics.Add(d)
	s.Valid = false
}

// MarshalJSON writes the documented form, without the instructions.
func (s *Skill) MarshalJSON() ([]byte, error) {
	w := struct {
		ID          string    `json:"id"`
		Name        string    `json:"name"`
		Description *string   `json:"description"`
		Source      string    `json:"source"`
		Path        string    `json:"path"`
		URI         string    `json:"uri"`
		Enabled     bool      `json:"enabled"`
		Default     bool      `json:"enabledByDefault"`
		Valid       bool      `json:"valid"`
		Diagnostics diag.List `json:"diagnostics"`
	}{
		ID: s.ID, Name: s.Name, Source: s.Root.Source, Path: s.File(), URI: Address(s.ID),
		Enabled: s.Enabled, Default: s.Root.Enabled, Valid: s.Valid, Diagnostics: s.Diagnostics,
	}
	if s.Description != "" {
		w.Description = &s.Description
	}
	return json.Marshal(w)
}
