package cli

import (
	"cmp"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/internal/writing"
)

// geminiClouds are the variables by which Gemini CLI, where no way of authentication was chosen, asks Google by another API.
var geminiClouds = []string{"GOOGLE_GENAI_USE_GCA", "GOOGLE_GENAI_USE_VERTEXAI"}

// geminiPaths are the variables by which Gemini CLI, which starts itself anew with what a .env sets, finds settings that override others.
var geminiPaths = []string{"GEMINI_CLI_HOME", "GEMINI_CLI_SYSTEM_DEFAULTS_PATH", "GEMINI_CLI_SYSTEM_SETTINGS_PATH"}

// leadGemini: with a key in the environment and no way of authentication chosen, Gemini ends at once. A file of defaults, which its
// own settings override, chooses the key. With a login it asks another address, by an API of its own.
func leadGemini(a *app, l *leading) error {
	paths := a.paths()
	project, err := a.projectObject("Gemini CLI", ".gemini/settings.json")
	if err != nil {
		return err
	}
	kept := keeping{app: a, to: l, names: slices.Concat(proxyVariables, loadVariables, headerVariables, geminiClouds, geminiPaths)}
	kept.dotenv(".gemini/.env", ".env")
	a.tellStray("Gemini CLI", kept.found, kept.files)
	chosen := loginType(project, loginSettings(a, ".gemini"))
	if chosen != "" && chosen != "gemini-api-key" {
		return notLed("Gemini CLI", "its settings choose `"+clean(chosen)+"`", "gemini")
	}
	if chosen != "" {
		return nil
	}
	for _, name := range geminiClouds {
		if on(a.call.Env(name)) {
			return notLed("Gemini CLI", name+" is set", "gemini")
		}
	}
	if a.call.Env("GEMINI_API_KEY") == "" || a.call.Env("GEMINI_CLI_SYSTEM_DEFAULTS_PATH") != "" || paths.State == "" || paths.Home == "" {
		return nil
	}
	path := filepath.Join(paths.State, "gateway", "gemini-defaults.json")
	target, err := writing.OwnTarget(path)
	if err == nil {
		err = target.MakeFolder(0o700)
	}
	if err == nil {
		err = target.Write([]byte(`{"security":{"auth":{"selectedType":"gemini-api-key"}}}`+"\n"), 0o600)
	}
	if err == nil { // else Gemini says itself what it lacks
		l.env["GEMINI_CLI_SYSTEM_DEFAULTS_PATH"] = path
	}
	return nil
}

// qwenPaths are such variables of Qwen Code's, and qwenWays those by which it chooses another API than OpenAI's: each is needed for one.
var (
	qwenPaths = []string{"QWEN_CODE_SYSTEM_DEFAULTS_PATH", "QWEN_CODE_SYSTEM_SETTINGS_PATH"}
	qwenWays  = []string{"QWEN_OAUTH", "GEMINI_MODEL", "GOOGLE_MODEL", "ANTHROPIC_BASE_URL"}
)

// leadQwen: Qwen Code takes the variable where it asks an API such as OpenAI's, and no address stands beside a model in its settings.
func leadQwen(a *app, l *leading) error {
	project, err := a.projectObject("Qwen Code", ".qwen/settings.json")
	if err != nil {
		return err
	}
	tree := loginSettings(a, ".qwen")
	chosen := argument(l.args, "--auth-type")
	if chosen == "" {
		chosen = loginType(project, tree)
	}
	kept := keeping{app: a, to: l, names: slices.Concat(proxyVariables, loadVariables, headerVariables, qwenPaths)}
	if chosen == "" {
		set := variables(tree)
		chosen = qwenWay(func(name string) string { return cmp.Or(a.call.Env(name), set[name]) })
		kept.names = slices.Concat(kept.names, qwenWays)
	}
	if chosen != "" && chosen != "openai" {
		return notLed("Qwen Code", "`"+clean(chosen)+"` is how it finds its model", "qwen")
	}
	if qwenModels(tree, "openai") || qwenModels(project, "openai") || !a.trusts(a.workspace()) && qwenModels(project, slices.Sorted(maps.Keys(object(project, "modelProviders")))...) {
		return usage("Qwen Code cannot be led to a gateway: `modelProviders` of its settings gives a model an address, which nothing overrides; give it that of `pertain gateway` there")
	}
	if err := l.qwenProxy(a, map[string]any{".qwen/settings.json": project["proxy"], "your settings.json of Qwen Code": tree["proxy"]}); err != nil {
		return err
	}
	kept.dotenv(".qwen/.env", ".env")
	kept.settings(".qwen/settings.json", project)
	a.tellStray("Qwen Code", kept.found, kept.files)
	security, _ := tree["security"].(map[string]any)
	auth, _ := security["auth"].(map[string]any)
	if address, _ := auth["baseUrl"].(string); address != "" && l.set.openai.URL == nil {
		u, ok := upstreamURL(address)
		if !ok {
			return usage("security.auth.baseUrl of Qwen Code is no address; write such as https://host/v1")
		}
		l.set.openai = baseUpstream(u, openAIBase.path)
	}
	return nil
}

