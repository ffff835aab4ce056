package cli

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/jsonscan"
)

// openCodeConfig is what its settings say about models.
type openCodeConfig struct {
	Model    string                      `json:"model"`
	Provider map[string]openCodeProvider `json:"provider"`

	unused []string // files of a project that is not trusted, whose addresses do not count
}

type openCodeProvider struct {
	NPM     string `json:"npm"`
	Options struct {
		BaseURL string `json:"baseURL"`
	} `json:"options"`

	stranger string // the file of a project that is not trusted by which the address is known; "": another one
}

// openCodeOwn are the providers that OpenCode knows by itself, with the APIs that they speak.
var openCodeOwn = []struct{ name, api string }{{"anthropic", "anthropic"}, {"google", "gemini"}, {"openai", "openai"}}

// basePaths are what stands at the end of an API's address as providers of the AI SDK have it.
var basePaths = map[string]string{"anthropic": "/v1", "openai": "/v1", "gemini": "/v1beta"}

// leadOpenCode: OpenCode takes settings from a variable, over all of its files. The provider whose model is used is led here, and
// those that OpenCode knows by itself, as far as they have one address.
func leadOpenCode(a *app, l *leading) error {
	config := a.openCodeConfig()
	a.tellOpenCode(config)
	model := argument(l.args, "--model")
	if model == "" {
		model = argument(l.args, "-m")
	}
	if model == "" {
		model = config.Model
	}
	chosen, _, _ := strings.Cut(model, "/")
	providers := map[string]any{}
	redirect := func(name, api string) {
		base := a.filled(config.Provider[name].Options.BaseURL)
		set := l.set.of(api)
		u, ok := upstreamURL(base)
		switch {
		case base == "" && set.URL == nil: // the provider's own address
		case base != "" && ok && set.URL == nil:
			*set = baseUpstream(u, basePaths[api])
		case base == "" || !ok || set.URL.String() != u.String():
			return // a second address of one API
		}
		providers[name] = map[string]any{"options": map[string]any{"baseURL": l.url + basePaths[api]}}
	}
	if provider, ok := config.Provider[chosen]; ok && !openCodeKnows(chosen) && provider.Options.BaseURL != "" {
		redirect(chosen, sdkAPI(provider.NPM))
	}
	for _, p := range openCodeOwn {
		if p.name == chosen {
			redirect(p.name, p.api)
		}
	}
	for _, p := range openCodeOwn {
		if p.name != chosen {
			redirect(p.name, p.api)
		}
	}
	// A repository's settings may name a provider of its own; the one that is used without a model named is not known.
	l.partly = providers[chosen] == nil
	for name := range config.Provider {
		l.partly = l.partly || providers[name] == nil
	}
	text, err := withProviders(a.call.Env("OPENCODE_CONFIG_CONTENT"), providers)
	l.env["OPENCODE_CONFIG_CONTENT"] = text
	return err
}

// openCodeKnows tells whether OpenCode knows a provider by itself.
func openCodeKnows(name string) bool {
	return slices.ContainsFunc(openCodeOwn, func(p struct{ name, api string }) bool { return p.name == name })
}

// tellOpenCode tells of addresses that a project which is not trusted names: of providers that are known without it they are not
// used, and others have no address but that.
func (a *app) tellOpenCode(config openCodeConfig) {
	a.tellUnused("OpenCode", config.unused)
	var found []string
	for _, provider := range config.Provider {
		if file := provider.stranger; file != "" && !slices.Contains(found, file) {
			found = append(found, file)
		}
	}
	if len(found) > 0 {
		slices.Sort(found)
		a.tell("the project's settings for OpenCode have a provider of their own (" + strings.Join(found, ", ") + "), which is asked at the address that stands there; the project is not trusted (`pertain trust`)")
	}
}

// sdkAPI is the API that a package of the AI SDK speaks.
func sdkAPI(npm string) string {
	switch {
	case strings.Contains(npm, "anthropic"):
		return "anthropic"
	case strings.Contains(npm, "google"):
		return "gemini"
	}
	return "openai"
}

