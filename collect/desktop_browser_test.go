//go:build desktop && linux

package collect_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
)

// pages serves two pages with a password and returns their addresses.
func (s *session) pages() (first, second string) {
	s.t.Helper()
	page := func(title string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprintf(w, "<!doctype html><title>%s</title><main><h1>Widgets</h1><p>Some <b>bold</b> words</p>"+
				"<form><input value=abc><input type=password value=geheim autofocus></form><div contenteditable>write here</div></main>", title)
		}
	}
	mux := http.NewServeMux()
	mux.Handle("/one", page("Page one"))
	mux.Handle("/two", page("Page two"))
	mux.HandleFunc("/login", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "<!doctype html><title>Tom &amp; Jerry</title><p>shown</p><iframe srcdoc=\"<input type=password value=geheim>\"></iframe>"+
			"<template><input type=password value=geheim></template><noscript><input type=password value=geheim></noscript>")
	})
	mux.HandleFunc("/large", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, "<!doctype html><title>Large</title><!--%s--><p>large</p>", strings.Repeat("0123456789abcdef", 5<<16))
	})
	server := httptest.NewServer(mux)
	s.t.Cleanup(server.Close)
	base := strings.Replace(server.URL, "127.0.0.1", "localhost", 1)
	return base + "/one", base + "/two"
}

func (s *session) showsTab(address, title string, act func()) {
	s.t.Helper()
	last := ""
	defer func() {
		if s.t.Failed() {
			s.t.Logf("last seen: %s", last)
		}
	}()
	act = seldom(act)
	s.until(title+" in the browser", func() bool {
		act()
		v := s.look("extra.browser")
		last = v.raw
		return v.text("extra", "browser", "active_tab", "url") == address && v.text("extra", "browser", "active_tab", "title") == title
	})
}

func (s *session) chromium(args ...string) *app {
	s.t.Helper()
	need(s.t, "chromium")
	s.accessible()
	return s.start("chromium", append([]string{
		"--no-sandbox", "--no-first-run", "--no-default-browser-check", "--disable-gpu", "--disable-background-networking", "--user-data-dir=" + tempDir(s.t),
	}, args...)...)
}

func chromiumPort(s *session, _, _ string) {
	first, second := s.pages()
	defer s.chromium("--remote-debugging-port=0", first, second).end()
	s.showsTab(first, "Page one", func() {})
	v := s.sees("the tab over the port", "extra.browser", func(v seen) bool { return v.Parts[0].Provider == "browser.devtools" })
	if v.at("extra", "browser", "active_tab", "html") != nil {
		s.t.Errorf("without being asked for the page: %s", v.raw)
	}
	s.fact(v, "extra.browser.active_tab.url", quoted(first))
	s.fact(v, "extra.browser.active_tab.title", `"Page one"`)
	s.fact(v, "extra.browser.active_tab.domain", `"localhost"`)
	s.until("the page itself", func() bool {
		v = s.look("extra.browser.active_tab.html")
		return v.at("extra", "browser", "active_tab", "html") != nil
	})
	html := v.text("extra", "browser", "active_tab", "html")
	if !strings.Contains(html, "Some <b>bold</b> words") || strings.Contains(html, "geheim") {
		s.t.Errorf("the page is %s", html)
	}
	s.fact(v, "extra.browser.active_tab.html", quoted(html))
	s.showsTab(second, "Page two", func() { s.keys("ctrl+2") })
	login := strings.Replace(second, "/two", "/login", 1)
	named := strings.Replace(login, "http://", "http://bob:s3cr3t@", 1)
	s.showsTab(login, "Tom & Jerry", func() { s.visit(named) }) // as the window says it
	s.sees("the address over the port", "extra.browser", func(v seen) bool { return v.Parts[0].Provider == "browser.devtools" })
	s.until("the page with frames", func() bool {
		html = s.look("extra.browser.active_tab.html").text("extra", "browser", "active_tab", "html")
		if strings.Contains(html, "geheim") {
			s.t.Fatalf("a password was told: %s", html)
		}
		return strings.Contains(html, "<p>shown</p>")
	})
	large := strings.Replace(second, "/two", "/large", 1)
	s.showsTab(large, "Large", func() { s.visit(large) })
	s.until("no page that is too large", func() bool {
		v := s.look("extra.browser.active_tab.html")
		return v.at("extra", "browser", "active_tab", "html") == nil && strings.Contains(v.raw, "larger than what is read")
	})
}

// visit types an address into the browser in front.
func (s *session) visit(address string) {
	s.keys("ctrl+l")
	s.user("type", "--clearmodifiers", address)
	s.keys("Return")
}

