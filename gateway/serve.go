package gateway

import (
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/pertain-dev/pertain/internal/origin"
)

// ServeHTTP answers an agent. Work that is needed only before an answer comes is done in functions that have returned by
// then, since the stack of this goroutine is most of the memory that a stream takes.
func (g *Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if x := g.admit(w, r); x != nil {
		defer x.holding.release()
		x.serve()
	}
}

// admit gives the exchange of a request that goes on to a model; nil: it was answered.
func (g *Gateway) admit(w http.ResponseWriter, r *http.Request) *exchange {
	name, path := workspacePath(r.URL.EscapedPath())
	to := g.route(r, plainPath(path))
	refuse := func(status int, code, why string) *exchange {
		g.seen.refused(code)
		fail(w, to.form, status, code, why)
		return nil
	}
	if code, why := g.refuses(r); code != "" {
		return refuse(http.StatusForbidden, code, why)
	}
	if strings.HasPrefix(r.URL.Path, "/pertain/") || r.URL.Path == "/pertain" || r.URL.Path == "/metrics" || r.URL.Path == "/healthz" {
		g.serveSeen(w, r)
		return nil
	}
	if wantsPage(r) {
		http.Redirect(w, r, "/pertain/", http.StatusFound)
		return nil
	}
	if climbs(r.URL.EscapedPath()) {
		return refuse(http.StatusBadRequest, "path", "the path has a segment `.` or `..`, perhaps escaped, which may lead out of the upstream's address; write the path without it")
	}
	workspace := g.options.Workspace(name)
	if workspace == nil {
		return refuse(http.StatusNotFound, "workspace", "there is no workspace of this name, or no such folder; the setting gateway.workspaces has their names and folders")
	}
	w.Header().Set("X-Pertain-Workspace", headerText(workspace.Dir))
	w.Header().Set("X-Pertain-Rules", strconv.Itoa(workspace.rules()))
	if r.Header.Get("Upgrade") != "" {
		return refuse(http.StatusUpgradeRequired, "upgrade", "this gateway speaks HTTP alone: ask again without Upgrade")
	}
	if to.nowhere {
		return refuse(http.StatusServiceUnavailable, "settings", "the settings have a mistake, so that nobody knows where this goes; mend the settings file, or name an address with --"+to.name)
	}
	return &exchange{gateway: g, workspace: workspace, to: to, path: path, w: w, r: r, holding: holding{of: g.held}}
}

// workspacePath takes /w/NAME off a path, which stays escaped.
func workspacePath(path string) (name, rest string) {
	below, ok := strings.CutPrefix(path, "/w/")
	if !ok {
		return "", path
	}
	name, rest, _ = strings.Cut(below, "/")
	if plain, err := url.PathUnescape(name); err == nil {
		name = plain
	}
	return name, "/" + rest
}

// plainPath is by what a path is routed: without escapes, doubled slashes and one at its
// end, which upstreams may not mind. It is sent on as it is.
func plainPath(path string) string {
	if plain, err := url.PathUnescape(path); err == nil {
		path = plain
	}
	parts := strings.FieldsFunc(path, func(r rune) bool { return r == '/' })
	return "/" + strings.Join(parts, "/")
}

// maxEscapes is how many times a path is unescaped to judge it: a server, and each proxy before it, may do so once.
const maxEscapes = 4

// climbs tells whether a path, which is escaped, has a segment that stands for a folder itself or the one above it, as any
// upstream may read it: with escapes, escaped ones too, with backslashes, with parameters after a semicolon. No API has such paths.
func climbs(path string) bool {
	for range maxEscapes {
		for segment := range strings.FieldsFuncSeq(path, func(r rune) bool { return r == '/' || r == '\\' }) {
			segment, _, _ = strings.Cut(segment, ";")
			if segment == "." || segment == ".." {
				return true
			}
		}
		plain := unescaped(path)
		if plain == path {
			return false
		}
		path = plain
	}
	return false
}

// unescaped takes the escapes off a path, once. What only looks like one stays.
func unescaped(path string) string {
	if !strings.Contains(path, "%") {
		return path
	}
	var b strings.Builder
	for i := 0; i < len(path); i++ {
		if path[i] == '%' && i+2 < len(path) {
			if c, err := strconv.ParseUint(path[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(c))
				i += 2
				continue
			}
		}
		b.WriteByte(path[i])
	}
	return b.String()
}

// headerText is a text that may stand in a header.
func headerText(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, text)
}

// refuses says why a request is not for this gateway: pages that a browser shows must
// not use it, nor others than those it is for.
func (g *Gateway) refuses(r *http.Request) (code, why string) {
	if len(r.Header.Values("Origin")) > 0 || origin.CrossSite(r.Header, isPublic(r)) {
		return "origin", "this gateway is for agents, and not for pages in a browser"
	}
	if !g.knows(r.Host) {
		return "host", "this gateway does not answer to that host name; name it with --host"
	}
	if len(g.options.Hosts) > 0 && r.URL.Path != "/healthz" && r.URL.Path != "/pertain/" {
		if subtle.ConstantTimeCompare([]byte(r.Header.Get("X-Pertain-Token")), []byte(g.options.Token)) != 1 || g.options.Token == "" {
			return "token", "show the token of this gateway as x-pertain-token"
		}
	}
	return "", ""
}

// isPublic tells whether an address holds nothing of the user's and sends nothing on: the page without what it shows, and
// what leads to it.
func isPublic(r *http.Request) bool {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return false
	}
	return r.URL.Path == "/pertain/" || r.URL.Path == "/pertain" || r.URL.Path == "/healthz" || wantsPage(r)
}

// wantsPage tells whether a person opens the address of the gateway.
func wantsPage(r *http.Request) bool {
	return r.URL.Path == "/" && r.Method == http.MethodGet && strings.Contains(r.Header.Get("Accept"), "text/html")
}

// knows tells whether a Host header names this gateway.
func (g *Gateway) knows(header string) bool {
	host := header
	if h, port, err := net.SplitHostPort(header); err == nil {
		if _, err := strconv.ParseUint(port, 10, 16); err != nil {
			return false
		}
		host = h
	}
	host = strings.ToLower(strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(host, "["), "]"), "."))
	if host == "localhost" || slices.Contains(g.options.Hosts, host) {
		return true
	}
	address, err := netip.ParseAddr(host)
	return err == nil && address.IsLoopback()
}
