package skillfolder

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/follow"
	"github.com/pertain-dev/pertain/internal/settings"
	"github.com/pertain-dev/pertain/skill"
	"github.com/pertain-dev/pertain/strategy"
)

// folder is a row of the table of folders where skills are.
type folder struct {
	source  string
	folder  string // below the home, or below the workspace
	enabled bool
}

// userSkills are the folders below the home (docs/reference/skills.md), after Pertain's own.
var userSkills = []folder{
	{"agents", ".agents/skills", true},
	{"claude", ".claude/skills", false},
	{"codex", ".codex/skills", false},
	{"copilot", ".copilot/skills", false},
	{"cursor", ".cursor/skills", false},
	{"gemini", ".gemini/skills", false},
	{"everywhere", ".everywhere/skills", false},
}

// workspaceSkills are the folders below the workspace.
var workspaceSkills = []folder{
	{"workspace", ".pertain/skills", false},
	{"workspace-claude", ".claude/skills", false},
	{"workspace-agents", ".agents/skills", false},
}

// Roots are the folders of skills in their order: Pertain's own, those of
// the tools of this user, those of the workspace. workspace may be empty. A home
// that is a workspace too has folders twice; [skill.Library] takes them once.
func Roots(tree files.Tree, paths settings.Paths, workspace string, trusted bool) []skill.Root {
	f := tree.Flavor()
	var roots []skill.Root
	if paths.Skills != "" {
		roots = append(roots, skill.Root{Source: "pertain", Dir: paths.Skills, Enabled: true})
	}
	if paths.Home != "" {
		for _, p := range userSkills {
			roots = append(roots, skill.Root{Source: p.source, Dir: f.Join(paths.Home, p.folder), Enabled: p.enabled})
		}
	}
	if workspace == "" {
		return roots
	}
	if real, err := tree.RealPath(workspace); err == nil {
		workspace = real
	}
	for _, p := range workspaceSkills {
		roots = append(roots, skill.Root{Source: p.source, Dir: f.Join(workspace, p.folder), Enabled: p.enabled, Workspace: workspace, Trusted: trusted})
	}
	return roots
}

// Resolver resolves skill://ID of `from`. A skill need not be enabled for
// that: its author is asked by name.
type Resolver struct {
	Tree   files.Tree
	Roots  []skill.Root
	Moving func(context.Context) []skill.Root // as in [skill.Library]
}

// CanResolve is true for addresses of skills.
func (r Resolver) CanResolve(ref strategy.Reference, _ *diag.Source, _ strategy.Origin) bool {
	return ref.Scheme() == "skill"
}

// Resolve reads the skill. A strategy of a workspace reaches only skills inside
// it, and one of the user's none of a workspace that is not trusted.
func (r Resolver) Resolve(ctx context.Context, ref strategy.Reference, _ *diag.Source, origin strategy.Origin) (strategy.Included, error) {
	r.Tree = follow.Noted(ctx, r.Tree)
	library := skill.Library{Tree: r.Tree, Roots: r.Roots, Moving: r.Moving}
	name, path, err := skill.ParseAddress(strings.TrimSpace(ref.Target))
	if err != nil {
		return strategy.Included{}, &strategy.HintError{Problem: "`" + ref.Target + "` is not the address of a skill", Hint: err.Error()}
	}
	located, _, err := library.Find(ctx, name, path)
	if err != nil {
		return strategy.Included{}, problem(err)
	}
	if origin.Confine != "" {
		// Only the workspace's own are asked in the end, which the library keeps inside of it.
		library.Roots = slices.DeleteFunc(slices.Clone(library.Roots), func(root skill.Root) bool { return root.Workspace == "" })
		if _, _, err := files.StatWithin(r.Tree, located.Dir, files.Below(r.Tree, origin.Confine)); err != nil || located.Root.Workspace == "" {
			return strategy.Included{}, &strategy.HintError{
				Problem: "the skill `" + located.ID + "` lies outside of the workspace",
				Hint:    "copy it into the workspace's .pertain/skills; a workspace's strategies reach only its own files",
			}
		}
	} else if located.Root.Workspace != "" && !located.Root.Trusted {
		return strategy.Included{}, &strategy.HintError{
			Problem: "the skill `" + located.ID + "` is one of a workspace that is not trusted",
			Hint:    "look at it, then run `pertain trust`",
		}
	}
	found, err := library.Read(ctx, strings.TrimSpace(ref.Target))
	if err != nil {
		return strategy.Included{}, problem(err)
	}
	return strategy.Included{Name: found.File, Data: found.Data, Folder: found.Location.Folder}, nil
}

// problem words an error for the author of a strategy.
func problem(err error) error {
	var unknown *skill.UnknownError
	var ambiguous *skill.AmbiguousError
	switch {
	case errors.As(err, &unknown):
		problem, hint, _ := strings.Cut(unknown.Error(), "; ")
		return &strategy.HintError{Problem: problem, Hint: hint}
	case errors.As(err, &ambiguous):
		problem, hint, _ := strings.Cut(ambiguous.Error(), "; ")
		return &strategy.HintError{Problem: problem, Hint: hint}
	}
	return err
}

// Fleet are the roots of a fleet's skills, as [skill.Library] finds them. store is the folder that holds all revisions; now is where the one in force is, or empty.
func Fleet(store string, now func(context.Context) string) func(context.Context) []skill.Root {
	return func(ctx context.Context) []skill.Root {
		dir := now(ctx)
		if dir == "" {
			return nil
		}
		return []skill.Root{{Source: "fleet", Dir: files.Native().Join(dir, "skills"), Enabled: true, Workspace: store, Trusted: true}}
	}
}
