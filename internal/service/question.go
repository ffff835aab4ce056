package service

import (
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/internal/agent"
)

// What is asked.
const (
	AskRun    = "run"    // do this command, and say what it prints
	AskPick   = "pick"   // list what is recommended, and make plans of it
	AskStatus = "status" // how are you
)

// Question is the first frame of a command.
type Question struct {
	Protocol int               `json:"protocol"`
	Build    string            `json:"build"` // of the program that asks, as Build gives it
	Ask      string            `json:"ask"`
	Args     []string          `json:"args,omitempty"` // of the command line
	Dir      string            `json:"dir,omitempty"`  // where it was started, absolute
	Env      map[string]string `json:"env,omitempty"`  // what Sent lets through
	Stdout   Output            `json:"stdout"`
	Stderr   Output            `json:"stderr"`
}

// Output is what an output is, as far as it decides how is written to it.
type Output struct {
	Terminal bool `json:"terminal,omitempty"`
	Device   bool `json:"device,omitempty"` // a character device, as terminals are
}

// Answer is what a command prints, in the order in which it does, and how it ends.
type Answer struct {
	Code int     `json:"code"`
	Said []Piece `json:"said,omitempty"`
}

// Piece is what is written to one output.
type Piece struct {
	Error bool   `json:"error,omitempty"` // to standard error
	Text  []byte `json:"text"`
}

// Status is how the service is. It holds nothing of the desktop.
type Status struct {
	PID        int            `json:"pid"`
	Version    string         `json:"version"`
	Since      string         `json:"since"` // RFC 3339
	Desktop    string         `json:"desktop,omitempty"`
	Strategies int            `json:"strategies"` // that are loaded
	Answered   map[string]int `json:"answered"`   // by command
	Refused    int            `json:"refused"`
	Memory     int            `json:"memory"`     // bytes that are resident
	CPU        float64        `json:"cpuSeconds"` // used since it was started
}

// sentNames are the variables that decide an answer. Others stay where they are: an
// environment holds keys and passwords. The service refuses a question in whose answer
// it would need another, so that a name that is missing here costs time and nothing else.
var sentNames = []string{
	"HOME", "PATH", "USER", "LOGNAME", "USERPROFILE", "SHELL",
	"LANG", "LANGUAGE", "TZ",
	"TERM", "COLORTERM", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE",
	"DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "WAYLAND_DISPLAY", "SWAYSOCK", "I3SOCK", "HYPRLAND_INSTANCE_SIGNATURE",
	"DESKTOP_SESSION", "GDMSESSION", "KDE_FULL_SESSION", "KDE_SESSION_VERSION",
	"TMUX", "TMUX_PANE", "TMUX_TMPDIR", "STY", "SCREENDIR", "ZELLIJ", "ZELLIJ_SESSION_NAME", "KITTY_LISTEN_ON", "KITTY_WINDOW_ID", "WINDOWID",
	"PERTAIN_CONFIG",
	"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_CEILING_DIRECTORIES",
	"ProgramData", "SYSTEMROOT", "SystemRoot", "APPDATA", "LOCALAPPDATA",
}

// sentPrefixes are beginnings of names that are sent, as are those of the folders of agents (agent.FolderVariables).
var sentPrefixes = []string{"LC_", "XDG_"}

// Sent tells whether a variable of the environment goes along with a question.
func Sent(name string) bool {
	return slices.Contains(sentNames, name) || slices.Contains(agent.FolderVariables(), name) ||
		slices.ContainsFunc(sentPrefixes, func(p string) bool { return strings.HasPrefix(name, p) })
}

// SentOf are the variables of an environment that go along.
func SentOf(environ []string) map[string]string {
	sent := map[string]string{}
	for _, entry := range environ {
		if name, value, ok := strings.Cut(entry, "="); ok && Sent(name) && value != "" {
			sent[name] = value
		}
	}
	return sent
}
