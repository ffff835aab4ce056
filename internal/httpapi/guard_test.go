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
		{"cross site, agents", "POST", "/mcp", all(header("Origin", "https://attacker.example")), 403},
		{"preflight", "OPTIONS", "/api/v1/match", all(noToken, header("Origin", "https://attacker.example"), header("Access-Control-Request-Method", "POST")), 403},

		{"followed link", "GET", "/", all(noToken, header("Sec-Fetch-Site", "cross-site"), header("Sec-Fetch-Mode", "navigate"), header("Sec-Fetch-Dest", "document")), 200},
		{"page", "GET", "/", all(noToken), 200},
		{"health", "GET", "/healthz", all(noToken), 200},
		{"posting to the page", "POST", "/", all(noToken), 401},

		{"listing", "GET", "/assets/", nil, 404},
		{"out of the page", "GET", "/assets/../../server.go", nil, 404},
		{"out of the page, encoded", "GET", "/assets/%2e%2e/%2e%2e/server.go", nil, 404},
		{"nothing", "GET", "/api/v2/match", nil, 404},
		{"wrong method", "DELETE", "/api/v1/match", nil, 404},
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
