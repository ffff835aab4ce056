package cli

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/gateway"
)

// claudeLayer is one source of Claude Code's settings, of which only the variables matter here.
type claudeLayer struct {
	name    string // for people
	env     map[string]string
	project bool // a repository holds it
	managed bool // the arguments cannot override it
}

// claudeClouds are the variables by which Claude Code asks a cloud whose API is not watched here.
var claudeClouds = []string{
	"CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY", "CLAUDE_CODE_USE_MANTLE", "CLAUDE_CODE_USE_ANTHROPIC_AWS",
}

// claudeSocket is the variable by which Claude Code asks a socket, whatever its address is. The first of its settings that sets it counts,
// and no others can take it back.
const claudeSocket = "ANTHROPIC_UNIX_SOCKET"

// leadClaude: variables in Claude Code's settings override those of its environment, so that an address or a proxy there would lead it
// past the gateway. Settings among the arguments override these.
func leadClaude(a *app, l *leading) error {
	if err := claudePast(a.call.Env, func(name string) string { return name + " is set" }); err != nil {
		return err
	}
	layers, err := claudeLayers(a, l.args)
	if err != nil {
		return err
	}
	for _, layer := range layers {
		if err := claudePast(func(name string) string { return layer.env[name] }, func(name string) string { return layer.name + " sets " + name }); err != nil {
			return err
		}
	}
	trusted := a.trusts(a.workspace())
	override, err := l.claudeProxies(a, layers, trusted)
	if err != nil {
		return err
	}
	if err := l.claudeAddress(a, layers, trusted, override); err != nil {
		return err
	}
	return l.claudeOverride(a, override)
}

// claudeAddress finds where requests go on to, and overrides it with the gateway's address.
func (l *leading) claudeAddress(a *app, layers []claudeLayer, trusted bool, override map[string]string) error {
	var unused []string
	for _, layer := range layers {
		address, ok := layer.env[anthropicBase.name]
		if !ok {
			continue
		}
		if layer.managed {
			return notLed("Claude Code", layer.name+" sets "+anthropicBase.name+", which nothing overrides", "claude")
		}
		override[anthropicBase.name] = l.url
		if layer.project && !trusted {
			unused = append(unused, layer.name)
			continue
		}
		if address == "" { // the usual one
			l.set.anthropic = gateway.Upstream{}
			continue
		}
		u, ok := upstreamURL(address)
		if !ok {
			return usage("%s of %s is no address; write such as https://host", anthropicBase.name, layer.name)
		}
		l.set.anthropic = baseUpstream(u, anthropicBase.path)
	}
	a.tellUnused("Claude Code", unused)
	return nil
}

// claudePast says by what Claude Code would ask its model past a gateway.
func claudePast(env, set func(name string) string) error {
	for _, name := range claudeClouds {
		if on(env(name)) {
			return notLed("Claude Code", set(name), "claude")
		}
	}
	if env(claudeSocket) != "" {
		return strays("Claude Code", set(claudeSocket), "claude")
	}
	return nil
}

// claudeProxies gives what the arguments have to set so that no proxy stands between Claude Code and the gateway: without what a
// stranger's project sets, and with this machine among what is asked directly.
func (l *leading) claudeProxies(a *app, layers []claudeLayer, trusted bool) (map[string]string, error) {
	own, override, redirected := map[string]string{}, map[string]string{}, false
	var names, where []string
	for _, name := range slices.Concat(proxyVariables, loadVariables, headerVariables, directVariables) {
		own[name] = a.call.Env(name)
		strange := false
		for _, layer := range layers {
			value, ok := layer.env[name]
			switch about := slices.Contains(directVariables, name); {
			case !ok:
			case layer.managed:
				if about && !asksDirectly(value) {
					return nil, strays("Claude Code", layer.name+" sets "+name+" without 127.0.0.1, which nothing overrides", "claude")
				}
			case layer.project && !trusted:
				strange, redirected = true, redirected || about
				if !slices.Contains(where, layer.name) {
					where = append(where, layer.name)
				}
			default:
				own[name], redirected = value, redirected || about
			}
		}
		if strange {
			names, override[name] = append(names, name), own[name]
		}
	}
	if redirected {
		maps.Copy(override, direct(func(name string) string { return own[name] }))
	}
	maps.Copy(l.env, override) // hooks see the same, and so that the gateway is asked
	a.tellStray("Claude Code", names, where)
	return override, nil
}

