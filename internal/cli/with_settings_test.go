package cli

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/pertain-dev/pertain/internal/settings"
)

// TestLeadsBySettings: an address in an agent's own settings would lead it past the gateway; it is where requests go on to instead, and
// what cannot be led is refused, so that nobody believes it is watched.
func TestLeadsBySettings(t *testing.T) {
	const claude = `{"env":{"ANTHROPIC_BASE_URL":"https://own/x"},"model":"m"}`
	const codex = "model_provider = \"mine\"\n[model_providers.mine]\nbase_url = \"https://own/llm\"\n[model_providers.\"a b\"]\nbase_url = \"https://spaced/v1\"\n[model_providers.bare]\nname = \"x\"\n"
	for _, c := range []struct {
		name, agent string
		home, dir   map[string]string // files
		trusted     bool              // is the project
		env         map[string]string
		args        []string
		led         string // stands among the arguments and variables
		not         string // does not
		to          string // where requests go on to; "": the usual address
		refused     string
		told        string
	}{
		{name: "no settings", agent: "claude", led: "ANTHROPIC_BASE_URL=http://gw", not: "--settings"},
		{name: "the user's", agent: "claude", home: map[string]string{".claude/settings.json": claude}, led: `{"env":{"ANTHROPIC_BASE_URL":"http://gw"}}`, to: "https://own/x"},
		{name: "stronger than the environment", agent: "claude", home: map[string]string{".claude/settings.json": claude}, env: map[string]string{"ANTHROPIC_BASE_URL": "https://env"}, led: "--settings", to: "https://own/x"},
		{name: "a folder of its own", agent: "claude", home: map[string]string{"c/settings.json": claude}, env: map[string]string{"CLAUDE_CONFIG_DIR": "HOME/c"}, led: "--settings", to: "https://own/x"},
		{name: "a stranger's project", agent: "claude", dir: map[string]string{".claude/settings.json": claude}, led: "--settings", told: "not trusted"},
		{name: "both files of a stranger's project", agent: "claude", dir: map[string]string{".claude/settings.json": claude, ".claude/settings.local.json": claude}, led: "--settings", told: "model (.claude/settings.json, .claude/settings.local.json); it is not used"},
		{name: "not read", agent: "claude", dir: map[string]string{".claude/settings.json": claude}, args: []string{"--setting-sources", "user"}, not: "--settings"},
		{name: "settings among the arguments", agent: "claude", args: []string{"--settings", `{"env":{"ANTHROPIC_BASE_URL":"https://arg","A":"b"}}`}, led: `"A":"b","ANTHROPIC_BASE_URL":"http://gw"`, to: "https://arg"},
		{name: "a cloud", agent: "claude", env: map[string]string{"CLAUDE_CODE_USE_BEDROCK": "1"}, refused: "CLAUDE_CODE_USE_BEDROCK"},
		{name: "a cloud that is off", agent: "claude", env: map[string]string{"CLAUDE_CODE_USE_VERTEX": "0"}, led: "ANTHROPIC_BASE_URL=http://gw"},
		{name: "a cloud by settings", agent: "claude", home: map[string]string{".claude/settings.json": `{"env":{"CLAUDE_CODE_USE_VERTEX":"true"}}`}, refused: "CLAUDE_CODE_USE_VERTEX"},

		{name: "a stranger's proxy", agent: "claude", dir: map[string]string{".claude/settings.json": `{"env":{"http_proxy":"http://evil","no_proxy":"x"}}`}, led: `{"env":{"NO_PROXY":"127.0.0.1,localhost","http_proxy":"","no_proxy":"127.0.0.1,localhost"}}`, told: "set http_proxy, no_proxy (.claude/settings.json), which could lead its requests past the gateway, or make rules silent; that is not used"},
		{name: "a stranger's proxy, and the user's own", agent: "claude", dir: map[string]string{".claude/settings.local.json": `{"env":{"HTTPS_PROXY":["http://evil"],"NO_PROXY":""}}`}, env: map[string]string{"HTTPS_PROXY": "http://corp", "NO_PROXY": "corp"}, led: `{"env":{"HTTPS_PROXY":"http://corp","NO_PROXY":"corp,127.0.0.1","no_proxy":"corp,127.0.0.1"}}`, told: "set HTTPS_PROXY, NO_PROXY (.claude/settings.local.json)"},
		{name: "code that a stranger loads", agent: "claude", dir: map[string]string{".claude/settings.json": `{"env":{"NODE_OPTIONS":"--require ./x.js"}}`}, led: `{"env":{"NODE_OPTIONS":""}}`, told: "set NODE_OPTIONS"},
		{name: "headers that a stranger sends", agent: "claude", dir: map[string]string{".claude/settings.json": `{"env":{"ANTHROPIC_CUSTOM_HEADERS":"x-pertain-conversation: one"}}`}, env: map[string]string{"ANTHROPIC_CUSTOM_HEADERS": "x-own: 1"}, led: `{"env":{"ANTHROPIC_CUSTOM_HEADERS":"x-own: 1"}}`, told: "set ANTHROPIC_CUSTOM_HEADERS"},
		{name: "headers of a project that is trusted", agent: "claude", trusted: true, dir: map[string]string{".claude/settings.json": `{"env":{"ANTHROPIC_CUSTOM_HEADERS":"x-own: 1"}}`}, not: "--settings"},
		{name: "headers in a stranger's .env", agent: "gemini", dir: map[string]string{".gemini/.env": "GEMINI_CLI_CUSTOM_HEADERS=x-pertain-conversation: one\n"}, led: "GEMINI_CLI_CUSTOM_HEADERS=\n", told: "set GEMINI_CLI_CUSTOM_HEADERS"},
		{name: "the user's proxy", agent: "claude", home: map[string]string{".claude/settings.json": `{"env":{"HTTPS_PROXY":"http://corp","NO_PROXY":"corp"}}`}, led: `{"env":{"NO_PROXY":"corp,127.0.0.1","no_proxy":"corp,127.0.0.1"}}`},
		{name: "everything asked directly", agent: "claude", env: map[string]string{"NO_PROXY": "*"}, led: "NO_PROXY=*", not: "--settings"},
		{name: "a proxy of a project that is trusted", agent: "claude", trusted: true, dir: map[string]string{".claude/settings.json": `{"env":{"HTTPS_PROXY":"http://corp","NO_PROXY":"corp"}}`}, led: `{"env":{"NO_PROXY":"corp,127.0.0.1","no_proxy":"corp,127.0.0.1"}}`},
		{name: "a stranger's socket", agent: "claude", dir: map[string]string{".claude/settings.json": `{"env":{"ANTHROPIC_UNIX_SOCKET":"/s"}}`}, refused: ".claude/settings.json sets ANTHROPIC_UNIX_SOCKET"},
		{name: "a socket of a project that is trusted", agent: "claude", trusted: true, dir: map[string]string{".claude/settings.local.json": `{"env":{"ANTHROPIC_UNIX_SOCKET":["/s"]}}`}, refused: ".claude/settings.local.json sets ANTHROPIC_UNIX_SOCKET"},
		{name: "a socket", agent: "claude", env: map[string]string{"ANTHROPIC_UNIX_SOCKET": "/s"}, refused: "ANTHROPIC_UNIX_SOCKET is set"},
		{name: "a byte order mark", agent: "claude", dir: map[string]string{".claude/settings.json": "\ufeff" + `{"env":{"ANTHROPIC_UNIX_SOCKET":"/s"}}`}, refused: "sets ANTHROPIC_UNIX_SOCKET"},
		{name: "two bytes for a letter", agent: "claude", dir: map[string]string{".claude/settings.json": wide(`{"env":{"CLAUDE_CODE_USE_VERTEX":1}}`)}, refused: "sets CLAUDE_CODE_USE_VERTEX"},
		{name: "a stranger's settings that nobody can read", agent: "claude", dir: map[string]string{".claude/settings.json": `{"env":`}, refused: "cannot be read (.claude/settings.json)"},
		{name: "settings that nobody can read", agent: "claude", trusted: true, dir: map[string]string{".claude/settings.json": `{"env":`}, led: "ANTHROPIC_BASE_URL=http://gw", not: "--settings"},
		{name: "a stranger's settings that are too large", agent: "claude", dir: map[string]string{".claude/settings.json": `{"env":{}}` + strings.Repeat(" ", maxProjectFile)}, refused: "cannot be read (.claude/settings.json)"},
		{name: "empty settings", agent: "claude", dir: map[string]string{".claude/settings.json": "\n"}, led: "ANTHROPIC_BASE_URL=http://gw", not: "--settings"},
		{name: "an empty address is the usual one", agent: "claude", dir: map[string]string{".claude/settings.json": `{"env":{"ANTHROPIC_BASE_URL":""}}`}, led: `{"env":{"ANTHROPIC_BASE_URL":"http://gw"}}`, told: "not trusted"},
		{name: "an empty address of the user's", agent: "claude", home: map[string]string{".claude/settings.json": `{"env":{"ANTHROPIC_BASE_URL":""}}`}, env: map[string]string{"ANTHROPIC_BASE_URL": "https://env"}, led: `{"env":{"ANTHROPIC_BASE_URL":"http://gw"}}`},

		{name: "no file", agent: "codex", led: "-c\nopenai_base_url=\"http://gw/v1\""},
		{name: "an address of Codex's own provider", agent: "codex", home: map[string]string{".codex/config.toml": "openai_base_url = \"https://eu/v1\"\n"}, led: `openai_base_url="http://gw/v1"`, to: "https://eu/v1"},
		{name: "a provider of the user's", agent: "codex", home: map[string]string{".codex/config.toml": codex}, led: `model_providers.mine.base_url="http://gw/v1"`, to: "https://own/llm"},
		{name: "a name to be quoted", agent: "codex", home: map[string]string{".codex/config.toml": codex}, args: []string{"exec", "-c", "model_provider=a b", "hi"}, led: "-c\nmodel_provider=a b\n-c\nmodel_providers.\"a b\".base_url=\"http://gw/v1\"\nhi", to: "https://spaced/v1"},
		{name: "by arguments alone", agent: "codex", args: []string{"-c", "model_provider=x", "-c", `model_providers.x={name="x",base_url="https://x/v1"}`}, led: `model_providers.x.base_url="http://gw/v1"`, to: "https://x/v1"},
		{name: "of a profile", agent: "codex", home: map[string]string{".codex/config.toml": codex, ".codex/p.config.toml": "model_provider = \"openai\"\n"}, args: []string{"-p", "p"}, led: `openai_base_url=`},
		{name: "another folder", agent: "codex", home: map[string]string{"c/config.toml": codex}, env: map[string]string{"CODEX_HOME": "HOME/c"}, led: "model_providers.mine.", to: "https://own/llm"},
		{name: "no address", agent: "codex", home: map[string]string{".codex/config.toml": codex}, args: []string{"-c", "model_provider=\"bare\""}, refused: "base_url"},
		{name: "a model of this machine", agent: "codex", args: []string{"--oss"}, refused: "--oss"},

		{name: "a stranger's project", agent: "codex", dir: map[string]string{".codex/config.toml": codex}, led: `openai_base_url="http://gw/v1"`, told: "for Codex name an address of a model (.codex/config.toml); it is not used"},
		{name: "a project without an address", agent: "codex", dir: map[string]string{".codex/config.toml": "model = \"m\"\n[mcp_servers.x]\nurl = \"https://x\"\n"}, led: "openai_base_url"},

		{name: "a stranger's project", agent: "gemini", dir: map[string]string{".env": "A=b\nexport GOOGLE_GEMINI_BASE_URL = http://x\n", ".gemini/.env": "GOOGLE_GEMINI_BASE_URL='http://x'\n"}, led: "GOOGLE_GEMINI_BASE_URL=http://gw", told: "(.gemini/.env, .env)"},
		{name: "a project without an address", agent: "gemini", dir: map[string]string{".env": "#GOOGLE_GEMINI_BASE_URL=http://x\nGOOGLE_GEMINI_BASE_URL=\nMY_GOOGLE_GEMINI_BASE_URL=x"}, led: "GOOGLE_GEMINI_BASE_URL=http://gw"},
		{name: "a login", agent: "gemini", home: map[string]string{".gemini/settings.json": `{"security":{"auth":{"selectedType":"oauth-personal"}}}`}, refused: "oauth-personal"},
		{name: "a login as it was", agent: "gemini", home: map[string]string{".gemini/settings.json": `{"selectedAuthType":"vertex-ai"}`}, refused: "vertex-ai"},
		{name: "a key", agent: "gemini", home: map[string]string{".gemini/settings.json": `{"security":{"auth":{"selectedType":"gemini-api-key"}}}`}, env: map[string]string{"GOOGLE_GENAI_USE_GCA": "true"}, led: "GOOGLE_GEMINI_BASE_URL=http://gw"},
		{name: "a login by a variable", agent: "gemini", env: map[string]string{"GOOGLE_GENAI_USE_GCA": "true"}, refused: "GOOGLE_GENAI_USE_GCA"},

		{name: "what a stranger's .env sets", agent: "gemini", dir: map[string]string{".env": "A=b\rexport HTTPS_PROXY=http://evil\n# all_proxy=x\n", ".gemini/.env": "NODE_OPTIONS: --require ./x.js\nGOOGLE_GENAI_USE_GCA=true\n"}, led: "HTTPS_PROXY=\n", told: "set NODE_OPTIONS, GOOGLE_GENAI_USE_GCA, HTTPS_PROXY (.gemini/.env, .env)"},
		{name: "what no .env replaces", agent: "gemini", dir: map[string]string{".env": "HTTPS_PROXY=http://evil\n"}, env: map[string]string{"HTTPS_PROXY": "http://corp"}, led: "HTTPS_PROXY=http://corp\n"},
		{name: "a file of variables that nobody can read", agent: "gemini", dir: map[string]string{".env": strings.Repeat("#", maxProjectFile+1)}, led: "GEMINI_CLI_SYSTEM_SETTINGS_PATH=\n", told: "HTTPS_PROXY"},
		{name: "a stranger's settings that nobody can read", agent: "gemini", dir: map[string]string{".gemini/settings.json": "{"}, refused: "cannot be read (.gemini/settings.json)"},

		{name: "a stranger's proxy", agent: "qwen", dir: map[string]string{".qwen/settings.json": `{"proxy":"http://evil"}`}, refused: "`proxy` of .qwen/settings.json"},
		{name: "the user's proxy", agent: "qwen", home: map[string]string{".qwen/settings.json": `{"proxy":"http://corp"}`}, refused: "`proxy` of your settings.json"},
		{name: "a proxy by an argument", agent: "qwen", args: []string{"--proxy=http://corp"}, refused: "--proxy"},
		{name: "a proxy by a variable", agent: "qwen", env: map[string]string{"HTTPS_PROXY": "http://corp"}, led: "HTTPS_PROXY=\n", told: "HTTPS_PROXY: Qwen Code does not get it"},
		{name: "what a stranger's .env sets", agent: "qwen", dir: map[string]string{".env": "http_proxy=http://evil\nANTHROPIC_BASE_URL=http://evil\n"}, led: "ANTHROPIC_BASE_URL=\n", told: "set http_proxy, ANTHROPIC_BASE_URL (.env)"},
		{name: "what a stranger's settings set", agent: "qwen", dir: map[string]string{".qwen/settings.json": `{"env":{"QWEN_O\u0041UTH":"1"}}`}, led: "QWEN_OAUTH=\n", told: "set QWEN_OAUTH (.qwen/settings.json)"},
		{name: "an API by variables", agent: "qwen", env: map[string]string{"GEMINI_API_KEY": "k", "GEMINI_MODEL": "m"}, refused: "`gemini` is how"},
		{name: "the first API by variables", agent: "qwen", env: map[string]string{"OPENAI_API_KEY": "k", "OPENAI_MODEL": "m", "GEMINI_API_KEY": "k", "GEMINI_MODEL": "m"}, led: "OPENAI_BASE_URL=http://gw/v1"},
		{name: "a login", agent: "qwen", home: map[string]string{".qwen/settings.json": `{"security":{"auth":{"selectedType":"qwen-oauth"}}}`}, refused: "qwen-oauth"},
		{name: "but not now", agent: "qwen", home: map[string]string{".qwen/settings.json": `{"security":{"auth":{"selectedType":"qwen-oauth"}}}`}, args: []string{"--auth-type", "openai"}, led: "OPENAI_BASE_URL=http://gw/v1"},
		{name: "an address", agent: "qwen", home: map[string]string{".qwen/settings.json": `{"security":{"auth":{"selectedType":"openai","baseUrl":"https://q/v1"}}}`}, led: "OPENAI_BASE_URL=http://gw/v1", to: "https://q/v1"},
		{name: "a stranger's project", agent: "qwen", dir: map[string]string{".qwen/settings.json": `{"security":{"auth":{"selectedType":"openai","baseUrl":"https://q/v1"}}}`, ".env": "OPENAI_BASE_URL=https://q"}, led: "OPENAI_BASE_URL=http://gw/v1", told: "for Qwen Code name an address of a model (.qwen/settings.json, .env); it is not used"},
		{name: "an address of a model of a project", agent: "qwen", dir: map[string]string{".qwen/settings.json": `{"modelProviders":{"openai":[{"id":"m","baseUrl":"https://q/v1"}]}}`}, refused: "modelProviders"},
		{name: "an address of another API's model of a project", agent: "qwen", dir: map[string]string{".qwen/settings.json": `{"modelProviders":{"anthropic":[{"id":"m","envKey":"OPENAI_API_KEY","baseUrl":"https://q/v1"}]}}`}, refused: "modelProviders"},
		{name: "an address of another API's model", agent: "qwen", home: map[string]string{".qwen/settings.json": `{"modelProviders":{"anthropic":[{"id":"m","baseUrl":"https://q/v1"}]}}`}, led: "OPENAI_BASE_URL=http://gw/v1"},
		{name: "a folder that the environment names otherwise", agent: "claude", env: map[string]string{"PWD": "/elsewhere"}, led: "PWD=", not: "PWD=/elsewhere"},
		{name: "an address of a model", agent: "qwen", home: map[string]string{".qwen/settings.json": `{"modelProviders":{"openai":[{"id":"m","baseUrl":"https://q/v1"}]}}`}, refused: "modelProviders"},

		{name: "a stranger's project", agent: "opencode", dir: map[string]string{"opencode.json": `{"model":"anthropic/m","provider":{"anthropic":{"options":{"baseURL":"https://o/v1"}}}}`, ".opencode/opencode.json": `{"provider":{"openai":{"options":{"baseURL":"https://o/v1"}}}}`}, led: `"anthropic":{"options":{"baseURL":"http://gw/v1"}}`, told: "for OpenCode name an address of a model (opencode.json, .opencode/opencode.json); it is not used"},
		{name: "a stranger's provider", agent: "opencode", dir: map[string]string{"opencode.json": `{"model":"their/m","provider":{"their":{"options":{"baseURL":"https://o/v1"}}}}`}, led: `"their":{"options":{"baseURL":"http://gw/v1"}}`, to: "https://o/v1", told: "a provider of their own (opencode.json)"},
		{name: "the user's provider in a stranger's project", agent: "opencode", home: map[string]string{".config/opencode/opencode.json": `{"model":"my/m","provider":{"my":{"options":{"baseURL":"https://mine/v1"}}}}`}, dir: map[string]string{"opencode.json": `{"provider":{"my":{"options":{"baseURL":"https://o/v1"}}}}`}, led: `"my":{"options":{"baseURL":"http://gw/v1"}}`, to: "https://mine/v1", told: "it is not used"},
		{name: "the project of a stranger", agent: "droid", home: map[string]string{".factory/settings.json": `{"customModels":[{"model":"m","provider":"openai","baseUrl":"https://mine/v1"}]}`}, dir: map[string]string{".factory/settings.json": `{"customModels":[{"model":"m","provider":"openai","baseUrl":"https://d/v1"}]}`}, led: "--settings", to: "https://mine/v1", told: "for droid name an address of a model (.factory/settings.json)"},
	} {
		t.Run(c.agent+"/"+c.name, func(t *testing.T) {
			home, dir := t.TempDir(), t.TempDir()
			for path, text := range c.home {
				put(t, filepath.Join(home, filepath.FromSlash(path)), text)
			}
			for path, text := range c.dir {
				put(t, filepath.Join(dir, filepath.FromSlash(path)), text)
			}
			var told bytes.Buffer
			a := &app{call: Invocation{Dir: dir, Stderr: &told, Env: func(name string) string {
				if name == "HOME" || name == "USERPROFILE" {
					return home
				}
				return strings.ReplaceAll(c.env[name], "HOME", home)
			}}}
			if c.trusted {
				if _, _, err := (settings.Trust{Path: a.paths().Trust}).Add(t.Context(), a.workspace()); err != nil {
					t.Fatal(err)
				}
			}
			l, err := leads[c.agent].prepare(a, "http://gw", gatewayFlags{}, c.args)
			if c.refused != "" {
				if err == nil || !strings.Contains(err.Error(), c.refused) {
					t.Errorf("it is not refused: %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			defer l.remove()
			all := strings.Join(append(l.before, l.args...), "\n")
			for name, value := range l.env {
				all += "\n" + name + "=" + value
			}
			all += "\n"
			if !strings.Contains(all, c.led) || c.not != "" && strings.Contains(strings.ReplaceAll(all, "--setting-sources", ""), c.not) {
				t.Errorf("it is led by %s", all)
			}
			to := ""
			for _, u := range []string{"anthropic", "openai"} {
				for _, of := range []*upstreams{&l.set, &l.lent} {
					if address := of.of(u).URL; address != nil {
						to += address.String()
					}
				}
			}
			if to != c.to {
				t.Errorf("requests go on to %q", to)
			}
			if !strings.Contains(told.String(), c.told) || c.told == "" && told.Len() > 0 || strings.Count(told.String(), "\n") > 1 {
				t.Errorf("told: %q", told.String())
			}
			if i := strings.Index(all, "--settings\n{"); i >= 0 {
				text, _, _ := strings.Cut(all[i+len("--settings\n"):], "\n")
				if !json.Valid([]byte(text)) {
					t.Errorf("no JSON: %s", text)
				}
			}
		})
	}
}

// wide is a text as some editors of Windows save it.
func wide(text string) string {
	out := "\xff\xfe"
	for _, unit := range utf16.Encode([]rune(text)) {
		out += string([]byte{byte(unit), byte(unit >> 8)})
	}
	return out
}
