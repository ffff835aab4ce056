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
// for all their projects. Inside of it a link leads to what came with the project, and
// not to what the user has there: .git/config, an .env, keys.

// bounds are where the files of a tool's locations in a folder may lead.
func (s *search) bounds(dir string, level rule.Level) files.Bounds {
	switch {
	case level == rule.User && slices.Contains(s.above, dir): // an archive's, or that of the repository around this one
		return files.Below(s.tree, dir)
	case level == rule.User:
		return files.Anywhere()
	case s.flavor.Inside(s.root, dir): // as is all below the working directory
		// A repository that a link of the project leads to is not inside: its rules are no business of who made the link.
		if inner := s.inner(dir); s.within.Hold(s.flavor, inner) {
			return s.project(inner)
		}
		return s.within
	}
	return files.Below(s.tree, dir) // above the project
}

// project are the bounds of the project's files, or of those of a folder inside of it that they do not leave.
func (s *search) project(inner string) files.Bounds {
	if inner != "" {
		return files.BelowReal(inner)
	}
	return s.within
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
	o, err = folder.Link(s.flavor.Base(path), s.home)
	folder.Close()
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
	if s.ground("").Looks(o.Real()) {
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
	real = o.Real()
	if f.origin.Level == rule.Project && (!f.named || s.flavor.Inside(s.root, f.path)) && s.leaves(f.path, real) && (!s.home.Hold(s.flavor, real) || s.refuseHome(f.path, o) != "") {
		return nil, "", &files.OutsideError{Path: f.path, Why: "it leads through a repository inside of the workspace, and out of that by a link"}
	}
	led := s.isLed(f, real)
	ground, inside := f.within.Folder(s.flavor, real)
	if led && inside && s.ground(ground).Looks(real) || inside && ground == "" && (f.chosen || f.path != real) && s.ground("").IsKeyFile(real) {
		return nil, "", secretError(f)
	}
	if data, err = o.Read(document.MaxBytes); err != nil {
		return nil, "", err
	}
	if led && s.ground(ground).Holds(real, data) && !(inside && s.reads(real)) { // what a tool reads there anyway is no secret
		return nil, "", secretError(f)
	}
	return data, real, nil
}

// leaves tells whether the way to a file leads into a repository of its own, and by a link out of that again.
func (s *search) leaves(path, real string) bool {
	folder := s.entered(path)
	return folder != "" && !s.flavor.Inside(folder, real)
}

func secretError(f ruleFile) error {
	if f.chosen {
		return &files.OutsideError{Path: f.path, Why: "it looks like a secret"}
	}
	return &files.OutsideError{Path: f.path, Why: "it is a link to what looks like a secret"}
}

// ground is a folder, without links, that holds files of a project.
func (s *search) ground(folder string) secret.Ground {
	return secret.Ground{Tree: s.tree, Folder: folder, Home: s.realHome}
}

// isLed tells whether it is somebody else who says that a file, links followed, is a rule: by a link on the way to it, or in settings.
// What has the name of a rule in its own place says so itself.
func (s *search) isLed(f ruleFile, real string) bool {
	ground, inside := f.within.Folder(s.flavor, real)
	switch {
	case !inside:
		return true
	case ground == "": // the user's own may lead anywhere
		return false
	case f.chosen:
		return true
	case f.path == real || s.leads(s.Dir, s.real, f.path, real):
		return false // no link, as nearly all
	}
	top := "" // the ground, as it is called on the way to the file
	for dir := s.flavor.Dir(f.path); ; dir = s.flavor.Dir(dir) {
		if found, err := s.tree.RealPath(dir); err == nil && s.flavor.Key(found) == s.flavor.Key(ground) {
			top = dir
		}
		if dir == s.flavor.Dir(dir) {
			return top == "" || !s.leads(top, ground, f.path, real)
		}
	}
}

// leads tells whether a path below a folder leads to a file without a link between them.
func (s *search) leads(dir, realDir, path, real string) bool {
	rel, ok := s.flavor.Rel(dir, path)
	return ok && realDir != "" && s.flavor.Key(s.flavor.Join(realDir, rel)) == s.flavor.Key(real)
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

// foreignFolder tells of a folder above the working directory that is not looked at.
func foreignFolder(path, what string) diag.Diagnostic {
	return diag.At(diag.NewSource(path, ""), diag.NoSpan, diag.RuleOutsideWorkspace,
		"%s above the working directory belongs to another user; no rules are read there", what).
		WithHint("work in that folder itself to use its rules")
}
