package gateway

import (
	"net/http"
	"net/url"
	"strings"
)

// destination is where a request goes.
type destination struct {
	upstream Upstream
	api      api  // nil: the answer is not watched
	counts   api  // whose requests are sent here to be counted, or made shorter; nil: none
	form     form // of errors
	name     string
	nowhere  bool // nobody knows where it is
}

// The providers' own addresses.
const (
	anthropicURL = "https://api.anthropic.com"
	openAIURL    = "https://api.openai.com"
	geminiURL    = "https://generativelanguage.googleapis.com"
	// Where Codex goes that is logged in by ChatGPT: an API key's address refuses that.
	chatGPTURL = "https://chatgpt.com/backend-api/codex"
)

// route finds where a request goes, by its path and, where several have it, by what
// agents of one provider alone send.
func (g *Gateway) route(r *http.Request, path string) destination {
	s := g.settings()
	anthropic := destination{upstream: s.Anthropic.or(anthropicURL), form: anthropicForm, name: "anthropic", nowhere: s.Uncertain && s.Anthropic.URL == nil}
	openAI := destination{upstream: s.OpenAI.or(openAIURL), form: openAIForm, name: "openai", nowhere: s.Uncertain && s.OpenAI.URL == nil}
	if s.OpenAI.URL == nil && r.Header.Get("Chatgpt-Account-Id") != "" {
		openAI.upstream = Upstream{Without: "/v1"}.or(chatGPTURL)
	}
	gemini := destination{upstream: s.Gemini.or(geminiURL), form: geminiForm, name: "gemini", nowhere: s.Uncertain && s.Gemini.URL == nil}
	post := r.Method == http.MethodPost
	with := func(d destination, a api) destination {
		if post {
			d.api = a
		}
		return d
	}
	counting := func(d destination, a api) destination {
		if post {
			d.counts = a
		}
		return d
	}
	_, method, _ := strings.Cut(path[strings.LastIndexByte(path, '/')+1:], ":")
	switch {
	case strings.HasSuffix(path, "/chat/completions"):
		return with(openAI, chatAPI{})
	case strings.HasSuffix(path, "/completions"):
		return with(openAI, completionsAPI{})
	case strings.HasSuffix(path, "/responses/input_tokens"), strings.HasSuffix(path, "/responses/compact"):
		return counting(openAI, responsesAPI{})
	case strings.HasSuffix(path, "/responses"):
		return with(openAI, responsesAPI{})
	case strings.HasSuffix(path, "/v1/messages"), strings.HasSuffix(path, "/messages") && strings.Count(path, "/") <= 2: // not those of OpenAI's threads
		return with(anthropic, messagesAPI{})
	case method == "generateContent" || method == "streamGenerateContent":
		return with(gemini, geminiAPI{})
	case method == "countTokens":
		return counting(gemini, geminiAPI{})
	case strings.HasPrefix(path, "/v1beta") || strings.HasPrefix(path, "/v1alpha") || strings.HasPrefix(path, "/upload/v1beta"):
		return gemini
	case strings.HasSuffix(path, "/messages/count_tokens"):
		return counting(anthropic, messagesAPI{})
	case strings.HasPrefix(path, "/v1/messages/"):
		return anthropic
	case r.Header.Get("Anthropic-Version") != "" || strings.HasPrefix(path, "/api/"):
		return anthropic
	case r.Header.Get("X-Goog-Api-Key") != "":
		return gemini
	case strings.HasPrefix(path, "/v1/"):
		return openAI
	case path == "/" && r.Method == http.MethodHead: // Claude Code asks whether anybody is there
		return anthropic
	}
	return openAI
}

// or gives the upstream at an address where none is set.
func (u Upstream) or(address string) Upstream {
	if u.URL == nil {
		u.URL, _ = url.Parse(address)
	}
	return u
}

// at is the address of a path, which is escaped. A version that both the upstream's own path and the
// request's have stands there once.
func (u Upstream) at(path, query string) *url.URL {
	if u.Without != "" {
		if rest, ok := strings.CutPrefix(path, u.Without); ok && strings.HasPrefix(rest, "/") {
			path = rest
		}
	}
	to := *u.URL
	prefix := strings.TrimRight(to.EscapedPath(), "/")
	for _, version := range []string{"/v1", "/v1beta"} {
		if strings.HasSuffix(prefix, version) && strings.HasPrefix(path, version+"/") {
			prefix = strings.TrimSuffix(prefix, version)
		}
	}
	to.RawPath, to.Fragment = prefix+path, ""
	if plain, err := url.PathUnescape(to.RawPath); err == nil {
		to.Path = plain
	}
	switch {
	case to.RawQuery == "":
		to.RawQuery = query
	case query != "":
		to.RawQuery += "&" + query
	}
	return &to
}

// hopByHop are headers that are about one connection.
var hopByHop = []string{
	"Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authorization", "Proxy-Connection", "Te", "Trailer", "Transfer-Encoding", "Upgrade",
}

// onward gives the headers of a request that are sent on.
func onward(h http.Header) http.Header {
	out := h.Clone()
	for _, list := range h.Values("Connection") {
		for name := range strings.SplitSeq(list, ",") {
			out.Del(strings.TrimSpace(name))
		}
	}
	for _, name := range hopByHop {
		out.Del(name)
	}
	for name := range out {
		if strings.HasPrefix(name, "X-Pertain-") {
			out.Del(name)
		}
	}
	out.Del("Content-Length")
	out.Set("Accept-Encoding", "identity") // what is compressed cannot be watched
	if _, ok := out["User-Agent"]; !ok {
		out["User-Agent"] = nil // none of our own
	}
	return out
}

// backward copies the headers of an answer to the client.
func backward(to, from http.Header) {
	dropped := map[string]bool{"Content-Length": true}
	for _, name := range hopByHop {
		dropped[name] = true
	}
	for _, list := range from.Values("Connection") {
		for name := range strings.SplitSeq(list, ",") {
			dropped[http.CanonicalHeaderKey(strings.TrimSpace(name))] = true
		}
	}
	if _, ok := from["Content-Type"]; !ok {
		to["Content-Type"] = nil // none of our own
	}
	for name, values := range from {
		if !dropped[name] && !strings.HasPrefix(name, "X-Pertain-") {
			to[name] = append([]string(nil), values...)
		}
	}
}
