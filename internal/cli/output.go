package cli

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/visible"
)

// writeJSON prints one document.
func (a *app) writeJSON(value any) error {
	enc := json.NewEncoder(visible.JSONWriter(a.call.Stdout))
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(value)
}

// color tells whether an output is a terminal that wants colours.
func (a *app) color(w io.Writer) bool {
	if a.call.Env("NO_COLOR") != "" || a.call.Env("TERM") == "dumb" {
		return false
	}
	if relayed := relayedBy(w); relayed != nil {
		return relayed.is.Device
	}
	file := fileOf(w)
	if file == nil {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// textOptions are how diagnostics are printed for people.
func (a *app) textOptions(w io.Writer) diag.TextOptions {
	return diag.TextOptions{Color: a.color(w), Name: a.shortName}
}

// shortName shows a file relative to the working directory where that is
// shorter.
func (a *app) shortName(file string) string {
	if !filepath.IsAbs(file) {
		return file
	}
	rel, err := filepath.Rel(a.dir(), file)
	if err != nil || len(rel) >= len(file) {
		return file
	}
	return rel
}

// plural writes a count with its noun.
func plural(n int, noun string) string {
	s := strconv.Itoa(n) + " " + noun
	if n != 1 {
		s += "s"
	}
	return s
}
