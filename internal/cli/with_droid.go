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
var droidBases = map[string]struct{ api, path string }{
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
	led := 0
	for _, first := range []bool{true, false} { // the model that is used decides on the address
		for i, item := range list {
			model, _ := item.(map[string]any)
			if (droidID(model, i) == chosen) == first && l.redirectDroid(model) {
				led++
			}
		}
	}
	if led == 0 {
		return usage("droid has no model that can be led here: models of your own are `customModels` in ~/.factory/settings.json, each with a baseUrl")
	}
	l.partly = led < len(list) || !strings.HasPrefix(chosen, "custom:")
	tree["customModels"] = list
	text, err := json.Marshal(tree)
	if err != nil {
		return err
	}
	dir, remove, err := files.Scratch(a.workspace(), map[string]string{"settings.json": string(text)})
	if err != nil {
		return usage("no folder can be made for what leads droid here: %s", reason(err))
	}
	l.removes = append(l.removes, remove)
	l.args = withSettings(l.args, filepath.Join(dir, "settings.json"))
	return nil
}

// redirectDroid leads a model here, if its address is the one that its API goes on to.
func (l *leading) redirectDroid(model map[string]any) bool {
	provider, _ := model["provider"].(string)
	base, _ := model["baseUrl"].(string)
	to, known := droidBases[provider]
	u, ok := upstreamURL(base)
	if !known || !ok {
		return false
	}
	set := l.set.of(to.api)
	switch {
	case set.URL == nil:
		*set = baseUpstream(u, to.path)
	case set.URL.String() != u.String():
		return false
	}
	model["baseUrl"] = l.url + to.path
	return true
}

// droidID is how a model of the user's own is named on the command line.
func droidID(model map[string]any, at int) string {
	name, _ := model["displayName"].(string)
	if name == "" {
		name, _ = model["model"].(string)
	}
	return "custom:" + strings.ReplaceAll(name, " ", "-") + "-" + strconv.Itoa(at)
}

// withSettings gives arguments of droid with a file of settings, behind the name of what it is to do.
func withSettings(args []string, path string) []string {
	args = slices.Clone(args)
	for i, arg := range args {
		if arg == "--settings" && i+1 < len(args) {
			args[i+1] = path
			return args
		}
		if strings.HasPrefix(arg, "--settings=") {
			args[i] = "--settings=" + path
			return args
		}
	}
	at := 0
	if len(args) > 0 && args[0] == "exec" {
		at = 1
	}
	return slices.Insert(args, at, "--settings", path)
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
