package imports

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/internal/agent"
	"github.com/pertain-dev/pertain/internal/discover/secret"
	"github.com/pertain-dev/pertain/internal/fileerror"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

// Limits of `@path` imports: hostile files must not make much of little.
const (
	maxImports = 200     // files that one rule brings in
	maxLookups = 1000    // names that are looked up for one rule, whether they are there or not
	maxLevels  = 64      // folders that one name leads through: the deeper, the longer each look takes
	maxGrowth  = 1 << 20 // bytes that they add

	// maxLookupTime is for the imports of all rules of one folder. What a name costs
	// is up to the file system and to the links in it.
	maxLookupTime = 2 * time.Second
)

// maxImportWarnings is how many of a rule's imports are complained about.
const maxImportWarnings = 20

// Project is where the imports of all rules are looked up that are read together.
type Project struct {
	Tree    files.Tree
	Root    string // of the project
	Dir     string // working directory
	Home    string // the user's; empty: there is none
	Trusted bool   // the user trusts the workspace: what its files import may lie in the home

	RealHome string // Home without links

	// Repository is the repository that holds a file, if it is neither the project's nor one that the user trusts by itself; empty: none.
	Repository func(file string) string
	// Entered is the first such repository that the way to a path leads into; empty: none.
	Entered func(path string) string

	lookups atomic.Int64 // nanoseconds that looking up imports has taken
}

// From is the file of a rule.
type From struct {
	Imports *agent.Imports // what the agent takes for one
	Within  files.Bounds   // the workspace, or the folder of a file above it
	Above   bool           // the rule lies above the project
	Inner   bool           // Within is a workspace of its own, inside of the project

	// IsRule tells whether a tool reads a file, by its path, as a rule anyway.
	IsRule func(path string) bool
	// RefuseOwner says why a file is not taken, because of whose it is.
	RefuseOwner func(path string, o files.Opened) error
}

// Expand puts the files that a rule's text names by `@path` into that text. An
// import on a line of its own is replaced; one inside a line comes after it.
func (p *Project) Expand(r *rule.Rule, f From) diag.List {
	x := &expansion{Project: p, From: f, rule: r, flavor: p.Tree.Flavor(), left: maxGrowth}
	at := strings.LastIndex(r.Source.Text(), r.Content)
	whole := x.text(importing{r.Source, r.Path, at, nil}, r.Content).trimmed()
	r.Content, r.Imported = whole.text, whole.parts
	r.Includes = x.included
	return x.list
}

type expansion struct {
	*Project
	From
	rule     *rule.Rule
	flavor   files.Flavor
	included []string
	left     int
	looked   int  // names that were looked up
	large    bool // that there is too much has been told
	list     diag.List
}

// importing is the text whose imports are looked at.
type importing struct {
	source *diag.Source
	file   string
	at     int      // where the text begins in the source
	way    []string // the files that led here
}

// text expands the imports of one file.
func (x *expansion) text(from importing, text string) expanded {
	if !strings.Contains(text, "@") && !(x.Imports.DropsComments && strings.Contains(text, "<!--")) && !x.Imports.Kiro {
		return expanded{text: text}
	}
	from.way = append(slices.Clip(from.way), from.file)
	fenced := text
	if x.Imports.Tildes { // these fences are text
		fenced = strings.ReplaceAll(text, "~~~", "   ")
	}
	code := codeRanges(fenced)
	comments, own := commentRanges(text, code)
	skip := code
	if !x.Imports.Comments {
		skip = merged(code, comments)
	}
	var b expandedBuilder
	at := 0
	for line := range strings.Lines(text) {
		if !x.Imports.DropsComments || !inCode(own, at) {
			x.line(&b, from, line, at, skip)
		}
		at += len(line)
	}
	return expanded{b.String(), b.parts}
}

// line expands the imports of one line, which begins at an offset of the text.
func (x *expansion) line(b *expandedBuilder, from importing, line string, at int, code []diag.Span) {
	var brought []expanded
	alone := false
	for _, found := range x.find(line) {
		if inCode(code, at+found.Start) {
			continue
		}
		target := found.target(line)
		text, ok := x.fetch(from, target, diag.Span{Start: from.at + at + found.Start, End: from.at + at + found.End})
		if !ok {
			continue
		}
		brought = append(brought, text)
		alone = strings.TrimSpace(line) == line[found.Start:found.End]
	}
	if !alone {
		b.WriteString(line)
	}
	for _, text := range brought {
		if text.text == "" { // it has come already
			continue
		}
		if !alone {
			if !strings.HasSuffix(line, "\n") {
				b.WriteByte('\n')
			}
			b.WriteByte('\n')
		}
		b.add(text.trimmed())
		b.WriteByte('\n')
		if !alone {
			b.WriteByte('\n')
		}
	}
}

