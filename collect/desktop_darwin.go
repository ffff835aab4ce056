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

// desktop is the user's session on macOS. What applications tell is asked for
// with the system's scripting, which has the system ask the user for permission.
type desktop struct{ options Options }

func newDesktop(options Options) *desktop { return &desktop{options: options} }

func (*desktop) close() {}

// collectors is the table of what reads macOS, in the order of asking.
func (d *desktop) collectors() []facts.Collector {
	return []facts.Collector{clipboard{d}, finder{d}, browser{d}}
}

// frontDir: macOS does not tell the working directory of another process
// without a permission of its own.
func (*desktop) frontDir(context.Context) (string, error) { return "", nil }

func (*desktop) watch(context.Context, func()) error {
	return facts.Unavailable("the desktop of macOS is not watched yet", "")
}

// frontScript tells the application in front; it needs no permission.
const frontScript = `ObjC.import("AppKit");
const front = $.NSWorkspace.sharedWorkspace.frontmostApplication;
JSON.stringify({name: ObjC.unwrap(front.localizedName) || "", bundle: ObjC.unwrap(front.bundleIdentifier) || ""});`

// application is the one in front.
type application struct {
	Name   string `json:"name"`
	Bundle string `json:"bundle"` // such as com.apple.finder
}

func (d *desktop) front(ctx context.Context) (application, error) {
	var a application
	if err := script(ctx, frontScript, &a); err != nil {
		return a, err
	}
	if d.options.Private.hides("", a.Name, a.Bundle) {
		return application{}, errPrivate()
	}
	return a, nil
}

// notPermitted is the error of the system when the user has refused, or not yet
// allowed, that one program controls another.
var notPermitted = []byte("-1743")

// script runs a script of the system's JavaScript and decodes what it says.
func script(ctx context.Context, source string, into any) error {
	cmd := exec.CommandContext(ctx, "/usr/bin/osascript", "-l", "JavaScript", "-e", source)
	cmd.WaitDelay = 10 * time.Millisecond
	var said, problem bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &problem
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case bytes.Contains(problem.Bytes(), notPermitted):
		return facts.PermissionMissing("controlling the application in front is not permitted", "allow it under System Settings, Privacy & Security, Automation")
	case err != nil:
		return &facts.CollectError{Code: diag.ExtraProviderFailed, Reason: "the system's scripting failed", Err: err}
	}
	if err := json.Unmarshal(said.Bytes(), into); err != nil {
		return &facts.CollectError{Code: diag.ExtraProviderFailed, Reason: "the system's scripting gave no answer", Err: err}
	}
	return nil
}
