package macos

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"time"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/program"
)

// Script runs a script of the system's JavaScript and decodes what it says. The
// source is one of this program's own: nothing of the user's goes into it.
func Script(ctx context.Context, source string, into any) error {
	osascript, err := program.Fixed("/usr/bin/osascript")
	if err != nil {
		return scriptFailed(nil, err)
	}
	var said, problem bytes.Buffer
	call := program.Call{Dir: "/", Env: os.Environ(), Stdout: &said, Stderr: &problem, Wait: 10 * time.Millisecond}
	err = osascript.Run(ctx, call, "-l", "JavaScript", "-e", source)
	switch {
	case ctx.Err() != nil:
		return scriptLate(ctx.Err())
	case err != nil:
		return scriptFailed(problem.Bytes(), err)
	}
	if err := json.Unmarshal(said.Bytes(), into); err != nil {
		return &facts.CollectError{Code: diag.ExtraProviderFailed, Reason: "the system's scripting gave no answer", Err: err}
	}
	return nil
}
