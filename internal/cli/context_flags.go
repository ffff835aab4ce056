package cli

import (
	"errors"
	"io/fs"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain/internal/fileerror"
)

// situation is what the flags say about the context.
type situation struct {
	file      string
	attach    []string
	text      string
	selection string
	selected  bool // selection counts, though no flag gave it
	noStdin   bool // what is piped in is not the selection
	stdin     bool // standard input was read
}

func (a *app) contextFlags(cmd *cobra.Command, s *situation) {
	cmd.Flags().StringVar(&s.file, "context", "", "read the context from this `FILE` (JSON or YAML, - for standard input) instead of collecting it")
	cmd.Flags().StringArrayVar(&s.attach, "attach", nil, "attach this `FILE` (repeatable)")
	cmd.Flags().StringVar(&s.text, "text", "", "attach this `TEXT` (- for standard input)")
	cmd.Flags().StringVar(&s.selection, "selection", "", "take this `TEXT` as the selected one (- for standard input)")
}

// fileProblem words an error without the path, which the message has already.
func fileProblem(err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return "there is no such file"
	}
	return fileerror.Reason(err)
}
