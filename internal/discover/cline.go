package discover

import (
	"slices"

	"github.com/pertain-dev/pertain/internal/agent"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

const clineName = ".clinerules"

func clineFormat() *format {
	return &format{
		Tool:     "Cline",
		GlobKeys: []string{"paths", "globs"}, // the rulebook reads globs (docs/reference/rules.md), Cline itself paths
		Keys:     []string{"alwaysApply"},
		Extglobs: true, Picomatch: true,
		Activate: clineActivation,
		AlwaysIn: clineCLI(),
	}
}

// clineCLI is Cline's command line, which was seen to look at no field; the editor extension was not measured.
func clineCLI() string {
	a, _ := agent.Lookup("cline")
	return a.Title + " " + a.Version
}

// clineActivation: a rule that says nothing is always on, and so is one whose
// frontmatter cannot be read; an empty list of paths switches it off.
func clineActivation(f *rule.Fields) rule.Activation {
	r := f.Rule()
	switch {
	case !f.Readable(), f.Salvaged:
		return rule.AlwaysActive
	case f.IsEmptyList("paths"):
		return rule.Never
	case r.Globs == nil && r.Description == nil && r.AlwaysApply == nil:
		return rule.AlwaysActive
	}
	return rule.ByFields
}

// cline is the nearest `.clinerules` from the working directory upward, a folder
// or a file (docs/reference/rules.md); by default also the user's folders.
func cline() tool {
	f := clineFormat()
	// Cline's editor extension takes every name; these subfolders hold something else.
	folder := func(path string) location {
		return location{path: path, exts: anyName, format: f, skip: []string{"workflows", "hooks", "skills"}}
	}
	return tool{
		id: "cline", priority: 40,
		project: []location{ // for files that are named; find looks further up
			folder(clineName),
			{path: clineName, name: "clinerules", format: f},
			folder(".cline/rules"),
		},
		user: []location{folder(".cline/rules"), folder("Documents/Cline/Rules"), folder("Cline/Rules")},
		find: func(s *search, t *tool) []ruleFile {
			var out []ruleFile
			if dir, ok := clineFolder(s); ok {
				out = s.in(s.inside(dir), t.project[:2])
			}
			for _, dir := range s.chain {
				out = append(out, s.in(s.inside(dir), t.project[2:])...)
			}
			for _, dir := range s.below {
				out = append(out, s.in(s.nested(dir), t.project)...)
			}
			return append(out, s.users(t)...)
		},
		documented: func(s *search) []ruleFile {
			dir, ok := clineFolder(s)
			if !ok {
				return nil
			}
			path := s.flavor.Join(dir, clineName)
			if kind, _ := s.kind(dir, clineName, rule.Project); kind == files.Folder {
				return s.flat(path, dir, rule.Project, f, ".md")
			}
			return []ruleFile{{path: path, within: s.bounds(dir, rule.Project), format: f, origin: rule.Origin{Level: rule.Project, Name: "clinerules", Base: s.slash(dir)}}}
		},
	}
}

// clineFolder is the nearest folder that holds `.clinerules`.
func clineFolder(s *search) (string, bool) {
	if s.Documented {
		dir, _, ok := files.FindUp(s.tree, s.Dir, clineName)
		return dir, ok
	}
	way := slices.DeleteFunc(slices.Concat(s.chain, s.above), func(dir string) bool { return !s.mayHold(dir, clineName, rule.Project) })
	return files.FindIn(s.tree, s.Dir, way, clineName)
}
