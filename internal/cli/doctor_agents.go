package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pertain-dev/pertain/internal/connect"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/hook"
	"github.com/pertain-dev/pertain/internal/program"
)

// checkAgents tells for each agent whether it is here and connected, what its settings call, and when a hook last came.
func (a *app) checkAgents(ctx context.Context, r *doctorReport) {
	var setup connect.Setup
	a.setupFolders(&setup)
	search := a.agentSearch()
	seen, _ := hook.LastSeen(ctx, setup.State) // without it nothing is known to have come
	for _, agent := range connect.Agents() {
		found := setup.Inspect(agent)
		for _, part := range []connect.Part{connect.Hooks, connect.MCP} {
			if !agent.Has(part) {
				continue
			}
			id := string(part) + "." + agent.Name
			var here []connect.Found
			for _, f := range found {
				if f.Part == part {
					here = append(here, f)
				}
			}
			if len(here) == 0 && agent.Found(search) == "" {
				r.add(id, isSkipped, agent.Title+" is not here", "")
				continue
			}
			a.checkConnection(ctx, r, id, agent, part, here, seen)
			a.checkVariables(r, setup, agent, part)
		}
	}
}

// maxForeign is how many commands of others are named: settings of a repository are written by anybody, and may have any number.
const maxForeign = 8

// checkConnection is about the hooks or the MCP server of one agent.
func (a *app) checkConnection(ctx context.Context, r *doctorReport, id string, agent connect.Agent, part connect.Part, found []connect.Found, seen []hook.Seen) {
	var where, foreign []string
	met := map[string]bool{} // a file may call one command for each event, or thousands of times
	otherwise := ""          // what to do where setup does not
	for _, f := range found {
		if f.Problem != "" {
			r.add(id, isFailed, fmt.Sprintf("%s cannot be read: %s", a.homeName(f.Path), oneLine(f.Problem)), "mend the file, or remove it and run `pertain setup "+agent.Name+"`")
			return
		}
		for _, call := range f.Calls {
			fresh := !met[call.Command]
			met[call.Command] = true
			if !call.Own() {
				if fresh {
					foreign = append(foreign, call.Command)
				}
				if part == connect.MCP {
					otherwise = fmt.Sprintf("; where that is refused, rename the server `pertain` in %s, or take it out, first", a.homeName(f.Path))
				}
				continue
			}
			if !fresh {
				continue
			}
			if problem, fix := a.prove(ctx, agent, call); problem != "" {
				r.add(id, isFailed, fmt.Sprintf("%s calls `%s`: %s", a.homeName(f.Path), withoutValues(call.Command), problem), fix)
				return
			}
		}
		if f.Connected() {
			where = append(where, a.homeName(f.Path))
		}
	}
	others := ""
	if len(foreign) > 0 {
		var shown []string
		for _, command := range foreign[:min(len(foreign), maxForeign)] {
			shown = append(shown, withoutValues(command))
		}
		others = fmt.Sprintf("; not run, since others wrote them: `%s`", strings.Join(shown, "`, `"))
		if more := len(foreign) - len(shown); more > 0 {
			others += fmt.Sprintf(" and %d more", more)
		}
	}
	if len(where) == 0 {
		r.add(id, isWarning, agent.Title+" is here and not connected"+others, "run `pertain setup "+agent.Name+" --"+string(part)+"`"+otherwise)
		return
	}
	message := fmt.Sprintf("%s is connected by %s%s", agent.Title, strings.Join(where, " and "), others)
	if part == connect.MCP {
		r.add(id, isFine, message, "")
		return
	}
	last, problem := lastSeen(agent.Name, seen)
	switch {
	case last.IsZero() && agent.Trust != "":
		r.add(id, isWarning, message+"; no hook has come yet", agent.Trust)
	case last.IsZero():
		r.add(id, isFine, message+"; no hook has come yet", "")
	case problem != "":
		r.add(id, isWarning, fmt.Sprintf("%s; a hook last came at %s, and one of the last said: %s", message, last.Local().Format(time.DateTime), problem), "run `pertain lint` for rules, and look at the other checks")
	default:
		r.add(id, isFine, fmt.Sprintf("%s; a hook last came at %s", message, last.Local().Format(time.DateTime)), "")
	}
}

// checkVariables is about variables that files of the project set for hooks or the server: they can name other places for what is the user's own.
func (a *app) checkVariables(r *doctorReport, setup connect.Setup, agent connect.Agent, part connect.Part) {
	for _, found := range setup.Leading(agent, part) {
		file := a.homeName(found.Path)
		message := fmt.Sprintf("%s sets `%s` for what %s starts: it names another search for your own settings, rules or state", file, strings.Join(found.Names, "`, `"), agent.Title)
		r.warn(message, "take that out of "+file+", unless you have put it there yourself")
	}
}

// lastSeen is when a hook of an agent came last, and what went wrong in one of the last ones.
func lastSeen(agent string, seen []hook.Seen) (at time.Time, problem string) {
	count := 0
	for _, s := range slices.Backward(seen) {
		if s.Agent != agent {
			continue
		}
		if at.IsZero() {
			at = s.Time
		}
		if problem == "" {
			problem = s.Problem
		}
		if count++; count == 20 {
			break
		}
	}
	return at, problem
}

// prove runs a command of a hook with a sample. What is wrong is told with what to do about it.
func (a *app) prove(ctx context.Context, agent connect.Agent, call connect.Called) (problem, fix string) {
	root := a.workspace()
	install := "install Pertain into a folder of PATH that is outside of this workspace"
	var run program.Program
	var err error
	if filepath.IsAbs(call.Program) {
		if files.Inside(root, call.Program) {
			return "the program lies in the workspace, and is not run", "run `pertain setup " + agent.Name + "` with an installed Pertain"
		}
		run, err = program.Fixed(call.Program)
	} else {
		run, err = a.agentSearch().Programs.Find(call.Program)
	}
	if err != nil {
		return "there is no such program", install
	}
	if call.MCP {
		return "", ""
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	sample, err := json.Marshal(hook.Sample(agent.Name, root))
	if err != nil {
		return err.Error(), install
	}
	env := []string{hook.SampleVariable + "=1", "PATH=" + a.call.Env("PATH")}
	for _, name := range []string{"HOME", "USERPROFILE", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "APPDATA", "LOCALAPPDATA", "SystemRoot", "PERTAIN_CONFIG"} {
		if v := a.call.Env(name); v != "" {
			env = append(env, name+"="+v)
		}
	}
	out, err := run.Output(ctx, program.Call{Dir: root, Env: env, Stdin: bytes.NewReader(sample), Wait: time.Second}, 1<<20, call.Arguments...)
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return "it did not answer in 10 s", install
	case err != nil:
		return "it failed", "run it by hand to see why, or " + install
	case len(bytes.TrimSpace(out)) > 0 && !json.Valid(out):
		return "its answer is not JSON", "it is another program, or an old version: " + install
	}
	return "", ""
}
