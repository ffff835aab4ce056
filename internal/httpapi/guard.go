package httpapi

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"net"
	"net/http"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/internal/origin"
)

// NewToken makes a token that cannot be guessed: 256 random bits.
func NewToken() string {
	var b [32]byte
	_, _ = rand.Read(b[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// policy is what the page may do: load its own files, talk to its own server,
// and nothing else. Nothing may frame it.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types svelte-trusted-html"

// guard refuses what does not come from this machine's user before anything
// looks at it.
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		if err := s.refuse(r); err != nil {
			s.metrics.refused.Add(1, err.code)
			s.logger.Warn("request refused", "reason", err.code)
			if err.status == http.StatusUnauthorized {
				h.Set("WWW-Authenticate", `Bearer realm="pertain"`)
			}
			hurry(w, r)
			writeError(w, err)
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, s.limits.Body)
		next.ServeHTTP(w, r)
	})
}

// refuse says why a request is not answered, or nil.
func (s *Server) refuse(r *http.Request) *apiError {
	if !s.knownHost(r.Host) {
		return fail(http.StatusMisdirectedRequest, "wrong_host", "this server does not answer to that host name; use the address that `pertain serve` printed")
	}
	public := isPublic(r)
	if foreign(r, public) {
		return fail(http.StatusForbidden, "cross_site", "requests from other sites are not answered")
	}
	if !public && !s.hasToken(r) {
		return fail(http.StatusUnauthorized, "token", "send the token that `pertain serve` printed, as `Authorization: Bearer TOKEN`")
	}
	return nil
}

// isPublic tells whether an address holds nothing of the user's: the page's own
// files and the sign of life.
func isPublic(r *http.Request) bool {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return false
	}
	return r.URL.Path == "/" || r.URL.Path == "/healthz" || strings.HasPrefix(r.URL.Path, "/assets/")
}

// knownHost compares the Host header, which a browser takes from the address
// that the user, or an attacker's page, asked for.
func (s *Server) knownHost(host string) bool {
	name := host
	if h, port, err := net.SplitHostPort(host); err == nil {
		if port != "" && strings.Trim(port, "0123456789") != "" {
			return false
		}
		name = h
	} else if inner, ok := strings.CutPrefix(host, "["); ok {
		if name, ok = strings.CutSuffix(inner, "]"); !ok {
			return false
		}
	}
	name = strings.ToLower(name)
	name = strings.TrimSuffix(name, ".") // a name may be written with the root's dot
	if name == "localhost" || slices.Contains(s.options.Hosts, name) {
		return true
	}
	ip := net.ParseIP(name)
	return ip != nil && ip.IsLoopback()
}

// foreign tells whether a browser sent the request for another site. Following a
// link to the page is fine; that is all that another site can make happen.
func foreign(r *http.Request, public bool) bool {
	for _, sender := range r.Header.Values("Origin") {
		if sender != "" && !sameOrigin(sender, r) {
			return true
		}
	}
	return origin.CrossSite(r.Header, public)
}

func sameOrigin(sender string, r *http.Request) bool {
	return strings.EqualFold(sender, "http://"+r.Host) || strings.EqualFold(sender, "https://"+r.Host)
}

// hasToken compares without telling by its time how much was right.
func (s *Server) hasToken(r *http.Request) bool {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") || s.options.Token == "" {
		return false
	}
	return subtle.ConstantTimeCompare([]byte(strings.TrimSpace(token)), []byte(s.options.Token)) == 1
}
