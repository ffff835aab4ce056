package cli

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pertain-dev/pertain/internal/files"
)

// droidBases are what stands at the end of an address of droid's, by the provider that a model of the user's own names.
var droidBases = map[string]base{
	"anthropic":                   {"anthropic", ""},
	"openai":                      {"openai", "/v1"},
	"generic-chat-completion-api": {"openai", "/v1"},
}

// leadDroid: droid knows addresses of the models that its settings add, and takes settings for one run from a file. Its maker's own
// models have an API that nobody else speaks.
func leadDroid(a *app, l *leading) error {
	tree := map[string]any{}
	given := argument(l.args, "--settings")
	if given != "" {
		tree = jsonObject(a.abs(given))
	}
	list, _ := tree["customModels"].([]any)
	if own := filepath.Join(a.paths().Home, ".factory", "settings.json"); list == nil && a.paths().Home != "" {
		list, _ = jsonObject(own)["customModels"].([]any)
	}
	chosen := argument(l.args, "--model")
	if chosen == "" {
		chosen = argument(l.args, "-m")
	}
	r, led := l.redirection(), 0
	for _, first := range []bool{true, false} { // the model that is used decides on the address
		for i, item := range list {
			model, _ := item.(map[string]any)
			if (droidID(model, i) == chosen) == first && r.droid(model) {
				led++
			}
		}
	}
	if led == 0 {
		return usage("droid has no model that can be led here: models of your own are `customModels` in ~/.factory/settings.json, each with a baseUrl")
	}
	l.partly = led < len(list) || !strings.HasPrefix(chosen, "custom:")
	tree["customModels"] = list
	path, err := l.scratch(a, "droid", "settings.json", tree)
	if err != nil {
		return err
	}
	l.args = withSettings(l.args, path)
	return nil
}

// droid leads a model here, if its address is the one that its API goes on to.
func (r *redirection) droid(model map[string]any) bool {
	provider, _ := model["provider"].(string)
	address, _ := model["baseUrl"].(string)
	if address == "" {
		return false
	}
	here, ok := r.lead(droidBases[provider], address)
	if ok {
		model["baseUrl"] = here
	}
	return ok
}

// droidID is how a model of the user's own is named on the command line.
func droidID(model map[string]any, at int) string {
	name, _ := model["displayName"].(string)
	if name == "" {
		name, _ = model["model"].(string)
	}
	return "custom:" + strings.ReplaceAll(name, " ", "-") + "-" + strconv.Itoa(at)
}

// withSettings gives arguments of droid with a file of settings, after the name of what it is to do.
func withSettings(args []string, path string) []string {
	if argument(args, "--settings") != "" || len(args) == 0 || args[0] != "exec" {
		return replaced(args, "--settings", path)
	}
	return slices.Insert(slices.Clone(args), 1, "--settings", path)
}

// jsonObject reads an object from a file, comments allowed; what is none is empty.
func jsonObject(path string) map[string]any {
	tree := map[string]any{}
	text, err := files.OS().ReadFile(path, 4<<20)
	if err != nil {
		return tree
	}
	if plain, err := standardJSON(text); err != nil || json.Unmarshal(plain, &tree) != nil || tree == nil {
		return map[string]any{}
	}
	return tree
}
