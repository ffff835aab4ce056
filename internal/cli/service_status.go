package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain/internal/service"
)

// statusTime is how long the service gets to say how it is.
const statusTime = 2 * time.Second

// serviceReport is the JSON form of status (docs/reference/json.md).
type serviceReport struct {
	Running   bool   `json:"running"`
	Installed bool   `json:"installed"`
	Unit      string `json:"unit,omitempty"` // path of the unit file
	Socket    string `json:"socket,omitempty"`
	Reason    string `json:"reason,omitempty"` // why it does not run
	*service.Status
}

func (a *app) serviceStatusCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Tell whether the service runs, what it answered and what it uses",
		Long: `Tell whether the service runs, how many questions it has answered, and the memory
and time that it uses. Where it does not run the exit code is 1.`,
		Example: "  pertain service status\n  pertain service status --json",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.serviceStatus(cmd) },
	}
	a.jsonFlag(cmd)
	return cmd
}

func (a *app) serviceStatus(cmd *cobra.Command) error {
	var report serviceReport
	if unit, err := a.unitFile(); err == nil {
		report.Unit = unit.path
		report.Installed = service.IsOwnUnit(unit.before)
	}
	report.Status, report.Socket, report.Reason = a.askStatus(cmd)
	report.Running = report.Status != nil
	if a.json {
		if err := a.writeJSON(report); err != nil {
			return err
		}
	} else if err := a.printStatus(report); err != nil {
		return err
	}
	if !report.Running {
		return negative("")
	}
	return nil
}

// askStatus asks the service how it is; nil: why not is said.
func (a *app) askStatus(cmd *cobra.Command) (status *service.Status, socket, why string) {
	endpoint, err := service.Find(a.call.Env)
	if err != nil {
		return nil, "", err.Error()
	}
	conn, err := endpoint.Dial(cmd.Context(), statusTime)
	switch {
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ECONNREFUSED):
		return nil, endpoint.Socket(), "it is not started"
	case err != nil:
		return nil, endpoint.Socket(), err.Error()
	}
	defer conn.Close()
	err = conn.Send(service.KindQuestion, service.Question{Protocol: service.Protocol, Build: service.Build(), Ask: service.AskStatus}, statusTime)
	if err != nil {
		return nil, endpoint.Socket(), "it does not answer"
	}
	frame, err := conn.Receive(statusTime)
	if err != nil {
		return nil, endpoint.Socket(), "it does not answer"
	}
	status = &service.Status{}
	if frame.Kind != service.KindStatus || frame.Decode(status) != nil {
		return nil, endpoint.Socket(), "it is another version; start it again"
	}
	return status, endpoint.Socket(), ""
}

func (a *app) printStatus(r serviceReport) error {
	var b strings.Builder
	if r.Running {
		fmt.Fprintf(&b, "running since %s, process %d, version %s\n", r.Since, r.PID, clean(r.Version))
		desktop := "none yet; that of the first who asks"
		if r.Desktop != "" {
			desktop = clean(r.Desktop)
		}
		fmt.Fprintf(&b, "desktop     %s\n", desktop)
		fmt.Fprintf(&b, "strategies  %d\n", r.Strategies)
		var counts []string
		for _, name := range slices.Sorted(maps.Keys(r.Answered)) {
			counts = append(counts, fmt.Sprintf("%s %d", clean(name), r.Answered[name]))
		}
		if len(counts) == 0 {
			counts = []string{"nothing yet"}
		}
		fmt.Fprintf(&b, "answered    %s\n", strings.Join(counts, ", "))
		fmt.Fprintf(&b, "uses        %.1f MB, %.1f s of a processor\n", float64(r.Memory)/1e6, r.CPU)
	} else {
		fmt.Fprintf(&b, "not running: %s\n", clean(r.Reason))
	}
	if !r.Installed {
		b.WriteString("not installed: `pertain service install` starts it with each login\n")
	}
	_, err := fmt.Fprint(a.painted(a.call.Stdout), b.String())
	return err
}
