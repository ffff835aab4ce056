package cli

import (
	"path/filepath"
	"strings"

	"github.com/pertain-dev/pertain/internal/writing"
)

// geminiClouds are the variables by which Gemini CLI, where no way of authentication was chosen, asks Google by another API.
var geminiClouds = []string{"GOOGLE_GENAI_USE_GCA", "GOOGLE_GENAI_USE_VERTEXAI"}

// leadGemini: with a key in the environment and no way of authentication chosen, Gemini ends at once. A file of defaults, which its
// own settings override, chooses the key. With a login it asks another address, by an API of its own.
func leadGemini(a *app, l *leading) error {
	paths := a.paths()
	chosen := loginType(a, ".gemini")
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

// leadQwen: Qwen Code takes the variable where it asks an API such as OpenAI's, and no address stands beside a model in its settings.
func leadQwen(a *app, l *leading) error {
	chosen := argument(l.args, "--auth-type")
	if chosen == "" {
		chosen = loginType(a, ".qwen")
	}
	if chosen != "" && chosen != "openai" {
		return notLed("Qwen Code", "`"+clean(chosen)+"` is how it finds its model", "qwen")
	}
	tree := loginSettings(a, ".qwen")
	if qwenModels(tree) || qwenModels(jsonObject(filepath.Join(a.dir(), ".qwen", "settings.json"))) {
		return usage("Qwen Code cannot be led to a gateway: `modelProviders` of its settings gives a model an address, which nothing overrides; give it that of `pertain gateway` there")
	}
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

// qwenModels tells whether settings of Qwen Code give a model an address.
func qwenModels(tree map[string]any) bool {
	providers, _ := tree["modelProviders"].(map[string]any)
	models, _ := providers["openai"].([]any)
	for _, item := range models {
		model, _ := item.(map[string]any)
		if address, _ := model["baseUrl"].(string); address != "" {
			return true
		}
	}
	return false
}

// loginType is the way of authentication that settings of Gemini CLI, or of an agent made from it, choose.
func loginType(a *app, folder string) string {
	for _, tree := range []map[string]any{jsonObject(filepath.Join(a.dir(), folder, "settings.json")), loginSettings(a, folder)} {
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
