package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is set by the release script; a build from source says "dev".
var version = ""

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
