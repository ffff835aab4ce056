package cli

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/internal/cases"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/writing"
)

// base is which API a provider of an agent's settings speaks, and what stands at the end of its address.
type base struct{ api, path string }

// redirection leads models of an agent's settings here. An API goes on to one address: that of the model which is led first.
type redirection struct {
	*leading
	bases map[string]string // by API; "": the usual one
}

func (l *leading) redirection() *redirection { return &redirection{l, map[string]string{}} }

// lead gives the address in the place of another, "" for the usual one; ok is false if the model stays where it is.
func (r *redirection) lead(to base, address string) (_ string, ok bool) {
	if to.api == "" {
		return "", false
	}
	address = strings.TrimRight(address, "/")
	if first, taken := r.bases[to.api]; taken {
		return r.url + to.path, first == address
	}
	if address != "" {
		u, ok := upstreamURL(address)
		if !ok {
			return "", false
		}
		*r.set.of(to.api) = baseUpstream(u, to.path)
	}
	r.bases[to.api] = address
	return r.url + to.path, true
}

// replaced gives arguments with another value of a flag, which is added in front where it is not there.
func replaced(args []string, flag, value string) []string {
	args = slices.Clone(args)
	for i, arg := range args {
		if arg == flag && i+1 < len(args) {
			args[i+1] = value
			return args
		}
		if strings.HasPrefix(arg, flag+"=") {
			args[i] = flag + "=" + value
			return args
		}
	}
	return slices.Insert(args, 0, flag, value)
}

// scratch writes a file for the agent's run alone.
func (l *leading) scratch(a *app, agent, name string, tree any) (path string, err error) {
	text, err := json.Marshal(tree)
	if err != nil {
		return "", err
	}
	dir, remove, err := writing.Scratch(a.workspace(), map[string]string{name: string(text)})
	if err != nil {
		return "", usage("no folder can be made for what leads %s here: %s", agent, reason(err))
	}
	l.removes = append(l.removes, remove)
	return filepath.Join(dir, name), nil
}

// continueBases are the providers of Continue whose API is known here.
var continueBases = map[string]base{"openai": {"openai", "/v1"}, "anthropic": {"anthropic", "/v1"}, "gemini": {"gemini", "/v1beta"}}

// leadContinue: Continue knows its models by a file, and takes another one for a run.
func leadContinue(a *app, l *leading) error {
	path := argument(l.args, "--config")
	if path == "" {
		dir := a.call.Env("CONTINUE_GLOBAL_DIR")
		if dir == "" {
			dir = filepath.Join(a.paths().Home, ".continue")
		}
		path = filepath.Join(dir, "config.yaml")
	}
	text, err := files.OS().ReadFile(a.abs(path), 1<<20)
	if err != nil {
		return usage("the models of Continue cannot be read from %s: %s; an assistant of its hub cannot be led here, give `--config FILE`", path, reason(err))
	}
	root, problems := document.ParseYAML(diag.NewSource(path, string(text)))
	if len(problems) > 0 {
		return usage("%s cannot be read: %s", path, problems[0])
	}
	tree, _ := cases.Plain(root).(map[string]any)
	models, _ := tree["models"].([]any)
	r, led := l.redirection(), 0
	for _, item := range models {
		model, _ := item.(map[string]any)
		provider, _ := model["provider"].(string)
		address, _ := model["apiBase"].(string)
		if here, ok := r.lead(continueBases[provider], address); ok {
			model["apiBase"] = here + "/"
			led++
		}
	}
	if led == 0 {
		return usage("%s has no model that can be led here: one whose provider is openai, anthropic or gemini", path)
	}
	l.partly = led < len(models)
	if path, err = l.scratch(a, "Continue", "config.yaml", tree); err != nil { // JSON is YAML
		return err
	}
	l.args = replaced(l.args, "--config", path)
	return nil
}

// clineBases are the providers of Cline whose API is known here.
var clineBases = map[string]base{
	"anthropic": {"anthropic", "/v1"}, "gemini": {"gemini", "/v1beta"},
	"openai": {"openai", "/v1"}, "openai-native": {"openai", "/v1"}, "openai-compatible": {"openai", "/v1"},
}

// leadCline: Cline knows its providers by a file, which an environment variable names. Its program in the background has an environment of
// its own, so it does the work itself.
func leadCline(a *app, l *leading) error {
	const variable = "CLINE_PROVIDER_SETTINGS_PATH"
	path := a.call.Env(variable)
	if path == "" {
		path = filepath.Join(clineData(a, l.args), "settings", "providers.json")
	}
	tree := jsonObject(a.abs(path))
	providers, _ := tree["providers"].(map[string]any)
	chosen := argument(l.args, "--provider")
	if chosen == "" {
		chosen = argument(l.args, "-P")
	}
	if chosen == "" {
		chosen, _ = tree["lastUsedProvider"].(string)
	}
	entry, _ := providers[chosen].(map[string]any)
	settings, _ := entry["settings"].(map[string]any)
	address, _ := settings["baseUrl"].(string)
	here, ok := l.redirection().lead(clineBases[chosen], address)
	if settings == nil || !ok {
		return usage("the provider %q of Cline cannot be led here: one of %s can, once `cline auth` has set it up", chosen, strings.Join(slices.Sorted(maps.Keys(clineBases)), ", "))
	}
	settings["baseUrl"] = here
	l.partly = true // the user may choose another one while it runs
	path, err := l.scratch(a, "Cline", "providers.json", tree)
	if err != nil {
		return err
	}
	l.env[variable], l.env["CLINE_SESSION_BACKEND_MODE"] = path, "local"
	return nil
}

// clineData is the folder of Cline's data.
func clineData(a *app, args []string) string {
	if dir := argument(args, "--data-dir"); dir != "" {
		return a.abs(dir)
	}
	if dir := a.call.Env("CLINE_DATA_DIR"); dir != "" {
		return a.abs(dir)
	}
	dir := argument(args, "--config")
	if dir == "" {
		dir = a.call.Env("CLINE_DIR")
	}
	if dir == "" {
		dir = filepath.Join(a.paths().Home, ".cline")
	}
	return filepath.Join(a.abs(dir), "data")
}
