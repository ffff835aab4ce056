package cli

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"
)

// version is set by the release script; a build from source says "dev". So is released,
// the day of its commit.
var (
	version  = ""
	released = ""
)

// date is when the program was made: the day of its commit where that is known, else
// that of the program's file.
func date() time.Time {
	if day, err := time.Parse(time.DateOnly, released); err == nil {
		return day
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if day, err := time.Parse(time.RFC3339, s.Value); s.Key == "vcs.time" && err == nil {
				return day.UTC()
			}
		}
	}
	if path, err := os.Executable(); err == nil {
		if info, err := os.Stat(path); err == nil {
			return info.ModTime().UTC()
		}
	}
	return time.Unix(0, 0).UTC()
}

// Version is the program's version.
func Version() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "dev"
}

// versionLine is what `version` and --version print.
func versionLine() string {
	return fmt.Sprintf("pertain %s (%s, %s/%s)", Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

func (a *app) versionCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if a.json {
				return a.writeJSON(map[string]string{
					"version": Version(), "go": runtime.Version(), "os": runtime.GOOS, "architecture": runtime.GOARCH,
				})
			}
			_, err := fmt.Fprintln(a.call.Stdout, versionLine())
			return err
		},
	}
	a.jsonFlag(cmd)
	return cmd
}
