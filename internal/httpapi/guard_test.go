package httpapi_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/httpapi"
)

// TestGuard is the table of who gets an answer: a program with the token, the
// page, and nobody else.
func TestGuard(t *testing.T) {
	s := serve(t, httpapi.Options{Hosts: []string{"Workstation.local"}})
	noToken := func(r *http.Request) { r.Header.Del("Authorization") }
	all := func(list ...func(*http.Request)) []func(*http.Request) { return list }
	for _, c := range []struct {
		name, method, path string
		change             []func(*http.Request)
		want               int
	}{
		{"token", "GET", "/api/v1/match", nil, 200},
		{"localhost", "GET", "/api/v1/match", all(host("localhost:PORT")), 200},
		{"loopback of version 6", "GET", "/api/v1/match", all(host("[::1]:PORT")), 200},
		{"loopback of version 6, no port", "GET", "/api/v1/match", all(host("[::1]")), 200},
		{"loopback of version 4 in 6", "GET", "/api/v1/match", all(host("[::ffff:127.0.0.1]:PORT")), 200},
		{"another loopback address", "GET", "/api/v1/match", all(host("127.8.9.1:PORT")), 200},
		{"localhost with the root's dot", "GET", "/api/v1/match", all(host("localhost.:PORT")), 200},
		{"localhost in capitals", "GET", "/api/v1/match", all(host("LOCALHOST:PORT")), 200},
		{"localhost by a forwarded port", "GET", "/api/v1/match", all(host("localhost:1")), 200},
		{"named host with the root's dot", "GET", "/api/v1/match", all(host("workstation.local.:PORT")), 200},
		{"same origin of version 6", "GET", "/api/v1/match", all(host("[::1]:PORT"), header("Origin", strings.Replace(s.url, "127.0.0.1", "[::1]", 1))), 200},
		{"named host", "GET", "/api/v1/match", all(host("workstation.LOCAL:PORT")), 200},
		{"same origin", "GET", "/api/v1/match", all(header("Origin", s.url), header("Sec-Fetch-Site", "same-origin")), 200},

		{"no token", "GET", "/api/v1/match", all(noToken), 401},
		{"empty token", "GET", "/api/v1/match", all(header("Authorization", "Bearer ")), 401},
		{"part of the token", "GET", "/api/v1/match", all(header("Authorization", "Bearer "+token[:8])), 401},
		{"more than the token", "GET", "/api/v1/match", all(header("Authorization", "Bearer "+token+"x")), 401},
		{"another scheme", "GET", "/api/v1/match", all(header("Authorization", "Basic "+token)), 401},
		{"token in the query", "GET", "/api/v1/match?token=" + token, all(noToken), 401},
		{"token in a cookie", "GET", "/api/v1/match", all(noToken, header("Cookie", "token="+token)), 401},
		{"metrics without token", "GET", "/metrics", all(noToken), 401},
		{"events without token", "GET", "/api/v1/events", all(noToken), 401},
		{"agents without token", "POST", "/mcp", all(noToken), 401},
		{"unknown without token", "GET", "/nothing", all(noToken), 401},

		{"rebound name", "GET", "/api/v1/match", all(host("attacker.example:PORT")), 421},
		{"rebound name, page", "GET", "/", all(host("attacker.example:PORT"), noToken), 421},
		{"rebound name, health", "GET", "/healthz", all(host("attacker.example"), noToken), 421},
		{"name that begins right", "GET", "/api/v1/match", all(host("localhost.attacker.example:PORT")), 421},
		{"name that ends right", "GET", "/api/v1/match", all(host("xlocalhost:PORT")), 421},
		{"loopback in a name", "GET", "/api/v1/match", all(host("127.0.0.1.attacker.example:PORT")), 421},
		{"rebound name with the root's dot", "GET", "/api/v1/match", all(host("attacker.example.:PORT")), 421},
		{"port with a name", "GET", "/api/v1/match", all(host("127.0.0.1:PORT.attacker.example")), 421},
		{"port of letters", "GET", "/api/v1/match", all(host("localhost:abc")), 421},
		{"half a bracket", "GET", "/api/v1/match", all(host("[::1")), 421},
		{"a second origin", "GET", "/api/v1/match", all(header("Origin", s.url), func(r *http.Request) { r.Header.Add("Origin", "https://attacker.example") }), 403},
		{"two dots", "GET", "/api/v1/match", all(host("localhost..:PORT")), 421},
		{"user in the name", "GET", "/api/v1/match", all(host("localhost@attacker.example")), 421},
		{"other address of version 6", "GET", "/api/v1/match", all(host("[fe80::1]:PORT")), 421},
		{"number for an address", "GET", "/api/v1/match", all(host("2130706433:PORT")), 421},
		{"origin of another loopback", "GET", "/api/v1/match", all(header("Origin", strings.Replace(s.url, "127.0.0.1", "localhost", 1))), 403},
		{"other address", "GET", "/api/v1/match", all(host("192.168.0.1:PORT")), 421},
		{"all addresses", "GET", "/api/v1/match", all(host("0.0.0.0:PORT")), 421},

		{"foreign origin", "POST", "/api/v1/match", all(header("Origin", "https://attacker.example")), 403},
		{"foreign origin, reading", "GET", "/api/v1/match", all(header("Origin", "https://attacker.example")), 403},
		{"no origin of its own", "GET", "/api/v1/match", all(header("Origin", "null")), 403},
		{"other port", "GET", "/api/v1/match", all(header("Origin", "http://127.0.0.1:1")), 403},
		{"cross site", "POST", "/api/v1/match", all(header("Sec-Fetch-Site", "cross-site")), 403},
		{"same site", "POST", "/api/v1/match", all(header("Sec-Fetch-Site", "same-site")), 403},
		{"cross site, embedded script", "GET", "/assets/index.js", all(noToken, header("Sec-Fetch-Site", "cross-site"), header("Sec-Fetch-Mode", "no-cors"), header("Sec-Fetch-Dest", "script")), 403},
		{"cross site, frame", "GET", "/", all(noToken, header("Sec-Fetch-Site", "cross-site"), header("Sec-Fetch-Mode", "navigate"), header("Sec-Fetch-Dest", "iframe")), 403},
		{"asking without token", "POST", "/api/v1/ask", all(noToken), 401},
		{"cross site, asking", "POST", "/api/v1/ask", all(header("Origin", "https://attacker.example")), 403},
		{"same site, asking", "POST", "/api/v1/ask", all(header("Sec-Fetch-Site", "same-site")), 403},
		{"rebound name, asking", "POST", "/api/v1/ask", all(host("attacker.example:PORT")), 421},
		{"a form, asking", "POST", "/api/v1/ask", all(header("Content-Type", "text/plain")), 415},
		{"asking by a link", "GET", "/api/v1/ask?id=user.rewrite", nil, 400},
		{"cross site, agents", "POST", "/mcp", all(header("Origin", "https://attacker.example")), 403},
		{"preflight", "OPTIONS", "/api/v1/match", all(noToken, header("Origin", "https://attacker.example"), header("Access-Control-Request-Method", "POST")), 403},

		{"followed link", "GET", "/", all(noToken, header("Sec-Fetch-Site", "cross-site"), header("Sec-Fetch-Mode", "navigate"), header("Sec-Fetch-Dest", "document")), 200},
		{"followed link, old browser", "GET", "/", all(noToken, header("Sec-Fetch-Site", "cross-site"), header("Sec-Fetch-Mode", "navigate")), 200},
		{"followed link to the API", "GET", "/api/v1/match", all(header("Sec-Fetch-Site", "cross-site"), header("Sec-Fetch-Mode", "navigate"), header("Sec-Fetch-Dest", "document")), 403},
		{"page", "GET", "/", all(noToken), 200},
		{"health", "GET", "/healthz", all(noToken), 200},
		{"posting to the page", "POST", "/", all(noToken), 401},

		{"listing", "GET", "/assets/", nil, 404},
		{"out of the page", "GET", "/assets/../../server.go", nil, 404},
		{"out of the page, encoded", "GET", "/assets/%2e%2e/%2e%2e/server.go", nil, 404},
		{"nothing", "GET", "/api/v2/match", nil, 404},
		{"wrong method", "DELETE", "/api/v1/match", nil, 405},
		{"wrong method without token", "DELETE", "/api/v1/match", all(noToken), 401},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, body := s.ask(t, c.method, c.path, "", c.change...)
			if got != c.want {
				t.Errorf("got %d, want %d: %s", got, c.want, body)
			}
			if got >= 400 && decode(t, body)["error"] == nil {
				t.Errorf("no error in %s", body)
			}
		})
	}
	if logs := s.logs.String(); strings.Contains(logs, token) || strings.Contains(logs, "attacker") {
		t.Errorf("the log holds the token or what a client sent:\n%s", logs)
	}
}

