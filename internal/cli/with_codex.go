package cli

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/pertain-dev/pertain/internal/files"
)

// codexOwn is the provider that Codex has by itself.
const codexOwn = "openai"

// leadCodex: Codex asks the provider that its settings choose, by the address that they give it. Arguments override both; the
// gateway's stand after all others, since the last one counts.
func leadCodex(a *app, l *leading) error {
	for _, arg := range l.args {
		if arg == "--oss" || arg == "--local-provider" || strings.HasPrefix(arg, "--local-provider=") {
			return notLed("Codex", arg+" chooses a model of this machine", "codex")
		}
	}
	config := codexConfig(a, l.args)
	provider, _ := config["model_provider"].(string)
	var address string
	key := "openai_base_url"
	if provider == "" || provider == codexOwn {
		address, _ = config[key].(string)
	} else {
		providers, _ := config["model_providers"].(map[string]any)
		entry, _ := providers[provider].(map[string]any)
		if address, _ = entry["base_url"].(string); address == "" {
			return notLed("Codex", "its provider `"+provider+"` has no base_url", "codex")
		}
		key = "model_providers." + codexKey(provider) + ".base_url"
	}
	if address != "" {
		u, ok := upstreamURL(address)
		if !ok {
			return usage("%s of Codex is no address; write such as https://host/v1", key)
		}
		l.set.openai = baseUpstream(u, openAIBase.path)
	}
	ours := []string{"-c", key + "=" + strconv.Quote(l.url+openAIBase.path)}
	if last := lastConfig(l.args); last > 0 {
		l.args = slices.Insert(slices.Clone(l.args), last, ours...)
	} else {
		l.before = append(l.before, ours...)
	}
	return nil
}

// codexConfig is what Codex would take for its settings, as far as they name a provider: its file, that of a profile, and arguments. A
// project's own may not name one.
func codexConfig(a *app, args []string) map[string]any {
	folder := a.call.Env("CODEX_HOME")
	if folder == "" {
		folder = filepath.Join(a.paths().Home, ".codex")
	}
	folder = a.abs(folder)
	config := tomlTable(filepath.Join(folder, "config.toml"))
	profile := argument(args, "--profile")
	if profile == "" {
		profile = argument(args, "-p")
	}
	if profile != "" {
		if profiles, _ := config["profiles"].(map[string]any); profiles != nil { // as older versions have them
			if own, _ := profiles[profile].(map[string]any); own != nil {
				overlay(config, own)
			}
		}
		if !strings.ContainsAny(profile, `/\`) {
			overlay(config, tomlTable(filepath.Join(folder, profile+".config.toml")))
		}
	}
	for i, arg := range args {
		pair, joined := strings.CutPrefix(arg, "--config=")
		if !joined && (arg == "-c" || arg == "--config") && i+1 < len(args) {
			pair, joined = args[i+1], true
		}
		if joined {
			overlay(config, codexOverride(pair))
		}
	}
	return config
}

// codexOverride reads an argument such as a.b=1; a value that is no TOML is a text.
func codexOverride(pair string) map[string]any {
	key, value, ok := strings.Cut(pair, "=")
	out := map[string]any{}
	if !ok {
		return out
	}
	key = strings.TrimSpace(key)
	if toml.Unmarshal([]byte(key+" = "+value), &out) != nil {
		out = map[string]any{}
		_ = toml.Unmarshal([]byte(key+" = "+strconv.Quote(value)), &out) // what is no key changes nothing
	}
	return out
}

// lastConfig is the place after the last argument that changes Codex's settings; 0: there is none.
func lastConfig(args []string) int {
	after := 0
	for i, arg := range args {
		switch {
		case arg == "--":
			return after
		case strings.HasPrefix(arg, "--config="):
			after = i + 1
		case (arg == "-c" || arg == "--config") && i+1 < len(args):
			after = i + 2
		}
	}
	return after
}

// codexKey is a part of a dotted key of an argument.
func codexKey(name string) string {
	for _, c := range name {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '-' && c != '_' {
			return strconv.Quote(name)
		}
	}
	return name
}

// overlay puts one table over another, tables in it as well.
func overlay(under, over map[string]any) {
	for key, value := range over {
		if table, ok := value.(map[string]any); ok {
			if below, ok := under[key].(map[string]any); ok {
				overlay(below, table)
				continue
			}
		}
		under[key] = value
	}
}

// tomlTable reads a file; what is no TOML is empty.
func tomlTable(path string) map[string]any {
	tree := map[string]any{}
	text, err := files.OS().ReadFile(path, 4<<20)
	if err != nil || toml.Unmarshal(text, &tree) != nil || tree == nil {
		return map[string]any{}
	}
	return tree
}
