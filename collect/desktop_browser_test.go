//go:build desktop && linux

package collect_test

import (
	"path/filepath"
	"strings"
)

// page writes a page with a password and returns its address.
func (s *session) page(name, title string) string {
	path := filepath.Join(s.home, name)
	write(s.t, path, "<!doctype html><title>"+title+"</title><main><h1>Widgets</h1><p>Some <b>bold</b> words</p>"+
		"<form><input value=abc><input type=password value=geheim autofocus></form></main>")
	return "file://" + path
}

func (s *session) showsTab(address, title string, act func()) {
	s.t.Helper()
	last := ""
	defer func() {
		if s.t.Failed() {
			s.t.Logf("last seen: %s", last)
		}
	}()
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
	first, second := s.page("one.html", "Page one"), s.page("two.html", "Page two")
	defer s.chromium("--remote-debugging-port=0", first, second).end()
	s.showsTab(first, "Page one", func() {})
	if v := s.look("extra.browser"); v.Parts[0].Provider != "browser.devtools" {
		s.t.Errorf("the provider is %s", v.Parts[0].Provider)
	}
	s.showsTab(second, "Page two", func() { s.keys("ctrl+2") })
}

func chromiumAccessible(s *session, _, _ string) {
	first, second := s.page("one.html", "Page one"), s.page("two.html", "Page two")
	defer s.chromium(first, second).end()
	s.showsTab(first, "Page one", func() {})
	if v := s.look("extra.browser"); v.Parts[0].Provider != "linux.browser" {
		s.t.Errorf("the provider is %s", v.Parts[0].Provider)
	}
	s.readsPage()
	s.showsTab(second, "Page two", func() { s.keys("ctrl+2") })
}

// readsPage checks the tree of a page: its words are there, its password never.
func (s *session) readsPage() {
	s.t.Helper()
	s.until("the page's text", func() bool {
		v := s.look("visual")
		page, password := "", false
		v.each(func(e map[string]any) {
			if e["type"] == "Document" {
				page, _ = e["text"].(string)
			}
			for _, state := range asList(e["states"]) {
				if state == "password" {
					password = e["text"] == nil
				}
			}
		})
		if strings.Contains(v.raw, "geheim") || strings.Contains(v.raw, "••••") {
			s.t.Fatal("a password was read")
		}
		return strings.Contains(page, "Widgets") && strings.Contains(page, "Some bold words") && password
	})
}

func asList(v any) []any {
	list, _ := v.([]any)
	return list
}

func firefox(s *session, _, _ string) {
	need(s.t, "firefox-esr")
	s.accessible()
	profile := tempDir(s.t)
	var prefs strings.Builder
	for name, value := range map[string]string{
		"browser.shell.checkDefaultBrowser": "false", "browser.startup.homepage_override.mstone": `"ignore"`, "datareporting.policy.dataSubmissionEnabled": "false",
		"browser.aboutwelcome.enabled": "false", "termsofuse.bypassNotification": "true", "app.update.enabled": "false",
	} {
		prefs.WriteString("user_pref(\"" + name + "\", " + value + ");\n")
	}
	write(s.t, filepath.Join(profile, "user.js"), prefs.String())
	first, second := s.page("one.html", "Page one"), s.page("two.html", "Page two")
	defer s.start("firefox-esr", "--no-remote", "--profile", profile, first, second).end()
	s.showsTab(first, "Page one", func() { s.keys("alt+1") })
	s.readsPage()
	s.showsTab(second, "Page two", func() { s.keys("alt+2") })
}

func watch(s *session, _, notes string) {
	dir := s.strategies()
	a := s.start(s.program, "match", "--watch", "--json", "--no-builtin", "--strategies", dir)
	defer a.end()
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
