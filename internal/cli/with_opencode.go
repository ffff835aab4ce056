package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/jsonscan"
)

// basePaths are what stands at the end of an API's address as providers of the AI SDK have it.
var basePaths = map[string]string{"anthropic": "/v1", "openai": "/v1", "gemini": "/v1beta"}

// openCode is OpenCode while it is being led here. It takes settings from a variable, over all files of projects.
type openCode struct {
	*leading
	settings  *openCodeSettings
	given     upstreams         // by flags, or by the settings: they win over what a stranger's project names, always
	providers map[string]any    // as the variable has them
	here      map[string]string // the APIs of those that are led here
}

// leadOpenCode: the provider whose model is used is led here, and those that OpenCode knows by itself, as far as they have one address.
func leadOpenCode(a *app, l *leading) error {
	settings, err := a.openCodeSettings(l)
	if err != nil {
		return err
	}
	given, err := a.givenUpstreams(l.flags)
	if err != nil {
		return err
	}
	o := openCode{leading: l, settings: settings, given: given, providers: map[string]any{}, here: map[string]string{}}
	theirs, err := a.openCodeTheirs(settings)
	if err != nil {
		return err
	}
	all, own := object(settings.all, "provider"), object(settings.own, "provider")
	named, _ := settings.all["model"].(string)
	chosen, model, _ := strings.Cut(cmp.Or(argument(l.args, "--model"), argument(l.args, "-m"), named), "/")
	if api := openCodeAPI(chosen); api != "" {
		o.lead(chosen, api, openCodeAddress(object(own, chosen), model))
	} else if address := openCodeAddress(object(own, chosen), model); address != "" {
		o.lead(chosen, sdkAPI(openCodeSDK(object(own, chosen), model)), address)
	} else if theirs.added[chosen] != "" {
		o.lend(chosen, sdkAPI(openCodeSDK(object(all, chosen), model)), openCodeAddress(object(all, chosen), model))
	}
	for _, p := range openCodeOwn {
		if p.name != chosen {
			o.lead(p.name, p.api, openCodeAddress(object(own, p.name), ""))
		}
	}
	if err := o.override(theirs); err != nil {
		return err
	}
	o.tell(a, theirs)
	o.tellChosen(a)
	// A repository's settings may name a provider of its own; the one that is used without a model named is not known.
	l.partly = o.here[chosen] == ""
	for name := range all {
		l.partly = l.partly || o.here[name] == ""
	}
	text, err := withProviders(a.call.Env("OPENCODE_CONFIG_CONTENT"), o.providers)
	l.env["OPENCODE_CONFIG_CONTENT"] = text
	return err
}

// givenUpstreams are the addresses that flags name, and else the settings. A mistake in these is told later.
func (a *app) givenUpstreams(flags gatewayFlags) (given upstreams, err error) {
	if values, _, err := a.paths().Load(files.OS()); err == nil && !values.Gateway.Broken {
		if to, err := settingsUpstreams(values.Gateway); err == nil {
			given = to
		}
	}
	return flags.upstreams(given)
}

// lead leads a provider here, if its address is the one that its API goes on to. That of a project which is not trusted is not given; where it
// is the one that an API goes on to, no key but that of its own provider may come here by that API, nor one of Gemini's, where a
// model's name is a part of the path, and the project may have named it.
func (o *openCode) lead(name, api, address string) {
	set := o.set.of(api)
	u, ok := openCodeUpstream(address)
	switch {
	case address != "" && !ok, o.lent.of(api).URL != nil, api == "gemini" && o.lent != (upstreams{}):
		return
	case set.URL == nil && address == "": // the provider's own address
	case set.URL == nil:
		*set = baseUpstream(u, basePaths[api])
	case address == "" || set.URL.String() != u.String():
		return // a second address of one API
	}
	o.at(name, o.url+basePaths[api])
	o.here[name] = api
}

// lend leads a provider that a project which is not trusted has added. Its address counts where the user has set none.
func (o *openCode) lend(name, api, address string) {
	u, ok := openCodeUpstream(address)
	if !ok {
		return
	}
	if o.given.of(api).URL == nil {
		*o.lent.of(api) = baseUpstream(u, basePaths[api])
	}
	o.at(name, o.url+basePaths[api])
	o.here[name] = api
}

// openCodeUpstream reads an address, of which no part is in another file.
func openCodeUpstream(address string) (*url.URL, bool) {
	if strings.Contains(address, insertedText) {
		return nil, false
	}
	return upstreamURL(address)
}

func (o *openCode) at(name, address string) {
	o.providers[name] = map[string]any{"options": map[string]any{"baseURL": address}}
}

// override sees to it that no address of a project that is not trusted is left for a provider that is known without it: what is not led
// here gets the address back that the user has set for it.
func (o *openCode) override(theirs openCodeTheirs) error {
	for _, name := range slices.Sorted(maps.Keys(theirs.redirected)) {
		if o.here[name] != "" {
			continue
		}
		address := openCodeAddress(object(o.settings.own, "provider", name), "")
		if address == "" || strings.Contains(address, insertedText) {
			return strangeAddress(theirs.redirected[name], name, "and it cannot be led here, since the gateway goes on to another address for its API")
		}
		o.at(name, address)
	}
	return nil
}

// tell tells of addresses that a project which is not trusted names: of providers that are known without it they are not
// used, and others have no address but that, unless the user has set one.
func (o *openCode) tell(a *app, theirs openCodeTheirs) {
	a.tellUnused("OpenCode", theirs.unused)
	var there, instead []string
	for name, file := range theirs.added {
		files := &there
		if api := o.here[name]; api != "" && o.lent.of(api).URL == nil {
			files = &instead
		}
		if !slices.Contains(*files, file) {
			*files = append(*files, file)
		}
	}
	const begin, end = "the project's settings for OpenCode have a provider of their own (", "; the project is not trusted (`pertain trust`)"
	if len(there) > 0 {
		slices.Sort(there)
		a.tell(begin + strings.Join(there, ", ") + "), which is asked at the address that stands there" + end)
	}
	if len(instead) > 0 {
		slices.Sort(instead)
		a.tell(begin + strings.Join(instead, ", ") + "); its requests go on to the address that you have set for its API, and not to the one that stands there" + end)
	}
}

// tellChosen tells of models that settings of a project choose whose providers are not led here: what they say is not watched.
func (o *openCode) tellChosen(a *app) {
	told := map[string]bool{}
	choose := func(file openCodeFile, model any) {
		name, _ := model.(string)
		provider, _, ok := strings.Cut(name, "/")
		if key := file.name + "\x00" + provider; ok && o.here[provider] == "" && !told[key] {
			told[key] = true
			a.tell("the project's settings for OpenCode (" + file.name + ") choose a model of `" + provider + "`, which is not watched here; the project is not trusted (`pertain trust`)")
		}
	}
	for _, file := range o.settings.strange {
		choose(file, file.tree["model"])
		choose(file, file.tree["small_model"])
		for _, list := range []string{"agent", "mode", "command"} {
			for _, name := range slices.Sorted(maps.Keys(object(file.tree, list))) {
				choose(file, object(file.tree, list, name)["model"])
			}
		}
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
