//go:build desktop && linux

package collect_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"

	"github.com/godbus/dbus/v5"
)

// openly are settings with which even private windows are read: what these tests
// look for could be told.
const openly = "private: {defaults: false}\n"

// hides checks that something is told openly, and by default never.
func (s *session) hides(what string, told func() bool, secrets ...string) {
	s.t.Helper()
	s.config(openly)
	s.until(what+" without the defaults", told)
	s.config("")
	s.feed("copied there", "xclip", "-selection", "clipboard")
	s.neverSays(what, append(secrets, "copied there")...)
	s.until("why "+what+" is not told", func() bool { return strings.Contains(s.look("clipboard.text").raw, "never read") })
}

// firefoxPrivate: Firefox says it in the title.
func firefoxPrivate(s *session, _, _ string) {
	need(s.t, "firefox-esr")
	s.accessible()
	first, _ := s.pages()
	defer s.startFirefox("--private-window", first).end()
	s.fronts("Private Browsing", func() {})
	s.hides("Firefox's private window", func() bool {
		return s.look("extra.browser").text("extra", "browser", "active_tab", "url") == first
	}, "Page one", first)
}

// chromiumPrivate: Chromium says it by the name of the window on the
// accessibility bus, and over its debugging port by where the page belongs.
// Beside it the same browser's other windows are read.
func chromiumPrivate(s *session, _, _ string) {
	first, second := s.pages()
	for _, port := range []string{"--remote-debugging-port=0", "--no-pings"} {
		a := s.chromium(port, first)
		s.showsTab(first, "Page one", func() {})
		s.privateTab(second)
		s.hides("an incognito window, "+port, func() bool {
			return s.look("extra.browser").text("extra", "browser", "active_tab", "url") == second
		}, "Page two", second)
		s.input.close(s.input.front())
		s.fronts("Page one", func() {})
		s.showsTab(first, "Page one", func() {})
		a.end()
	}
}

// privateTab opens a page in an incognito window, which has no page yet when it
// comes to the front.
func (s *session) privateTab(address string) {
	s.t.Helper()
	s.fronts("New Incognito Tab", func() { s.keys("ctrl+shift+n") })
	s.fronts("Page two", func() { s.visit(address) })
}

// untoldPrivate: over the debugging port a Chromium tells it even where it is not
// on the accessibility bus.
func untoldPrivate(s *session, _, _ string) {
	need(s.t, "chromium")
	first, second := s.pages()
	conn, err := dbus.Connect(s.bus)
	if err != nil {
		s.t.Fatal(err)
	}
	defer conn.Close()
	defer s.accessible()
	if err := conn.Object("org.a11y.Bus", "/org/a11y/bus").Call("org.freedesktop.DBus.Properties.Set", 0, "org.a11y.Status", "IsEnabled", dbus.MakeVariant(false)).Err; err != nil {
		s.t.Fatal(err)
	}
	defer s.start("chromium", "--no-sandbox", "--no-first-run", "--no-default-browser-check", "--disable-gpu", "--disable-background-networking",
		"--user-data-dir="+tempDir(s.t), "--remote-debugging-port=0", first).end()
	s.showsTab(first, "Page one", func() {})
	s.privateTab(second)
	s.config(openly)
	s.showsTab(second, "Page two", func() {})
	s.config("")
	s.neverSays("an incognito window that is not on the bus", second)
}

// epiphanyPrivate: Epiphany says it by its arguments alone.
func epiphanyPrivate(s *session, _, _ string) {
	need(s.t, "epiphany-browser")
	s.accessible()
	first, _ := s.pages()
	cmd := s.command("epiphany-browser", "--incognito-mode", first)
	cmd.Env = append(append([]string{}, s.env...), "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS=1", "WEBKIT_DISABLE_COMPOSITING_MODE=1")
	defer s.run(cmd).end()
	s.fronts("Page one", func() {})
	s.hides("Epiphany's incognito window", func() bool { return strings.Contains(s.look("visual").raw, "Page one") }, "Page one", first)
}

// passwordManager: a password that KeePassXC shows is not read.
func passwordManager(s *session, _, _ string) {
	need(s.t, "keepassxc")
	need(s.t, "keepassxc-cli")
	s.accessible()
	dir := tempDir(s.t)
	vault, key := filepath.Join(dir, "vault.kdbx"), filepath.Join(dir, "key")
	s.output("keepassxc-cli", "db-create", "-q", "--set-key-file", key, vault)
	s.feed("open-sesame-77\n", "keepassxc-cli", "add", "-q", "--no-password", "-k", key, "-p", "-u", "alibaba", vault, "Cave")
	cmd := s.command("keepassxc", "--keyfile", key, vault)
	cmd.Env = append(append([]string{}, s.env...), "QT_LINUX_ACCESSIBILITY_ALWAYS_ON=1", "QT_ACCESSIBILITY=1")
	defer s.run(cmd).end()
	s.fronts("KeePassXC", func() {})
	open := seldom(func() { s.keys("Return") }) // the key file is enough to open it
	s.until("the open vault", func() bool {
		title := s.front()
		if strings.Contains(title, "[Locked]") { // Return in the open vault would show something else
			open()
		}
		return strings.Contains(title, "KeePassXC") && !strings.Contains(title, "[Locked]")
	})
	s.hides("a password manager", func() bool { return strings.Contains(s.look("visual").raw, "alibaba") }, "alibaba", "Cave", "vault", "open-sesame")
}

// posingPage: a page in the background that says of itself that it shows and has
// the keyboard is not told for the one that does.
func posingPage(s *session, _, _ string) {
	mux := http.NewServeMux()
	mux.HandleFunc("/real", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "<!doctype html><title>Same</title><p>the real one")
	})
	mux.HandleFunc("/pose", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `<!doctype html><title>Same</title><p>a liar<script>
			Object.defineProperty(Document.prototype, 'visibilityState', {get: () => 'visible'});
			Object.defineProperty(document, 'visibilityState', {get: () => 'visible'});
			Document.prototype.hasFocus = document.hasFocus = () => true;
			Node.prototype.cloneNode = () => ({querySelectorAll: () => [], outerHTML: 'a lie'});
		</script>`)
	})
	server := httptest.NewServer(mux)
	s.t.Cleanup(server.Close)
	base := strings.Replace(server.URL, "127.0.0.1", "localhost", 1)
	defer s.chromium("--remote-debugging-port=0", base+"/real", base+"/pose").end()
	s.showsTab(base+"/real", "Same", func() {})
	s.showsTab(base+"/pose", "Same", func() { s.keys("ctrl+2") })
	s.until("the page itself", func() bool {
		html := s.look("extra.browser.active_tab.html").text("extra", "browser", "active_tab", "html")
		if strings.Contains(html, "a lie") && !strings.Contains(html, "a liar") {
			s.t.Fatal("the page wrote what was read of it")
		}
		return strings.Contains(html, "a liar")
	})
	s.showsTab(base+"/real", "Same", func() { s.keys("ctrl+1") })
	for range 10 {
		v := s.look("extra.browser")
		got := v.text("extra", "browser", "active_tab", "url")
		if got == "" && strings.Contains(v.raw, "extra.provider_timeout") {
			continue // nothing is told, and why
		}
		if got != base+"/real" {
			s.t.Fatalf("told is %q: %s", got, v.raw)
		}
	}
}