// fetch reads an imported file and what that imports. What is not there is
// ordinary text, as people write @names, unless it can only be meant as a file.
func (x *expansion) fetch(from importing, target string, span diag.Span) (expanded, bool) {
	if strings.Contains(target, "://") || len(x.included) >= maxImports && len(x.list) >= maxImportWarnings {
		return expanded{}, false
	}
	if x.looked++; x.looked > maxLookups {
		if x.looked == maxLookups+1 {
			x.warn(from, span, diag.RuleTooLarge, fmt.Sprintf("the rule names more than %d files", maxLookups))
		}
		return expanded{}, false
	}
	if x.flavor.IsAbs(target) && !x.Imports.Absolute {
		return expanded{}, false
	}
	if x.Imports.Escapes {
		target = strings.ReplaceAll(target, `\ `, " ")
	}
	path, ok := x.target(target, from.file)
	if !ok {
		return expanded{}, false
	}
	if x.strays(from, path) { // not looked at: whether it is there is not to be told, and looking may wait for a network
		if isFileName(target) || x.flavor.IsAbs(target) {
			x.warn(from, span, diag.RuleOutsideWorkspace, outsideImport)
		}
		return expanded{}, false
	}
	if strings.Count(x.flavor.ToSlash(target), "/") > maxLevels {
		x.warn(from, span, diag.RuleInvalidField, fmt.Sprintf("it leads through more than %d folders", maxLevels))
		return expanded{}, false
	}
	if time.Duration(x.lookups.Load()) > maxLookupTime {
		x.warn(from, span, diag.RuleTooLarge, fmt.Sprintf("the imports of all rules took longer than %s to look up", maxLookupTime))
		return expanded{}, false
	}
	began := time.Now()
	text, ok := x.follow(from, path, target, span)
	x.lookups.Add(int64(time.Since(began)))
	return text, ok
}

// follow reads the file at a path.
func (x *expansion) follow(from importing, path, target string, span diag.Span) (expanded, bool) {
	opened, err := x.Tree.Open(path, x.reach(from))
	if err != nil {
		var outside *files.OutsideError
		switch {
		case errors.As(err, &outside):
			x.warn(from, span, diag.RuleOutsideWorkspace, outsideImport)
		case isFileName(target):
			x.warn(from, span, diag.RuleInvalidField, fileerror.Reason(err))
		}
		return expanded{}, false
	}
	defer opened.Close()
	real := opened.Real()
	if slices.ContainsFunc(from.way, func(w string) bool { return x.same(w, real) }) {
		return expanded{}, false // it is being read: a cycle
	}
	if x.leaves(path, real) {
		x.warn(from, span, diag.RuleOutsideWorkspace, "it leads through a repository that is not trusted, and out of it by a link")
		return expanded{}, false
	}
	if why := x.refuse(from, real); why != "" {
		x.warn(from, span, diag.RuleOutsideWorkspace, why)
		return expanded{}, false
	}
	if opened.Info().Kind != files.Folder {
		if err := x.RefuseOwner(path, opened); err != nil {
			x.warn(from, span, diag.RuleOutsideWorkspace, fileerror.Reason(err))
			return expanded{}, false
		}
	}
	switch {
	case opened.Info().Kind == files.Folder:
		return expanded{}, false // a folder's name is text, too
	case slices.Contains(x.included, real):
		return expanded{}, true // a file that is named twice comes once
	case len(from.way) > x.levels():
		x.warn(from, span, diag.RuleInvalidField, fmt.Sprintf("it leads through more than %d files", x.levels()))
		return expanded{}, false
	case len(x.included) >= maxImports:
		x.warn(from, span, diag.RuleTooLarge, fmt.Sprintf("the rule imports more than %d files", maxImports))
		return expanded{}, false
	}
	data, err := opened.Read(document.MaxBytes)
	var large *files.TooLargeError
	switch {
	case errors.As(err, &large):
		x.warn(from, span, diag.RuleTooLarge, fileerror.Reason(err))
		return expanded{}, false
	case err != nil:
		x.warn(from, span, diag.RuleInvalidField, fileerror.Reason(err))
		return expanded{}, false
	case len(data) > x.left:
		x.warn(from, span, diag.RuleTooLarge, "the rule's imports have more than "+fileerror.ByteCount(maxGrowth)+" in all")
		return expanded{}, false
	}
	if x.holdsSecret(from, real, data) {
		x.warn(from, span, diag.RuleOutsideWorkspace, secretImport)
		return expanded{}, false
	}
	source, _ := document.Decode(real, data)
	if strings.IndexByte(source.Text(), 0) >= 0 {
		x.warn(from, span, diag.RuleInvalidField, "it is no text")
		return expanded{}, false
	}
	for _, d := range document.Unseen(source) {
		d.Provider = x.rule.Provider
		x.list.Add(d)
	}
	x.left -= len(data)
	x.included = append(x.included, real)
	if x.Imports.DropsComments { // frontmatter neither reaches the model
		doc, _ := document.Parse(source, document.Lenient)
		return x.text(importing{source, real, doc.BodySpan.Start, from.way}, doc.Body).of(real), true
	}
	return x.text(importing{source, real, 0, from.way}, source.Text()).of(real), true
}

// warn says why an import is not followed. Of the text around it nothing shows.
func (x *expansion) warn(from importing, span diag.Span, code diag.Code, why string) {
	large := code == diag.RuleTooLarge && !x.large // that a limit was reached is always told
	if len(x.list) >= maxImportWarnings && !large {
		return
	}
	x.large = x.large || large
	source, veiled := document.Veil(from.source, span)
	d := diag.At(source, veiled, code, "the import `%s` is not followed: %s", source.Text()[veiled.Start:veiled.End], why)
	d.Provider = x.rule.Provider
	x.list.Add(d)
}

// isFileName tells whether an import can hardly be anything but a file: people
// write @names and @scope/packages, too.
func isFileName(target string) bool {
	for _, prefix := range []string{"./", "../", "~/"} {
		if strings.HasPrefix(target, prefix) {
			return true
		}
	}
	return secret.IsText(target)
}
