package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/connect"
	"github.com/pertain-dev/pertain/internal/files"
)

// setupReport is the JSON form of `setup`.
type setupReport struct {
	Agents []connect.Report `json:"agents"`
}

func (a *app) setupCommand() *cobra.Command {
	var mcp, hooks, project, user bool
	var setup connect.Setup
	cmd := &cobra.Command{
		Use:   "setup [AGENT...]",
		Short: "Put Pertain into coding agents: hooks and MCP",
		Long: `Write the settings of coding agents so that they call Pertain: its hooks, by which
rules reach the model at the right moment and calls that break one are denied,
and its MCP server. Without names, the agents that are found here are connected.

Only what must change does: comments, order and layout of the files stay, and a
second run changes nothing. --undo gives back the very bytes where nobody else has
changed a file since, and else takes out its own entries alone. Files of a project
call ` + "`pertain`" + ` by name, those of the user by its absolute path.

Agents: ` + strings.Join(connect.Names(), " ") + `.`,
		Example: `  pertain setup
  pertain setup claude --dry-run
  pertain setup codex gemini --user --hooks
  pertain setup claude --undo`,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case project && user:
				return usage("--project and --user go one at a time")
			case project:
				setup.Level = connect.Project
			case user:
				setup.Level = connect.User
			}
			if hooks {
				setup.Parts = append(setup.Parts, connect.Hooks)
			}
			if mcp {
				setup.Parts = append(setup.Parts, connect.MCP)
			}
			agents, err := a.setupAgents(args, setup.Undo)
			if err != nil {
				return err
			}
			a.setupFolders(&setup)
			return a.reportSetup(setup, agents, setup.Run(cmd.Context(), agents))
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return connect.Names(), cobra.ShellCompDirectiveNoFileComp
		},
	}
	cmd.Flags().BoolVar(&mcp, "mcp", false, "the MCP server alone")
	cmd.Flags().BoolVar(&hooks, "hooks", false, "the hooks alone")
	cmd.Flags().BoolVar(&project, "project", false, "the settings of this project")
	cmd.Flags().BoolVar(&user, "user", false, "your own settings")
	cmd.Flags().BoolVar(&setup.DryRun, "dry-run", false, "change nothing, and print what would change as a diff")
	cmd.Flags().BoolVar(&setup.Undo, "undo", false, "take out what was put in")
	cmd.Flags().BoolVar(&setup.FailClosed, "fail-closed", false, "hooks that fail deny the call")
	a.jsonFlag(cmd)
	return cmd
}

// setupFolders fills in the folders of a setup, and this program.
func (a *app) setupFolders(s *connect.Setup) {
	paths := a.paths()
	s.Root, s.Home, s.State, s.Dir = a.workspace(), paths.Home, paths.State, a.dir()
	s.Program, s.Without = a.ownProgram(s.Root)
}

// agentSearch is where agents are looked for.
func (a *app) agentSearch() connect.Search {
	root := a.workspace()
	return connect.Search{Root: root, Home: a.paths().Home, Programs: a.programs()}
}

// ownProgram is the absolute path by which the user's own files call this program, or why there is none. One that is found by
// its name is called as it is found: what stands there may be a link, which stays when a new version comes.
func (a *app) ownProgram(root string) (path, without string) {
	self, err := os.Executable()
	if err != nil {
		return "", "the path of this program cannot be found"
	}
	if found, err := a.agentSearch().Programs.Find("pertain"); err == nil && sameFile(found.Path(), self) {
		return found.Path(), ""
	}
	switch {
	case strings.Contains(filepath.ToSlash(self), "/go-build"):
		return "", "this program was built to run once, by `go run`; install it first"
	case files.Inside(root, self):
		return "", "this program lies in the workspace, and your own settings must call one that no repository can change; install it first"
	}
	return self, ""
}

// setupAgents are the agents that are named or, without names, found.
func (a *app) setupAgents(names []string, undo bool) ([]connect.Agent, error) {
	if len(names) > 0 {
		var out []connect.Agent
		seen := map[string]bool{}
		for _, name := range names {
			agent, ok := connect.Named(name)
			if !ok {
				if near := diag.Nearest(name, connect.Names()); near != "" {
					return nil, usage("there is no agent `%s`; did you mean `%s`?", name, near)
				}
				return nil, usage("there is no agent `%s`; the agents are %s", name, strings.Join(connect.Names(), ", "))
			}
			if !seen[name] {
				out = append(out, agent)
			}
			seen[name] = true
		}
		return out, nil
	}
	found := connect.Find(a.agentSearch())
	if len(found) == 0 {
		if a.json {
			if err := a.writeJSON(map[string]any{"agents": []any{}}); err != nil {
				return nil, err
			}
		}
		return nil, negative("no agent is found here; name one, such as `pertain setup claude`")
	}
	person := a.person()
	if person == nil {
		return found, nil
	}
	var titles []string
	for _, agent := range found {
		titles = append(titles, agent.Title)
	}
	verb := "Connect"
	if undo {
		verb = "Disconnect"
	}
	if !person.agrees(verb + " " + strings.Join(titles, ", ") + "?") {
		return nil, negative("nothing was changed")
	}
	return found, nil
}

// reportSetup prints what became of the files.
func (a *app) reportSetup(setup connect.Setup, agents []connect.Agent, reports []connect.Report) error {
	refused := false
	var b strings.Builder
	paint := a.painter(a.call.Stdout)
	for _, report := range reports {
		for _, f := range report.Files {
			refused = refused || f.Change == connect.Refused
			if setup.DryRun && f.Diff != "" {
				b.WriteString(f.Diff)
				continue
			}
			agent := pad(report.Agent, 8)
			if !setup.DryRun {
				agent = paint.bold(agent)
			}
			fmt.Fprintf(&b, "%s  %-9s  %s\n", agent, f.Change, clean(a.homeName(f.Path)))
			if f.Why != nil {
				fmt.Fprintf(&b, "          %s\n", clean(*f.Why))
			}
		}
	}
	if !setup.Undo && !setup.DryRun {
		for i, agent := range agents {
			if agent.Trust != "" && connected(reports[i]) {
				fmt.Fprintln(&b, agent.Trust+".")
			}
		}
	}
	var err error
	if a.json {
		err = a.writeJSON(setupReport{reports})
	} else if setup.DryRun { // with lines of files that others may have written
		_, err = io.WriteString(a.call.Stdout, b.String())
	} else {
		_, err = io.WriteString(a.painted(a.call.Stdout), b.String())
	}
	if err == nil && refused {
		return &exit{exitNegative, ""}
	}
	return err
}

// connected tells whether hooks of an agent are in place.
func connected(report connect.Report) bool {
	for _, f := range report.Files {
		if f.Part == connect.Hooks && f.Change != connect.Refused {
			return true
		}
	}
	return false
}