// claudeOverride sets variables by settings among the arguments; none: these stay as they are.
func (l *leading) claudeOverride(a *app, override map[string]string) error {
	if len(override) == 0 {
		return nil
	}
	tree := claudeSettings(a, argument(l.args, "--settings"))
	env, _ := tree["env"].(map[string]any)
	if env == nil {
		env = map[string]any{}
	}
	for name, value := range override {
		env[name] = value
	}
	tree["env"] = env
	text, err := json.Marshal(tree)
	if err != nil {
		return err
	}
	l.args = replaced(l.args, "--settings", string(text))
	return nil
}

// claudeLayers are the settings that Claude Code would read here, the weakest first.
func claudeLayers(a *app, args []string) ([]claudeLayer, error) {
	folder := a.call.Env("CLAUDE_CONFIG_DIR")
	if folder == "" && a.paths().Home != "" {
		folder = filepath.Join(a.paths().Home, ".claude")
	}
	sources := strings.Split(argument(args, "--setting-sources"), ",")
	wanted := func(source string) bool { return sources[0] == "" || slices.Contains(sources, source) }
	var out []claudeLayer
	if folder != "" && wanted("user") {
		out = append(out, claudeLayer{name: "your settings.json of Claude Code", env: variables(jsonObject(filepath.Join(a.abs(folder), "settings.json")))})
	}
	for _, file := range []struct{ source, path string }{{"project", ".claude/settings.json"}, {"local", ".claude/settings.local.json"}} {
		if !wanted(file.source) {
			continue
		}
		tree, err := a.projectObject("Claude Code", file.path)
		if err != nil {
			return nil, err
		}
		out = append(out, claudeLayer{name: file.path, env: variables(tree), project: true})
	}
	if given := argument(args, "--settings"); given != "" {
		out = append(out, claudeLayer{name: "--settings", env: variables(claudeSettings(a, given))})
	}
	return append(out, claudeLayer{name: "the managed-settings.json of this machine", env: variables(jsonObject(claudeManaged())), managed: true}), nil
}

// claudeSettings reads what --settings names: an object, or a file that holds one.
func claudeSettings(a *app, given string) map[string]any {
	tree := map[string]any{}
	switch {
	case given == "":
	case strings.HasPrefix(strings.TrimSpace(given), "{"):
		if json.Unmarshal([]byte(given), &tree) != nil || tree == nil {
			return map[string]any{}
		}
	default:
		return jsonObject(a.abs(given))
	}
	return tree
}

// claudeManaged is where an administrator puts settings of Claude Code.
func claudeManaged() string {
	switch runtime.GOOS {
	case "darwin":
		return "/Library/Application Support/ClaudeCode/managed-settings.json"
	case "windows":
		return `C:\Program Files\ClaudeCode\managed-settings.json`
	}
	return "/etc/claude-code/managed-settings.json"
}

// on tells whether a variable switches something on.
func on(value string) bool {
	switch strings.ToLower(strings.TrimSpace(value)) {
	case "", "0", "false", "no", "off":
		return false
	}
	return true
}

// notLed says why an agent's requests would go past a gateway: nobody is to believe that they are watched.
func notLed(agent, why, name string) error {
	return usage("%s cannot be led to a gateway: %s, and that API is not watched here; its tool calls can be, by hooks: `pertain setup %s`", agent, why, name)
}
