package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// status is how a check came out.
type status string

const (
	isFine    status = "ok"
	isWarning status = "warning"
	isFailed  status = "failed"
	isSkipped status = "skipped"
)

// checked is one check of `doctor`.
type checked struct {
	ID      string  `json:"id"`
	Status  status  `json:"status"`
	Message string  `json:"message"`
	Fix     *string `json:"fix"` // what to do; a check that failed has one
}

// doctorReport is the JSON form of `doctor`.
type doctorReport struct {
	Checks []checked `json:"checks"`
}

func (r *doctorReport) add(id string, s status, message, fix string) {
	c := checked{ID: id, Status: s, Message: message}
	if fix != "" {
		c.Fix = &fix
	}
	r.Checks = append(r.Checks, c)
}

// remark says something more about what was checked last, which is as fine as it was.
func (r *doctorReport) remark(message string) {
	r.Checks[len(r.Checks)-1].Message += "; " + message
}

// warn says something more about what was checked last: it is no longer fine.
func (r *doctorReport) warn(message, fix string) {
	c := &r.Checks[len(r.Checks)-1]
	if c.Status == isFine {
		c.Status = isWarning
	}
	c.Message += "; " + message
	if c.Fix != nil {
		fix = *c.Fix + "; " + fix
	}
	c.Fix = &fix
}

func (a *app) doctorCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check that Pertain works here: agents, rules, settings, desktop",
		Long: `Check, for each agent, whether it is here and connected, what its settings really
call, whether that works, and when a hook last came; whether rule files have names
that no agent reads; the settings; the desktop and what to switch on; the folders
that Pertain keeps things in; other copies of the program.

A command in an agent's settings is run only where it is word for word what
` + "`pertain setup`" + ` writes and its program is a pertain outside of this workspace; any
other is shown, never run.`,
		Example: `  pertain doctor
  pertain doctor --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			report := a.diagnose(cmd.Context())
			failed := false
			for _, c := range report.Checks {
				failed = failed || c.Status == isFailed
			}
			err := a.printDoctor(report)
			if err == nil && failed {
				return &exit{exitNegative, ""}
			}
			return err
		},
	}
	a.jsonFlag(cmd)
	return cmd
}

// diagnose runs all checks, in a fixed order.
func (a *app) diagnose(ctx context.Context) doctorReport {
	var r doctorReport
	a.checkAgents(ctx, &r)
	a.checkRuleNames(&r)
	a.checkRulebook(ctx, &r)
	a.checkSettingsFile(&r)
	a.checkFleet(ctx, &r)
	a.checkDesktop(ctx, &r)
	a.checkFolders(&r)
	a.checkCopies(&r)
	return r
}

func (a *app) printDoctor(report doctorReport) error {
	if a.json {
		return a.writeJSON(report)
	}
	var b strings.Builder
	paint := a.painter(a.call.Stdout)
	skipped := 0
	for _, c := range report.Checks {
		if c.Status == isSkipped {
			skipped++
			continue
		}
		fmt.Fprintf(&b, "%-7s  %s  %s\n", c.Status, paint.bold(pad(c.ID, 16)), clean(c.Message))
		if c.Fix != nil {
			b.WriteString(strings.Repeat(" ", 27) + paint.dim(clean(*c.Fix)) + "\n")
		}
	}
	if skipped > 0 {
		fmt.Fprintf(&b, "%s skipped, for what is not here; --json lists them\n", plural(skipped, "check"))
	}
	_, err := io.WriteString(a.painted(a.call.Stdout), b.String())
	return err
}
