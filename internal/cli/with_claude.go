package cli

import (
	"encoding/json"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// claudeLayer is one source of Claude Code's settings, of which only the variables matter here.
type claudeLayer struct {
	name    string // for people
	env     map[string]any
	project bool // a repository holds it
	managed bool // the arguments cannot override it
}

// claudeClouds are the variables by which Claude Code asks a cloud whose API is not watched here.
var claudeClouds = []string{
	"CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY", "CLAUDE_CODE_USE_MANTLE", "CLAUDE_CODE_USE_ANTHROPIC_AWS",
}

// leadClaude: variables in Claude Code's settings override those of its environment, so that an address there would lead it past
// the gateway. Settings among the arguments override these.
func leadClaude(a *app, l *leading) error {
	for _, name := range claudeClouds {
		if on(a.call.Env(name)) {
			return notLed("Claude Code", name+" is set", "claude")
		}
	}
	override := false
	var unused []string
	trusted := a.trusts(a.workspace())
	for _, layer := range claudeLayers(a, l.args) {
		for _, name := range claudeClouds {
			if text, _ := layer.env[name].(string); on(text) {
				return notLed("Claude Code", layer.name+" sets "+name, "claude")
			}
		}
		address, _ := layer.env[anthropicBase.name].(string)
		if address == "" {
			continue
		}
		if layer.managed {
			return notLed("Claude Code", layer.name+" sets "+anthropicBase.name+", which nothing overrides", "claude")
		}
		override = true
		if layer.project && !trusted {
			unused = append(unused, layer.name)
			continue
		}
		u, ok := upstreamURL(address)
		if !ok {
			return usage("%s of %s is no address; write such as https://host", anthropicBase.name, layer.name)
		}
		l.set.anthropic = baseUpstream(u, anthropicBase.path)
	}
	a.tellUnused("Claude Code", unused)
	if !override {
		return nil
	}
	tree := claudeSettings(a, argument(l.args, "--settings"))
	env, _ := tree["env"].(map[string]any)
	if env == nil {
		env = map[string]any{}
	}
	env[anthropicBase.name] = l.url
	tree["env"] = env
	text, err := json.Marshal(tree)
	if err != nil {
		return err
	}
	l.args = replaced(l.args, "--settings", string(text))
	return nil
}

// claudeLayers are the settings that Claude Code would read here, the weakest first.
func claudeLayers(a *app, args []string) []claudeLayer {
	folder := a.call.Env("CLAUDE_CONFIG_DIR")
	if folder == "" && a.paths().Home != "" {
		folder = filepath.Join(a.paths().Home, ".claude")
	}
	sources := strings.Split(argument(args, "--setting-sources"), ",")
	wanted := func(source string) bool { return sources[0] == "" || slices.Contains(sources, source) }
	var out []claudeLayer
	add := func(name string, tree map[string]any, project, managed bool) {
		if env, _ := tree["env"].(map[string]any); env != nil {
			out = append(out, claudeLayer{name, env, project, managed})
		}
	}
	if folder != "" && wanted("user") {
		add("your settings.json of Claude Code", jsonObject(filepath.Join(a.abs(folder), "settings.json")), false, false)
	}
	if wanted("project") {
		add(".claude/settings.json", jsonObject(filepath.Join(a.dir(), ".claude", "settings.json")), true, false)
	}
	if wanted("local") {
		add(".claude/settings.local.json", jsonObject(filepath.Join(a.dir(), ".claude", "settings.local.json")), true, false)
	}
	if given := argument(args, "--settings"); given != "" {
		add("--settings", claudeSettings(a, given), false, false)
	}
	add("the managed-settings.json of this machine", jsonObject(claudeManaged()), false, true)
	return out
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
