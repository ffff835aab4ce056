package cli

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/gateway"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/hook"
	"github.com/pertain-dev/pertain/internal/writing"
)

// lead is how an agent is led to a gateway. Found by running the programs.
type lead struct {
	agent     string // for the journal
	program   string
	variables []leadVariable
	more      func(a *app, l *leading) error // what is to do beside; nil: nothing

	title   string        // for people, of those with such files:
	project []projectFile // whose addresses are not used where the project is not trusted; those of others are told of by more
}

// leadVariable is one of the environment that names the address of a model.
type leadVariable struct {
	name string
	api  string // anthropic, openai or gemini
	path string // that stands after the gateway's address
}

// leading is an agent that is being led to a gateway.
type leading struct {
	url     string   // of the gateway
	args    []string // the user's own, as the agent gets them
	flags   gatewayFlags
	set     upstreams // of the user's own, or of a project that is trusted
	lent    upstreams // of a project that is not trusted, for a provider of its own
	env     map[string]string
	before  []string // arguments that stand before the user's
	partly  bool     // some models of the agent may be asked past the gateway
	removes []func()
}

// variable gives those of the agent's environment: the user's, with what leads to the gateway.
func (l *leading) variable(own func(name string) string) func(name string) string {
	return func(name string) string {
		if value, ok := l.env[name]; ok {
			return value
		}
		return own(name)
	}
}

func (l *leading) remove() {
	for _, remove := range l.removes {
		remove()
	}
}

var (
	anthropicBase = leadVariable{"ANTHROPIC_BASE_URL", "anthropic", ""}
	openAIBase    = leadVariable{"OPENAI_BASE_URL", "openai", "/v1"}
	geminiBase    = leadVariable{"GOOGLE_GEMINI_BASE_URL", "gemini", ""}
)

// anyLead is for programs that are not known.
var anyLead = lead{variables: []leadVariable{anthropicBase, openAIBase, geminiBase}}

// leads are the agents, by name.
var leads = map[string]lead{
	"cline":    {agent: "cline", program: "cline", more: leadCline},
	"continue": {agent: "continue", program: "cn", more: leadContinue},
	"claude":   {agent: "claude", program: "claude", variables: []leadVariable{anthropicBase}, more: leadClaude},
	"codex":    {agent: "codex", program: "codex", variables: []leadVariable{openAIBase}, more: leadCodex, title: "Codex", project: codexProject},
	"copilot":  {agent: "copilot", program: "copilot", variables: []leadVariable{{"COPILOT_PROVIDER_BASE_URL", "openai", "/v1"}}, more: leadCopilot},
	"droid":    {agent: "droid", program: "droid", more: leadDroid, title: "droid", project: droidProject},
	"gemini":   {agent: "gemini", program: "gemini", variables: []leadVariable{geminiBase}, more: leadGemini, title: "Gemini CLI", project: geminiProject},
	"pi":       {agent: "pi", program: "pi", more: leadPi},
	"qwen":     {agent: "qwen", program: "qwen", variables: []leadVariable{openAIBase}, more: leadQwen, title: "Qwen Code", project: qwenProject},
	"opencode": {agent: "opencode", program: "opencode", more: leadOpenCode},
}

func leadNames() []string { return slices.Sorted(maps.Keys(leads)) }

// upstreams are the addresses that the user had set.
func (l lead) upstreams(env func(string) string) (upstreams, error) {
	var out upstreams
	for _, v := range l.variables {
		text := env(v.name)
		if text == "" {
			continue
		}
		api := v.api
		if v.name == "COPILOT_PROVIDER_BASE_URL" && env("COPILOT_PROVIDER_TYPE") == "anthropic" {
			api, v.path = "anthropic", ""
		}
		u, ok := upstreamURL(text)
		if !ok {
			return out, usage("%s is no address; write such as https://host or http://127.0.0.1:8080/v1", v.name)
		}
		*out.of(api) = baseUpstream(u, v.path)
	}
	return out, nil
}

// baseUpstream is the upstream at an address to which an agent adds what stands after
// path.
func baseUpstream(u *url.URL, path string) gateway.Upstream {
	to := gateway.Upstream{URL: u}
	if path != "" && !strings.HasSuffix(strings.TrimRight(u.Path, "/"), path) {
		to.Without = path
	}
	return to
}

func (u *upstreams) of(api string) *gateway.Upstream {
	switch api {
	case "anthropic":
		return &u.anthropic
	case "gemini":
		return &u.gemini
	}
	return &u.openai
}

