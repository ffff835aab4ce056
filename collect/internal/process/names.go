package process

import (
	"path/filepath"
	"slices"
	"strings"
)

// usualNames are the names that programs have everywhere, by those of their files, which
// differ between systems, toolkits and versions.
var usualNames = map[string]string{
	"chromium-browser":      "chromium",
	"codium":                "vscodium",
	"emacs-gtk":             "emacs",
	"emacs-lucid":           "emacs",
	"emacs-nox":             "emacs",
	"emacs-pgtk":            "emacs",
	"emacs-x":               "emacs",
	"firefox-esr":           "firefox",
	"geany-gtk3":            "geany",
	"gnome-terminal-server": "gnome-terminal",
	"google-chrome":         "chrome",
	"google-chrome-stable":  "chrome",
	"microsoft-edge":        "msedge",
	"oosplash":              "soffice",
	"opera-stable":          "opera",
	"swriter":               "soffice",
	"vim.athena":            "vim",
	"vim.basic":             "vim",
	"vim.gtk":               "vim",
	"vim.gtk3":              "vim",
	"vim.motif":             "vim",
	"vim.nox":               "vim",
	"vim.tiny":              "vim",
	"vivaldi-stable":        "vivaldi",
}

// interpreters run scripts, which are the programs that people mean.
var interpreters = []string{"python", "perl", "ruby", "gjs", "gjs-console", "node", "java", "electron", "mono", "mono-sgen"}

// Usual is the name that a program has everywhere, by that of its file and the arguments
// that it was started with: thunderbird for thunderbird-bin.
func Usual(file string, arguments []string) string {
	if script := scriptOf(file, arguments); script != "" {
		return scriptName(script)
	}
	name := file
	if inner, ok := strings.CutPrefix(name, "."); ok && strings.HasSuffix(inner, "-wrapped") { // of Nix
		name = strings.TrimSuffix(inner, "-wrapped")
	}
	for _, end := range []string{"-bin", ".bin", "-real", ".real"} {
		if bare, ok := strings.CutSuffix(name, end); ok && bare != "" {
			name = bare
		}
	}
	if slices.Contains(interpreters, unversioned(name)) {
		return unversioned(name)
	}
	if bare, version, ok := strings.Cut(name, "-"); ok && version != "" && strings.Trim(version, ".0123456789") == "" { // emacs-29.1
		name = bare
	}
	if usual, ok := usualNames[name]; ok {
		return usual
	}
	return name
}

func unversioned(name string) string { return strings.TrimRight(name, ".0123456789") }

// scriptOf is what an interpreter runs; "" for other programs, and where it runs none.
func scriptOf(file string, arguments []string) string {
	if !slices.Contains(interpreters, unversioned(file)) {
		return ""
	}
	for at, argument := range arguments {
		if at == 0 || strings.HasPrefix(argument, "-") {
			continue
		}
		if before := arguments[at-1]; before == "-c" || before == "-e" || before == "-cp" || before == "-classpath" {
			continue // a line of text, or where to look
		}
		return argument
	}
	return ""
}

// scriptName is the name of a script without what says which language it is in. The
// programs that are packed for Electron are called as their folder.
func scriptName(script string) string {
	name := filepath.Base(script)
	if name == "app.asar" || name == "app" {
		folder := filepath.Dir(script)
		if filepath.Base(folder) == "resources" {
			folder = filepath.Dir(folder)
		}
		name = filepath.Base(folder)
	}
	for _, end := range []string{".py", ".pyw", ".pl", ".rb", ".js", ".mjs", ".jar", ".exe"} {
		if bare, ok := strings.CutSuffix(name, end); ok && bare != "" {
			return bare
		}
	}
	return name
}