// TestMethods holds that a wrong method is told from a wrong address, with those
// that are right (RFC 9110 §15.5.6), and that a missing token is asked for (§15.5.2).
func TestMethods(t *testing.T) {
	s := serve(t, httpapi.Options{})
	for _, c := range []struct {
		method, path, token string
		status              int
		header, want        string
	}{
		{"DELETE", "/api/v1/match", token, 405, "Allow", "GET, HEAD, POST"},
		{"GET", "/api/v1/run", token, 405, "Allow", "POST"},
		{"OPTIONS", "/api/v1/rules", token, 405, "Allow", "GET, HEAD"},
		{"POST", "/api/v1/events", token, 405, "Allow", "GET, HEAD"},
		{"PUT", "/metrics", token, 405, "Allow", "GET, HEAD"},
		{"POST", "/healthz", token, 405, "Allow", "GET, HEAD"},
		{"POST", "/", token, 405, "Allow", "GET, HEAD"},
		{"POST", "/assets/index.js", token, 405, "Allow", "GET, HEAD"},
		{"DELETE", "/nothing", token, 404, "Allow", ""},
		{"GET", "/api/v1/match", "", 401, "WWW-Authenticate", `Bearer realm="pertain"`},
		{"GET", "/api/v1/match", token, 200, "WWW-Authenticate", ""},
	} {
		r, err := http.NewRequestWithContext(t.Context(), c.method, s.url+c.path, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+c.token)
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != c.status || response.Header.Get(c.header) != c.want {
			t.Errorf("%s %s: got %d, %s %q", c.method, c.path, response.StatusCode, c.header, response.Header.Get(c.header))
		}
	}
}

func TestHeaders(t *testing.T) {
	s := serve(t, httpapi.Options{})
	for _, path := range []string{"/", "/api/v1/match", "/nothing"} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+path, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
		r.Header.Set("Origin", s.url)
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		h := response.Header
		if !strings.Contains(h.Get("Content-Security-Policy"), "default-src 'none'") || !strings.Contains(h.Get("Content-Security-Policy"), "frame-ancestors 'none'") ||
			h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Referrer-Policy") != "no-referrer" || h.Get("Access-Control-Allow-Origin") != "" || h.Get("Set-Cookie") != "" {
			t.Errorf("%s: %v", path, h)
		}
	}
}
