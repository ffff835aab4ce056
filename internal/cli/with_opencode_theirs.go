package cli

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// openCodeTheirs is what the settings of projects that are not trusted say about where models are.
type openCodeTheirs struct {
	redirected map[string]string // providers that are known without them and get an address, with the file
	added      map[string]string // others
	unused     []string          // the files of redirected, as they were read
}

// openCodeTheirs finds it. What nothing here would override is refused: OpenCode would show the user's key there.
func (a *app) openCodeTheirs(s *openCodeSettings) (openCodeTheirs, error) {
	t := openCodeTheirs{redirected: map[string]string{}, added: map[string]string{}}
	own := object(s.own, "provider")
	knows := a.openCodeKnows(own)
	for _, file := range s.strange {
		for name := range object(file.tree, "provider") {
			block := object(file.tree, "provider", name)
			sdk := openCodeSDK(object(own, name), "")
			if sdk == "" && openCodeAPI(name) != "" {
				sdk = "@ai-sdk/" + name
			}
			address, beyond := openCodeElsewhere(block, sdk)
			switch {
			case !address && !beyond:
			case !knows(name):
				t.added[name] = cmp.Or(t.added[name], file.name)
			case beyond:
				return t, strangeAddress(file.name, name, "by more than an address, so that nothing here overrides it")
			case openCodeAPI(name) == "" && openCodeAddress(object(own, name), "") == "":
				return t, strangeAddress(file.name, name, "and nobody knows here by which one to override it")
			default:
				t.redirected[name] = cmp.Or(t.redirected[name], file.name)
				if !slices.Contains(t.unused, file.name) {
					t.unused = append(t.unused, file.name)
				}
			}
		}
	}
	return t, nil
}

// strangeAddress refuses to start OpenCode where it would show a key of the user's to a stranger.
func strangeAddress(file, name, why string) error {
	return usage("the project's settings for OpenCode (%s) lead `%s`, which it knows without them, to another address, %s; your key would go there: take that out, or trust the project (`pertain trust`)", file, clean(name), why)
}

// openCodeAddress is where a provider is asked, by its settings, of a model for which they have one of its own; "": where it usually is.
func openCodeAddress(provider map[string]any, model string) string {
	base, _ := object(provider, "options")["baseURL"].(string)
	its, _ := object(provider, "models", model, "provider")["api"].(string)
	api, _ := provider["api"].(string)
	return cmp.Or(base, its, api)
}

// openCodeSDK is the package by which a provider is asked; "": the usual one.
func openCodeSDK(provider map[string]any, model string) string {
	its, _ := object(provider, "models", model, "provider")["npm"].(string)
	npm, _ := provider["npm"].(string)
	return cmp.Or(its, npm)
}

var (
	// openCodeOptions are texts among a provider's options that lead its requests nowhere else, and openCodeHeaders such headers.
	openCodeOptions = []string{"apiKey", "organization", "profile", "setCacheKey"}
	openCodeHeaders = []string{"anthropic-beta", "http-referer", "user-agent", "x-title"}
	// openCodeRegion is a place of a provider's, which becomes a part of the name of its server.
	openCodeRegion = regexp.MustCompile(`^[A-Za-z0-9-]+$`)
)

// openCodeElsewhere tells whether a block of a provider gives it an address, which one in the variable overrides, and whether it leads it elsewhere
// by what nothing overrides: the package that asks, since each has options of its own for its address and paths of its own here,
// such options, and headers, of which some say what a request is to a gateway. sdk is the package that asks; "": one of those that OpenCode's own
// list names, which have one publisher.
func openCodeElsewhere(block map[string]any, sdk string) (address, beyond bool) {
	api, ok := block["api"]
	address = ok && api != ""
	other := func(from map[string]any) bool {
		npm, _ := from["npm"].(string)
		if sdk == "" {
			return from["npm"] != nil && !strings.HasPrefix(npm, "@ai-sdk/")
		}
		return from["npm"] != nil && npm != sdk
	}
	beyond = other(block)
	for name, value := range object(block, "options") {
		switch value := value.(type) {
		case string:
			region := (name == "region" || name == "location") && openCodeRegion.MatchString(value)
			switch {
			case name == "baseURL":
				address = address || value != ""
			case value != "" && !region && !slices.Contains(openCodeOptions, name):
				beyond = true
			}
		case map[string]any:
			beyond = beyond || name != "headers" || strangeHeaders(value)
		case []any:
			beyond = true
		}
	}
	for name := range object(block, "models") {
		model := object(block, "models", name)
		from := object(model, "provider")
		beyond = beyond || other(from) || strangeHeaders(object(model, "headers"))
		address = address || from["api"] != nil && from["api"] != ""
	}
	return address, beyond
}

func strangeHeaders(headers map[string]any) bool {
	for name := range headers {
		if !slices.Contains(openCodeHeaders, strings.ToLower(name)) {
			return true
		}
	}
	return false
}

// object is one in a tree, below names; nil: there is none.
func object(tree map[string]any, names ...string) map[string]any {
	for _, name := range names {
		tree, _ = tree[name].(map[string]any)
	}
	return tree
}
