package discover

import (
	"errors"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/internal/discover/secret"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

// A project comes from strangers and must not bring other files of this machine
// into a prompt. Its folders are followed only inside of it. One file that is a
// link may lead into the home, to text that people write: many keep one AGENTS.md
// for all their projects.

// bounds are where the files of a tool's locations in a folder may lead.
func (s *search) bounds(dir string, level rule.Level) files.Bounds {
	switch {
	case level == rule.User && slices.Contains(s.above, dir): // an archive's, or that of the repository around this one
		return files.Below(s.tree, dir)
	case level == rule.User:
		return files.Anywhere()
	case s.flavor.Inside(s.root, dir) || s.flavor.Inside(s.Dir, dir):
		return s.within
	}
	return files.Below(s.tree, dir) // above the project
}

// open finds what a path leads to, and refuses what a project must not reach.
func (s *search) open(path string, within files.Bounds) (files.Opened, error) {
	o, err := s.tree.Open(path, within)
	var outside *files.OutsideError
	if !errors.As(err, &outside) {
		return o, err
	}
	folder, err := s.tree.Open(s.flavor.Dir(path), within)
	if err != nil {
		return nil, outside // a folder on the way is the link
	}
	folder.Close()
	o, err = s.tree.Open(path, s.home)
	if err != nil {
		return nil, outside // whether there is anything is not to be told
	}
	if why := s.refuseHome(path, o); why != "" {
		o.Close()
		return nil, &files.OutsideError{Path: path, Why: why}
	}
	return o, nil
}

// refuseHome says why a project's link does not reach something in the home;
// empty: it does.
func (s *search) refuseHome(path string, o files.Opened) string {
	if o.Info().Kind == files.Folder {
		return "it is a link to a folder outside of the workspace"
	}
	name := func(path string) string { return strings.TrimLeft(s.flavor.Base(path), ".") }
	if !secret.IsText(s.flavor.ToSlash(o.Real())) && (name(o.Real()) != name(path) || !secret.IsRulesName(name(path))) {
		return "a project's link leads into the home only to Markdown and plain text"
	}
	if secret.Looks(s.flavor.ToSlash(o.Real())) {
		return "it is a link to what looks like a secret"
	}
	return ""
}

// fetch reads the file of a rule. real is its path without links.
func (s *search) fetch(f ruleFile) (data []byte, real string, err error) {
	o, err := s.open(f.path, f.within)
	if err != nil {
		return nil, "", err
	}
	defer o.Close()
	if err := s.refuseOwner(f, o); err != nil {
		return nil, "", err
	}
	if data, err = o.Read(document.MaxBytes); err != nil {
		return nil, "", err
	}
	if !f.within.Hold(s.flavor, o.Real()) && secret.HoldsKey(data) {
		return nil, "", &files.OutsideError{Path: f.path, Why: "it is a link to what looks like a secret"}
	}
	return data, o.Real(), nil
}

// refuseOwner refuses a project's file above the working directory that belongs to
// another user, and one in a folder that everybody may write. Above the project it
// must be one that nobody else may write.
func (s *search) refuseOwner(f ruleFile, o files.Opened) error {
	if f.named || f.origin.Level != rule.Project && !f.above {
		return nil
	}
	info, above := o.Info(), !s.flavor.Inside(s.Dir, f.path)
	if !above && !s.public {
		if rel, _ := s.flavor.Rel(s.Dir, f.path); !info.Foreign && o.Real() == s.flavor.Join(s.real, rel) {
			return nil // no link, as nearly all
		}
		return files.RefuseForeign(s.tree, o, s.Dir, f.path, files.IsPublic)
	}
	named, err := s.tree.Stat(f.path) // who made the link
	foreign := info.Foreign || err != nil || named.Foreign
	switch {
	case foreign:
		return &files.OutsideError{Path: f.path, Why: "it belongs to another user"}
	case above && info.Shared && !s.flavor.Inside(s.root, f.path):
		return &files.OutsideError{Path: f.path, Why: "it lies above the project, and others may write it"}
	}
	return nil
}

// foreignPlace tells of a folder above the working directory that is not looked at.
func foreignFolder(path, what string) diag.Diagnostic {
	return diag.At(diag.NewSource(path, ""), diag.NoSpan, diag.RuleOutsideWorkspace,
		"%s above the working directory belongs to another user; no rules are read there", what).
		WithHint("work in that folder itself to use its rules")
}