// errDeepSettings is the answer to settings that no program takes.
var errDeepSettings = errors.New("the settings are nested too deep")

// standardJSON is JSON with comments without them, and without a byte order mark. The settings of a project are a
// stranger's.
func standardJSON(text []byte) ([]byte, error) {
	text = plainText(text)
	if jsonscan.TooDeep(string(text)) {
		return nil, errDeepSettings
	}
	return hujson.Standardize(text)
}

// withProviders adds options of providers to settings that the user has in the variable already.
func withProviders(text string, providers map[string]any) (string, error) {
	tree := map[string]any{}
	if plain, err := standardJSON([]byte(text)); err == nil {
		_ = json.Unmarshal(plain, &tree) // what is no object is nothing that OpenCode takes either
	}
	if tree == nil {
		tree = map[string]any{}
	}
	all, _ := tree["provider"].(map[string]any)
	if all == nil {
		all = map[string]any{}
	}
	for name, ours := range providers {
		provider, _ := all[name].(map[string]any)
		if provider == nil {
			all[name] = ours
			continue
		}
		options, _ := provider["options"].(map[string]any)
		if options == nil {
			options = map[string]any{}
		}
		options["baseURL"] = ours.(map[string]any)["options"].(map[string]any)["baseURL"]
		provider["options"] = options
	}
	tree["provider"] = all
	out, err := json.Marshal(tree)
	return string(out), err
}

// openCodeConfig reads the settings that count here, later ones over earlier ones.
func (a *app) openCodeConfig() openCodeConfig {
	var all openCodeConfig
	add := func(text []byte, stranger string) {
		var one openCodeConfig
		if plain, err := standardJSON(text); err != nil || json.Unmarshal(plain, &one) != nil {
			return
		}
		if one.Model != "" {
			all.Model = one.Model
		}
		for name, provider := range one.Provider {
			if all.Provider == nil {
				all.Provider = map[string]openCodeProvider{}
			}
			merged := all.Provider[name]
			if provider.NPM != "" {
				merged.NPM = provider.NPM
			}
			switch {
			case provider.Options.BaseURL == "":
			case stranger != "" && (openCodeKnows(name) || merged.Options.BaseURL != "" && merged.stranger == ""):
				if !slices.Contains(all.unused, stranger) {
					all.unused = append(all.unused, stranger)
				}
			default:
				merged.Options.BaseURL, merged.stranger = provider.Options.BaseURL, stranger
			}
			all.Provider[name] = merged
		}
	}
	tree := files.OS()
	read := func(path string, bounds files.Bounds, stranger string) {
		if text, _, err := files.ReadWithin(tree, path, bounds, maxProjectFile); err == nil {
			add(text, stranger)
		}
	}
	names := []string{"config.json", "opencode.json", "opencode.jsonc"}
	folder := a.call.Env("XDG_CONFIG_HOME")
	if folder == "" && a.paths().Home != "" {
		folder = filepath.Join(a.paths().Home, ".config")
	}
	for _, name := range names {
		if folder != "" {
			read(filepath.Join(folder, "opencode", name), files.Anywhere(), "")
		}
	}
	if path := a.call.Env("OPENCODE_CONFIG"); path != "" {
		read(a.abs(path), files.Anywhere(), "")
	}
	workspace, folders := a.workspace(), a.projectFolders()
	trusted := a.trusts(workspace)
	for _, dir := range slices.Backward(folders) {
		for _, name := range []string{"opencode.json", "opencode.jsonc", ".opencode/opencode.json", ".opencode/opencode.jsonc"} {
			stranger := name
			if trusted {
				stranger = ""
			}
			read(filepath.Join(dir, filepath.FromSlash(name)), files.Below(tree, workspace, a.dir()), stranger)
		}
	}
	add([]byte(a.call.Env("OPENCODE_CONFIG_CONTENT")), "")
	return all
}

var variable = regexp.MustCompile(`\{env:([^}]+)\}`)

// filled is a text with the variables in it, as OpenCode writes them.
func (a *app) filled(text string) string {
	return variable.ReplaceAllStringFunc(text, func(match string) string { return a.call.Env(match[len("{env:") : len(match)-1]) })
}