func chromiumAccessible(s *session, _, _ string) {
	first, second := s.pages()
	defer s.chromium(first, second).end()
	s.showsTab(first, "Page one", func() {})
	if v := s.look("extra.browser"); v.Parts[0].Provider != "linux.browser" {
		s.t.Errorf("the provider is %s", v.Parts[0].Provider)
	}
	s.readsPage()
	s.sees("how the page itself could be read", "extra.browser.active_tab.html", func(v seen) bool { return strings.Contains(v.raw, "--remote-debugging-port") })
	s.showsTab(second, "Page two", func() { s.keys("ctrl+2") })
}

// readsPage checks the tree of a page: its words are there, what can be
// edited is a TextEdit, and its password is never there.
func (s *session) readsPage() {
	s.t.Helper()
	s.until("the page's text", func() bool { // and no other, for which there may be no time
		page := s.output(s.program, "query", "//Document/@text", "--show-values", "--json")
		if strings.Contains(page, "geheim") || strings.Contains(page, "••••") {
			s.t.Fatal("a password was read")
		}
		return strings.Contains(page, "Widgets") && strings.Contains(page, "Some bold words")
	})
	s.until("the password's field", func() bool {
		v := s.look("visual")
		password := false
		v.each(func(e map[string]any) {
			for _, state := range asList(e["states"]) {
				if state == "password" {
					password = e["text"] == nil
				}
			}
		})
		if strings.Contains(v.raw, "geheim") || strings.Contains(v.raw, "••••") {
			s.t.Fatal("a password was read")
		}
		return password
	})
	s.sees("what can be edited in the page", "visual", func(v seen) bool {
		editable := false
		v.each(func(e map[string]any) {
			if e["type"] != "TextEdit" {
				return
			}
			editable = editable || strings.TrimSpace(fmt.Sprint(e["text"])) == "write here"
			for _, inner := range asList(e["children"]) { // texts are read last, and may come too late
				words, _ := inner.(map[string]any)
				editable = editable || words["name"] == "write here"
			}
		})
		return editable
	})
}

func asList(v any) []any {
	list, _ := v.([]any)
	return list
}

func firefox(s *session, _, _ string) {
	need(s.t, "firefox-esr")
	s.accessible()
	first, second := s.pages()
	defer s.startFirefox(first, second).end()
	s.showsTab(first, "Page one", func() { s.keys("alt+1") })
	s.readsPage()
	s.showsTab(second, "Page two", func() { s.keys("alt+2") })
}

// startFirefox starts it with a profile of its own.
func (s *session) startFirefox(addresses ...string) *app {
	s.t.Helper()
	profile := tempDir(s.t)
	var prefs strings.Builder
	for name, value := range map[string]string{
		"browser.shell.checkDefaultBrowser": "false", "browser.startup.homepage_override.mstone": `"ignore"`, "datareporting.policy.dataSubmissionEnabled": "false",
		"browser.aboutwelcome.enabled": "false", "termsofuse.bypassNotification": "true", "app.update.enabled": "false",
	} {
		prefs.WriteString("user_pref(\"" + name + "\", " + value + ");\n")
	}
	write(s.t, filepath.Join(profile, "user.js"), prefs.String())
	return s.start("firefox-esr", append([]string{"--no-remote", "--profile", profile}, addresses...)...)
}

func watch(s *session, _, notes string) {
	dir := s.strategies()
	a := s.start(s.program, "match", "--watch", "--json", "--no-builtin", "--strategies", dir)
	defer a.end()
	defer func() {
		if s.t.Failed() {
			s.t.Logf("it said: %s", a.output())
		}
	}()
	saw := func(want string) func() bool {
		return func() bool {
			lines := strings.Split(strings.TrimSpace(a.output()), "\n")
			last := lines[len(lines)-1]
			return last != "" && strings.HasPrefix(last, "{") && strings.Join(matchedIDs(s.t, last), " ") == want
		}
	}
	s.feed("fine", "xclip", "-selection", "clipboard")
	s.until("nothing but the assistant", saw("assistant"))
	e := s.start("mousepad", "--disable-server", notes)
	defer e.end()
	s.until("the editor", saw("assistant editor title todo"))
	s.feed("an error", "xclip", "-selection", "clipboard")
	s.until("the clipboard", saw("assistant clipboard editor title todo"))
	s.until("the selection", func() bool {
		s.keys("ctrl+a")
		return saw("assistant clipboard editor selection title todo")()
	})
	e.end()
	s.until("the empty desktop again", saw("assistant clipboard"))
}
