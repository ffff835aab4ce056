package agenttest

import (
	"context"
	"os/exec"
	"time"
)

// With is an agent that is started by `pertain with`, which leads it to the model: its
// settings know the model's address as any user's would.
func (a Agent) With(ctx context.Context, pertain string, turn Turn) (*exec.Cmd, error) {
	cmd, err := a.Command(ctx, turn)
	if err != nil {
		return nil, err
	}
	args := cmd.Args[1:]
	if a.Name == "codex" { // its own provider, and not one that the arguments make
		args = []string{"exec", "--json", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", "-c", "model=gpt-5.1-codex", turn.Prompt}
		args = append(args, turn.Args...)
		cmd.Env = append(cmd.Env, "OPENAI_BASE_URL="+turn.URL+"/v1", "OPENAI_API_KEY=test", "CODEX_API_KEY=test")
	}
	if a.Name == "gemini" { // else another model chooses one first, and this one is none that can
		args = append([]string{"-m", "gemini-2.5-pro"}, args...)
	}
	with := exec.CommandContext(ctx, pertain, append([]string{"with", a.Name}, args...)...)
	with.Dir, with.Env, with.Stdin, with.WaitDelay = cmd.Dir, cmd.Env, cmd.Stdin, 5*time.Second
	own(with)
	return with, nil
}
