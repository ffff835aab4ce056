// Package macos calls the system's libraries in this process, without cgo: Core
// Foundation, the accessibility API, AppKit, the window server and the kernel's list
// of processes. What applications tell by scripting alone is asked with osascript.
//
//	library → symbols → Accessibility (an ax.System), AppKit, WindowServer, Processes
//
// A library is opened when it is first needed; one that lacks something costs a
// part of the context, and not the program.
package macos

import (
	"bytes"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

// Errors of the system's scripting, as it writes them at the end of a line.
const (
	scriptRefused = "(-1743)" // the user has refused, or not yet allowed, that one program controls another
	scriptAsks    = "(-1744)" // the user has to be asked first
	scriptNobody  = "(-600)"  // the application has gone
	scriptTimeout = "(-1712)" // the application does not answer
)

// scriptRemedy is what the user does about a missing permission.
const scriptRemedy = "allow it under System Settings > Privacy & Security > Automation"

// scriptFailed words why a script failed. What it wrote may hold names of
// files, and is looked at only for the numbers of errors.
func scriptFailed(problem []byte, cause error) error {
	switch {
	case bytes.Contains(problem, []byte(scriptRefused)), bytes.Contains(problem, []byte(scriptAsks)):
		return facts.PermissionMissing("controlling the application in front is not permitted", scriptRemedy)
	case bytes.Contains(problem, []byte(scriptNobody)):
		return facts.Unavailable("the application in front has ended", "")
	case bytes.Contains(problem, []byte(scriptTimeout)):
		return scriptLate(cause)
	}
	return &facts.CollectError{Code: diag.ExtraProviderFailed, Reason: "the system's scripting failed", Err: cause}
}

// scriptLate is the answer when a script was not done in time, as while the
// system asks the user for permission.
func scriptLate(cause error) error {
	return &facts.CollectError{
		Code: diag.ExtraProviderTimeout, Reason: "the application in front did not answer the system's scripting in time",
		Remedy: "if macOS asks whether it may be controlled, allow it; options.extraTimeout: 500ms gives more time", Err: cause,
	}
}
