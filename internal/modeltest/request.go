package modeltest

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// API is one of those that models speak.
type API string

const (
	Messages  API = "messages"  // Anthropic
	Chat      API = "chat"      // OpenAI Chat Completions
	Responses API = "responses" // OpenAI Responses
	Gemini    API = "gemini"
)

// Request is what was asked.
type Request struct {
	API    API
	Number int // from 1
	Path   string
	Header http.Header
	Body   []byte
	Stream bool
	Model  string
	Tools  []string // names, as they are offered
	Custom []string // those of them that take bare text
	// Takes are the names of the arguments of each tool, in order, and Spaces the
	// namespaces of those that have one (Responses).
	Takes  map[string][]string
	Spaces map[string]string
	// Text is all text values of the request, decoded, a line break between them.
	Text string
	// Results are the results of tools that the last message brings, Ran how many there
	// were in all, and Said how often the model has spoken before (agents may put words
	// into its mouth).
	Results []string
	Ran     int
	Said    int
}

// Has tells whether a word is in the request.
func (r *Request) Has(word string) bool { return strings.Contains(r.Text, word) }

// Offers is the first of some tools that the agent offers, by its name; "" if none.
func (r *Request) Offers(names ...string) string {
	for _, name := range names {
		if at := slices.IndexFunc(r.Tools, func(tool string) bool { return strings.EqualFold(tool, name) }); at >= 0 {
			return r.Tools[at]
		}
	}
	return ""
}

func read(api API, h *http.Request, body []byte) (*Request, error) {
	r := &Request{API: api, Path: h.URL.Path, Header: h.Header.Clone(), Body: body}
	var tree map[string]any
	if err := json.Unmarshal(body, &tree); err != nil {
		return nil, err
	}
	var texts []string
	collect(tree, &texts)
	r.Text = strings.Join(texts, "\n")
	r.Stream, _ = tree["stream"].(bool)
	r.Model, _ = tree["model"].(string)
	if api == Gemini {
		r.Stream = strings.HasSuffix(h.URL.Path, ":streamGenerateContent")
		model := h.URL.Path[strings.LastIndexByte(h.URL.Path, '/')+1:]
		r.Model, _, _ = strings.Cut(model, ":")
	}
	r.offered(tree["tools"])
	r.conversation(tree)
	return r, nil
}

// collect gathers all texts below a value, in the order of keys.
func collect(value any, to *[]string) {
	switch v := value.(type) {
	case string:
		*to = append(*to, v)
	case []any:
		for _, item := range v {
			collect(item, to)
		}
	case map[string]any:
		keys := make([]string, 0, len(v))
		for key := range v {
			keys = append(keys, key)
		}
		slices.Sort(keys)
		for _, key := range keys {
			collect(v[key], to)
		}
	}
}

// offered reads the names of tools.
func (r *Request) offered(tools any) {
	list, _ := tools.([]any)
	for _, tool := range list {
		object, _ := tool.(map[string]any)
		if object["type"] == "namespace" {
			from := len(r.Tools)
			r.offered(object["tools"])
			for _, name := range r.Tools[from:] {
				if r.Spaces == nil {
					r.Spaces = map[string]string{}
				}
				r.Spaces[name], _ = object["name"].(string)
			}
			continue
		}
		for _, nested := range []string{"functionDeclarations", "function_declarations"} {
			r.offered(object[nested])
		}
		name, _ := object["name"].(string)
		if function, ok := object["function"].(map[string]any); ok {
			name, _ = function["name"].(string)
		}
		if name == "" {
			continue
		}
		r.Tools = append(r.Tools, name)
		r.takes(name, object)
		if object["type"] == "custom" {
			r.Custom = append(r.Custom, name)
		}
	}
}

// takes reads the names of a tool's arguments.
func (r *Request) takes(name string, tool map[string]any) {
	if function, ok := tool["function"].(map[string]any); ok {
		tool = function
	}
	for _, key := range []string{"input_schema", "parameters", "parametersJsonSchema"} {
		schema, _ := tool[key].(map[string]any)
		properties, _ := schema["properties"].(map[string]any)
		if len(properties) > 0 {
			if r.Takes == nil {
				r.Takes = map[string][]string{}
			}
			r.Takes[name] = slices.Sorted(maps.Keys(properties))
		}
	}
}

// conversation counts what the model has said, and takes the results that came last.
func (r *Request) conversation(tree map[string]any) {
	list, _ := tree[map[API]string{Messages: "messages", Chat: "messages", Responses: "input", Gemini: "contents"}[r.API]].([]any)
	for _, entry := range list {
		message, _ := entry.(map[string]any)
		role, _ := message["role"].(string)
		kind, _ := message["type"].(string)
		switch {
		case role == "assistant" || role == "model" || strings.HasSuffix(kind, "_call") && kind != "":
			r.Said++
			r.Results = nil
		case role == "tool" || strings.HasSuffix(kind, "_output"):
			r.result(message)
		default:
			r.results(message)
		}
	}
}

// results takes the results of tools that stand inside of a user's message.
func (r *Request) results(message map[string]any) {
	for _, key := range []string{"content", "parts"} {
		parts, _ := message[key].([]any)
		for _, part := range parts {
			object, _ := part.(map[string]any)
			if object["type"] == "tool_result" || object["functionResponse"] != nil {
				r.result(object)
			}
		}
	}
}

func (r *Request) result(of any) {
	r.Results = append(r.Results, below(of))
	r.Ran++
}

func below(value any) string {
	var texts []string
	collect(value, &texts)
	return strings.Join(texts, "\n")
}