// prepare makes what leads the agent.
func (l lead) prepare(a *app, url string, flags gatewayFlags, args []string) (*leading, error) {
	set, err := l.upstreams(a.call.Env)
	if err != nil {
		return nil, err
	}
	to := &leading{url: url, args: args, flags: flags, set: set, env: map[string]string{hook.GatewayVariable: url}}
	for _, v := range l.variables {
		to.env[v.name] = url + v.path
	}
	maps.Copy(to.env, direct(a.call.Env)) // the gateway is on this machine
	if a.call.Env("PWD") != "" {
		to.env["PWD"] = a.dir() // some agents take it for the folder that they start in, and its settings for their own
	}
	if l.more != nil {
		if err := l.more(a, to); err != nil {
			to.remove()
			return nil, err
		}
	}
	a.tellProject(l)
	return to, nil
}

// leadCopilot: a provider of the user's own is what Copilot calls it, with a key.
func leadCopilot(a *app, l *leading) error {
	switch a.call.Env("COPILOT_PROVIDER_TYPE") {
	case "":
		l.env["COPILOT_PROVIDER_TYPE"] = "openai"
	case "anthropic":
		l.env["COPILOT_PROVIDER_BASE_URL"] = l.url
	}
	if key := a.call.Env("OPENAI_API_KEY"); key != "" && a.call.Env("COPILOT_PROVIDER_API_KEY") == "" {
		l.env["COPILOT_PROVIDER_API_KEY"] = key
	}
	return nil
}

// leadPi: pi knows addresses by its files, and by extensions, of which it gets one. Of
// the providers in its models.json it is the one that the arguments name.
func leadPi(a *app, l *leading) error {
	redirected := map[string]string{"anthropic": l.url, "openai": l.url + "/v1", "google": l.url + "/v1beta"}
	if name := argument(l.args, "--provider"); name != "" && redirected[name] == "" {
		dir := a.call.Env("PI_CODING_AGENT_DIR")
		if dir == "" {
			dir = filepath.Join(a.paths().Home, ".pi", "agent")
		}
		redirected = map[string]string{}
		api, base := piProvider(filepath.Join(dir, "models.json"), name)
		if u, ok := upstreamURL(base); ok && api != "" {
			path := map[string]string{"anthropic": "", "openai": "/v1", "gemini": "/v1beta"}[api]
			*l.set.of(api) = baseUpstream(u, path)
			redirected[name] = l.url + path
		}
	}
	l.partly = redirected[argument(l.args, "--provider")] == "" // its settings decide, and it knows many
	var text strings.Builder
	text.WriteString("export default function (pi) {\n")
	for _, name := range slices.Sorted(maps.Keys(redirected)) {
		fmt.Fprintf(&text, "  pi.registerProvider(%q, { baseUrl: %q });\n", name, redirected[name])
	}
	text.WriteString("}\n")
	dir, remove, err := writing.Scratch(a.workspace(), map[string]string{"pertain.ts": text.String()})
	if err != nil {
		return usage("no folder can be made for what leads pi here: %s", reason(err))
	}
	l.removes = append(l.removes, remove)
	l.before = append(l.before, "-e", filepath.Join(dir, "pertain.ts"))
	return nil
}

// tell says something about what leads an agent, before the agent has the terminal.
func (a *app) tell(text string) {
	fmt.Fprintf(a.painted(a.call.Stderr), "warning: %s\n", text)
}

// argument is the value of a flag in a program's arguments; "": there is none.
func argument(args []string, flag string) string {
	for i, arg := range args {
		if value, ok := strings.CutPrefix(arg, flag+"="); ok {
			return value
		}
		if arg == flag && i+1 < len(args) {
			return args[i+1]
		}
	}
	return ""
}

// piProvider reads which API a provider of pi's file speaks, and its address.
func piProvider(path, name string) (api, base string) {
	text, err := files.OS().ReadFile(path, 4<<20)
	if err != nil {
		return "", ""
	}
	var file struct {
		Providers map[string]struct {
			API     string `json:"api"`
			BaseURL string `json:"baseUrl"`
		} `json:"providers"`
	}
	if json.Unmarshal(text, &file) != nil {
		return "", ""
	}
	provider := file.Providers[name]
	switch {
	case strings.HasPrefix(provider.API, "anthropic"):
		api = "anthropic"
	case strings.HasPrefix(provider.API, "openai"):
		api = "openai"
	case strings.HasPrefix(provider.API, "google"):
		api = "gemini"
	}
	return api, provider.BaseURL
}