// qwenProxy: Qwen Code asks even this machine through a proxy, whatever NO_PROXY says. It gets none by its environment; one of its settings is
// stronger.
func (l *leading) qwenProxy(a *app, settings map[string]any) error {
	const why, name = " names a proxy, which Qwen Code asks even for this machine; HTTPS_PROXY in the environment is what the gateway takes", "qwen"
	if argument(l.args, "--proxy") != "" {
		return strays("Qwen Code", "--proxy"+why, name)
	}
	for _, file := range slices.Sorted(maps.Keys(settings)) {
		if value := settings[file]; value != nil && value != "" {
			return strays("Qwen Code", "`proxy` of "+file+why, name)
		}
	}
	var own []string
	for _, variable := range proxyVariables {
		if a.call.Env(variable) != "" {
			own = append(own, variable)
		}
		l.env[variable] = ""
	}
	if len(own) > 0 {
		a.tell(strings.Join(own, ", ") + ": Qwen Code does not get it, since it would ask even this machine through that proxy; the gateway does")
	}
	return nil
}

// qwenWay is how Qwen Code finds its model where neither its arguments nor its settings say it; "": it does not.
func qwenWay(env func(name string) string) string {
	for _, way := range []struct {
		name  string
		needs []string
	}{
		{"qwen-oauth", []string{"QWEN_OAUTH"}},
		{"openai", []string{"OPENAI_API_KEY", "OPENAI_MODEL"}}, // and the address, which it gets
		{"gemini", []string{"GEMINI_API_KEY", "GEMINI_MODEL"}},
		{"vertex-ai", []string{"GOOGLE_API_KEY", "GOOGLE_MODEL"}},
		{"anthropic", []string{"ANTHROPIC_API_KEY", "ANTHROPIC_MODEL", "ANTHROPIC_BASE_URL"}},
	} {
		if !slices.ContainsFunc(way.needs, func(name string) bool { return env(name) == "" }) {
			return way.name
		}
	}
	return ""
}

// qwenModels tells whether settings of Qwen Code give a model of some APIs an address. It may be used beside the one that is chosen.
func qwenModels(tree map[string]any, apis ...string) bool {
	for _, api := range apis {
		models, _ := object(tree, "modelProviders")[api].([]any)
		for _, item := range models {
			model, _ := item.(map[string]any)
			if address, _ := model["baseUrl"].(string); address != "" {
				return true
			}
		}
	}
	return false
}

// loginType is the way of authentication that settings of Gemini CLI, or of an agent made from it, choose: the first that do.
func loginType(settings ...map[string]any) string {
	for _, tree := range settings {
		security, _ := tree["security"].(map[string]any)
		auth, _ := security["auth"].(map[string]any)
		chosen, _ := auth["selectedType"].(string)
		if chosen == "" {
			chosen, _ = tree["selectedAuthType"].(string) // as older versions have it
		}
		if chosen = strings.TrimSpace(chosen); chosen != "" {
			return chosen
		}
	}
	return ""
}

// loginSettings are the user's own.
func loginSettings(a *app, folder string) map[string]any {
	if a.paths().Home == "" {
		return nil
	}
	return jsonObject(filepath.Join(a.paths().Home, folder, "settings.json"))
}
