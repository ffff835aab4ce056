package agenttest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Agent is a program that is installed here.
type Agent struct {
	Name    string // as in `pertain rules --agent`
	Program string // its file
	Common  bool   // it is tried with every change
	row     row
}

// row says how an agent is started.
type row struct {
	name, program, module string
	lead                  func(turn Turn) lead
}

// lead is what leads an agent to a model.
type lead struct {
	args  []string
	env   []string
	files map[string]string // in the home
}

// Turn is one run of an agent.
type Turn struct {
	Home, Dir string // both are absolute
	URL       string // of the model, without a path
	Prompt    string
	Env       []string // more of it
	Args      []string // more of them
}

// Find gives the agents that are installed below a folder by npm, in the order of
// their names, and the names of those that are not.
func Find(modules string) (found []Agent, missing []string) {
	for i, r := range rows {
		program := filepath.Join(modules, "node_modules", ".bin", r.program)
		if _, err := os.Stat(program); err != nil {
			missing = append(missing, r.name)
			continue
		}
		found = append(found, Agent{Name: r.name, Program: program, Common: i < len(common), row: r})
	}
	return found, missing
}

// Modules are the npm packages of the agents, by name.
func Modules() map[string]string {
	all := map[string]string{}
	for _, r := range rows {
		all[r.name] = r.module
	}
	return all
}

// Command is an agent that is ready to be started for one turn: its settings are
// written into the home. It ends with the context, and what it has started with it.
func (a Agent) Command(ctx context.Context, turn Turn) (*exec.Cmd, error) {
	lead := a.row.lead(turn)
	for name, text := range lead.files {
		path := filepath.Join(turn.Home, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return nil, err
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	cmd := exec.CommandContext(ctx, a.Program, append(lead.args, turn.Args...)...)
	cmd.Dir = turn.Dir
	cmd.Env = append([]string{
		"HOME=" + turn.Home, "XDG_CONFIG_HOME=" + filepath.Join(turn.Home, ".config"), "XDG_STATE_HOME=" + filepath.Join(turn.Home, ".local", "state"),
		"PATH=" + filepath.Dir(a.Program) + string(os.PathListSeparator) + os.Getenv("PATH"), "LANG=C.UTF-8", "TERM=dumb", "CI=true", "NO_COLOR=1",
	}, append(lead.env, turn.Env...)...)
	cmd.Stdin = strings.NewReader("")
	cmd.WaitDelay = 5 * time.Second
	own(cmd)
	return cmd, nil
}

// Run runs an agent for one turn and gives what it printed. Its exit code is no
// error: agents differ in what they call a failure.
func (a Agent) Run(ctx context.Context, turn Turn) (string, error) {
	cmd, err := a.Command(ctx, turn)
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err = cmd.Run()
	var code *exec.ExitError
	if ctx.Err() != nil {
		return out.String(), fmt.Errorf("%s did not end: %w", a.Name, ctx.Err())
	}
	if errors.As(err, &code) {
		err = nil
	}
	return out.String(), err
}

// Version is what the agent calls itself.
func (a Agent) Version(ctx context.Context) string {
	cmd := exec.CommandContext(ctx, a.Program, "--version")
	own(cmd)
	out, err := cmd.CombinedOutput() // some say it on standard error
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	return line
}
