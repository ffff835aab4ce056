package collect

import (
	"bytes"
	"context"
	"encoding/json"
	"os/exec"
	"time"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

// script runs a script of the system's JavaScript and decodes what it says. The
// source is one of this program's own: nothing of the user's goes into it.
func script(ctx context.Context, source string, into any) error {
	cmd := exec.CommandContext(ctx, "/usr/bin/osascript", "-l", "JavaScript", "-e", source)
	cmd.WaitDelay = 10 * time.Millisecond
	var said, problem bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &problem
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return axScriptLate(ctx.Err())
	case err != nil:
		return axScriptFailed(problem.Bytes(), err)
	}
	if err := json.Unmarshal(said.Bytes(), into); err != nil {
		return &facts.CollectError{Code: diag.ExtraProviderFailed, Reason: "the system's scripting gave no answer", Err: err}
	}
	return nil
}
