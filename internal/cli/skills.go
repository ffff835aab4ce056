package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/skill"
)

func (a *app) skillsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "skills",
		Short: "List the skills of every tool on this machine",
		Long: `List the skills that are found here: yours, those of other tools, those of the
workspace. What is enabled goes into the index that ` + "`pertain prompt --skills`" + `
prints; skills of other tools and of workspaces are found, but disabled until you
enable them.

Any skill can be read by ` + "`pertain read skill://ID`" + `, and a strategy can begin
with one: ` + "`from: skill://ID`" + `.`,
		Example: `  pertain skills
  pertain skills enable claude.pdf
  pertain read skill://claude.pdf/references/forms.md`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			registry, err := a.skills(cmd.Context())
			if err != nil {
				return err
			}
			return a.printSkills(registry)
		},
	}
	a.jsonFlag(cmd)
	cmd.AddCommand(a.skillsChangeCommand("enable", true), a.skillsChangeCommand("disable", false))
	return cmd
}

func (a *app) skillsChangeCommand(word string, enabled bool) *cobra.Command {
	cmd := &cobra.Command{
		Use:               word + " ID",
		Short:             strings.ToUpper(word[:1]) + word[1:] + " a skill for the index in prompts",
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: a.completeSkills,
		RunE: func(cmd *cobra.Command, args []string) error {
			if skillChoices(a.paths()) == "" {
				return usage("skills %s: there is no settings folder; set HOME to an absolute path", word)
			}
			found, err := a.library().Enable(cmd.Context(), strings.TrimPrefix(args[0], skill.Scheme), enabled)
			if err != nil {
				return skillError(err)
			}
			if a.json {
				return a.writeJSON(map[string]any{"id": found.ID, "enabled": enabled})
			}
			_, err = fmt.Fprintf(a.call.Stdout, "%sd %s\n", word, clean(found.ID))
			return err
		},
	}
	a.jsonFlag(cmd)
	return cmd
}

// library is the skills of the usual folders.
func (a *app) library() skill.Library { return pertain.Skills(a.environment()) }

func (a *app) skills(ctx context.Context) (*skill.Registry, error) {
	registry, err := a.library().Load(ctx)
	if err != nil && ctx.Err() == nil {
		return nil, usage("skills: %s", err)
	}
	return registry, err
}

// skillsIndex is the block of enabled skills for a system prompt; it is empty if
// there are none.
func (a *app) skillsIndex(ctx context.Context) (string, error) {
	registry, err := a.skills(ctx)
	if err != nil {
		return "", err
	}
	return registry.Index(), nil
}

// skillError makes an answer of what is no mistake of the call.
func skillError(err error) error {
	var unknown *skill.UnknownError
	var ambiguous *skill.AmbiguousError
	var unreadable *skill.ReadError
	if errors.As(err, &unknown) || errors.As(err, &ambiguous) || errors.As(err, &unreadable) {
		return negative("%s", err)
	}
	return err
}

// skillAdvice says where a skill would be found.
func (a *app) skillAdvice() string {
	own := a.paths().Skills
	if own == "" {
		return "set HOME to an absolute path, so that yours are"
	}
	return "put one into " + filepath.Join(own, "NAME", skill.FileName)
}

func (a *app) printSkills(registry *skill.Registry) error {
	if a.json {
		skills := registry.Skills()
		if skills == nil {
			skills = []*skill.Skill{}
		}
		return a.writeJSON(struct {
			Skills      []*skill.Skill `json:"skills"`
			Diagnostics diag.List      `json:"diagnostics"`
		}{skills, registry.Diagnostics()})
	}
	var b strings.Builder
	paint := a.painter(a.call.Stdout)
	for _, s := range registry.Skills() {
		mark := "○"
		switch {
		case !s.Valid:
			mark = paint.style("31", "✗")
		case s.Enabled:
			mark = paint.style("32", "●")
		}
		fmt.Fprintf(&b, "%s  %s  %s\n", mark, paint.bold(printable(s.Name)), paint.dim(printable(s.ID)))
		if s.Description != "" {
			b.WriteString("   " + shortValue(oneLine(printable(s.Description))) + "\n")
		}
		for _, d := range s.Diagnostics {
			if d.Severity == diag.Error {
				b.WriteString("   " + paint.dim(oneLine(d.Sentence())) + "\n")
			}
		}
	}
	if len(registry.Skills()) == 0 {
		b.WriteString("no skills were found; " + a.skillAdvice() + "\n")
	} else {
		b.WriteString(paint.dim("● enabled  ○ found, not enabled  ✗ not usable") + "\n")
	}
	_, err := fmt.Fprint(a.painted(a.call.Stdout), b.String())
	return err
}
