package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/internal/agent"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/settings"
)

// believeOwn leaves variables out that lead into a stranger's folder: what lies there would count as the user's own rules, strategies and skills, as
// what the user trusts and has agreed to, and as what need not be told again. A home is believed but in commands that agents start. A settings file is
// another matter: each setting is judged by itself.
func (a *app) believeOwn() {
	names := append([]string{"XDG_CONFIG_HOME", "XDG_STATE_HOME"}, agent.FolderVariables()...)
	if !a.caller.Guarded && !slices.ContainsFunc(names, func(name string) bool { return a.call.Env(name) != "" }) {
		return // as nearly always
	}
	env := a.variables()
	around := settings.Around(files.OS(), env)
	if a.caller.Agent {
		names = append(names, "HOME", "USERPROFILE")
	}
	instead := map[string]string{}
	var told []string
	for _, name := range names {
		value := a.call.Env(name)
		if own, _ := around.Lookup(name); own != value {
			if name == "HOME" || name == "USERPROFILE" {
				a.caller.Home = value
			}
			instead[name], told = own, append(told, name)
		}
	}
	given := a.call.Env
	a.call.Env = func(name string) string {
		if value, other := instead[name]; other {
			return value
		}
		return given(name)
	}
	if state := a.paths().State; a.caller.Guarded && state != "" && around.Stranger(state) != "" { // below a home that is a stranger's
		instead["XDG_STATE_HOME"], told = filepath.Dir(around.Own().State), append(told, "HOME")
	}
	if len(told) > 0 {
		fmt.Fprintf(a.call.Stderr, "pertain: %s: what a variable of the environment names in a folder that is not trusted is not used; run `pertain trust` there, or name another place\n", strings.Join(told, ", "))
	}
}
