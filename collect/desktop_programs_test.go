//go:build desktop && linux

package collect_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// sample is a program, what a user does in it, and what is to be told of it then.
type sample struct {
	name    string   // as in docs/desktop.md
	process string   // activeProcess.name
	command []string // {text} {words} {pdf} {sheet} {folder} {page} {profile} {short} {mail} {mailbox}: what it opens
	keys    []string // select what there is; none: the mouse, by a double click
	click   string   // the name of an element to click instead
	wants   string   // facts that it tells: elements selection tab files
	untold  string   // facts that it does not tell, for which there must be a reason
	text    string   // what is selected; "": all of the text
	hits    string   // a visual query that hits something then
	slow    bool     // it needs more time than collectors usually have
}

const programText = "first line\nTODO: second line\n"

var samples = []sample{
	{name: "Mousepad", process: "mousepad", command: []string{"mousepad", "--disable-server", "{text}"}, keys: []string{"ctrl+a"}, wants: "elements selection"},
	{name: "gedit", process: "gedit", command: []string{"gedit", "--standalone", "{text}"}, keys: []string{"ctrl+a"}, wants: "elements selection"},
	{name: "Pluma", process: "pluma", command: []string{"pluma", "{text}"}, keys: []string{"ctrl+a"}, wants: "elements selection"},
	{name: "GNOME Text Editor", process: "gnome-text-editor", command: []string{"gnome-text-editor", "--standalone", "{text}"}, keys: []string{"ctrl+a"}, wants: "elements selection", slow: true},
	{name: "Geany", process: "geany", command: []string{"geany", "-i", "{text}"}, keys: []string{"ctrl+a"}, wants: "elements selection"},
	{name: "L3afpad", process: "l3afpad", command: []string{"l3afpad", "{text}"}, keys: []string{"ctrl+a"}, wants: "elements selection"},
	{name: "Kate", process: "kate", command: []string{"kate", "-b", "{text}"}, keys: []string{"ctrl+a"}, wants: "elements selection", hits: "//TopLevel[contains(@name,' — Kate')]", slow: true},
	{name: "FeatherPad", process: "featherpad", command: []string{"featherpad", "--standalone", "{text}"}, keys: []string{"ctrl+a"}, wants: "elements selection", slow: true},
	{name: "Emacs", process: "emacs", command: []string{"emacs", "-Q", "{text}"}, keys: []string{"ctrl+x", "h"}, wants: "elements selection", slow: true},
	{name: "GVim", process: "vim", command: []string{"gvim", "-f", "{text}"}, keys: []string{"Escape", "g", "g", "shift+v", "shift+g"}, wants: "elements selection", slow: true},
	{name: "LibreOffice Writer", process: "soffice", command: []string{"soffice", "--norestore", "--nologo", "--writer", "{text}"}, keys: []string{"ctrl+a"}, wants: "elements", hits: "//TextEdit[contains(@text,'TODO')]", slow: true},
	{name: "LibreOffice Calc", process: "soffice", command: []string{"soffice", "--norestore", "--nologo", "--calc", "{sheet}"}, wants: "elements", untold: "selection", slow: true},
	{name: "Evince", process: "evince", command: []string{"evince", "{pdf}"}, keys: []string{"ctrl+a"}, wants: "elements selection", text: "Hello selected page"},
	{name: "Atril", process: "atril", command: []string{"atril", "{pdf}"}, keys: []string{"ctrl+a"}, wants: "elements selection", text: "Hello selected page"},
	{name: "xterm", process: "xterm", command: []string{"xterm", "-e", "cat {words}; sleep 999"}, wants: "selection", untold: "elements", text: "selectme"},
	{name: "Alacritty", process: "alacritty", command: []string{"alacritty", "-e", "sh", "-c", "cat {words}; sleep 999"}, wants: "selection", untold: "elements", text: "selectme"},
	{name: "Xfce Terminal", process: "xfce4-terminal", command: []string{"xfce4-terminal", "--disable-server", "--hide-menubar", "-x", "sh", "-c", "cat {words}; sleep 999"}, wants: "elements selection", text: "selectme"},
	{name: "LXTerminal", process: "lxterminal", command: []string{"lxterminal", "--no-remote", "-e", "sh -c 'cat {words}; sleep 999'"}, wants: "elements selection", text: "selectme"},
	{name: "MATE Terminal", process: "mate-terminal", command: []string{"mate-terminal", "--disable-factory", "--hide-menubar", "-x", "sh", "-c", "cat {words}; sleep 999"}, wants: "elements selection", text: "selectme"},
	{name: "QTerminal", process: "qterminal", command: []string{"qterminal", "-e", "sh -c 'cat {words}; sleep 999'"}, wants: "elements selection", text: "selectme", slow: true},
	{name: "Konsole", process: "konsole", command: []string{"konsole", "--hide-menubar", "--hide-tabbar", "-e", "sh", "-c", "cat {words}; sleep 999"}, wants: "elements selection", text: "selectme", slow: true},
	{name: "kitty", process: "kitty", command: []string{"kitty", "sh", "-c", "cat {words}; sleep 999"}, wants: "selection", untold: "elements", text: "selectme"},
	{name: "Chromium", process: "chromium", command: []string{"chromium", "--no-sandbox", "--no-first-run", "--disable-gpu", "--user-data-dir={profile}", "{page}"}, keys: []string{"ctrl+a"}, wants: "elements tab selection", text: "Some bold words", slow: true},
	{name: "GNOME Terminal", process: "gnome-terminal", command: []string{"gnome-terminal", "--wait", "--hide-menubar", "--", "sh", "-c", "cat {words}; sleep 999"}, wants: "elements selection", text: "selectme"},
	{name: "Epiphany", process: "epiphany", command: []string{"epiphany", "--profile={profile}", "{page}"}, wants: "elements", untold: "tab", slow: true},
	{name: "Falkon", process: "falkon", command: []string{"falkon", "--current-tab={page}"}, wants: "elements", untold: "tab", slow: true},
	{name: "qutebrowser", process: "qutebrowser", command: []string{"qutebrowser", "--basedir", "{short}", "--qt-flag", "no-sandbox", "{page}"}, wants: "elements", untold: "tab", slow: true},
	{name: "Konqueror", process: "konqueror", command: []string{"konqueror", "{folder}"}, keys: []string{"Home"}, wants: "elements files", untold: "tab", slow: true},
	{name: "Thunderbird", process: "thunderbird", command: []string{"thunderbird", "--no-remote", "--profile", "{mailbox}", "-file", "{mail}"}, keys: []string{"ctrl+a"}, wants: "elements selection", slow: true},
	{name: "SpaceFM", process: "spacefm", command: []string{"spacefm", "{folder}"}, untold: "elements selection files"},
	{name: "Double Commander", process: "doublecmd", command: []string{"doublecmd", "--no-splash", "{folder}"}, untold: "elements selection files"},
	{name: "Krusader", process: "krusader", command: []string{"krusader", "--left", "{folder}"}, wants: "elements", untold: "files", slow: true},
	{name: "Thunar", process: "thunar", command: []string{"thunar", "{folder}"}, keys: []string{"ctrl+a"}, wants: "elements files", slow: true},
	{name: "PCManFM-Qt", process: "pcmanfm-qt", command: []string{"pcmanfm-qt", "{folder}"}, keys: []string{"ctrl+a"}, wants: "elements files", slow: true},
	{name: "Nemo", process: "nemo", command: []string{"nemo", "{folder}"}, keys: []string{"Home"}, wants: "elements files", slow: true},
	{name: "Caja", process: "caja", command: []string{"caja", "--no-desktop", "{folder}"}, keys: []string{"Home"}, wants: "elements files", slow: true},
	{name: "Nautilus", process: "nautilus", command: []string{"nautilus", "--new-window", "{folder}"}, click: "one.txt", wants: "elements files", slow: true},
	{name: "Dolphin", process: "dolphin", command: []string{"dolphin", "--new-window", "{folder}"}, keys: []string{"Home"}, wants: "elements files", slow: true},
	{name: "Firefox", process: "firefox", command: []string{"firefox-esr", "--no-remote", "--profile", "{profile}", "{page}"}, keys: []string{"ctrl+a"}, wants: "elements tab selection", text: "Some bold words", slow: true},
}

// TestDesktopPrograms asks what is told of many programs, and writes that down for
// docs/desktop.md where PERTAIN_DESKTOP_RESULTS names a file. A program that is not installed
// is left out, unless the file is to be written.
func TestDesktopPrograms(t *testing.T) {
	s := newSession(t)
	s.env = append(s.env, "QTWEBENGINE_DISABLE_SANDBOX=1") // which root cannot have
	write(t, s.settings(), usualTime+ownSettings)
	results := map[string]map[string]string{}
	for _, p := range samples {
		t.Run(p.name, func(t *testing.T) {
			own := *s
			own.t = t
			results[p.name] = p.run(&own)
		})
	}
	file := os.Getenv("PERTAIN_DESKTOP_RESULTS")
	if file == "" || t.Failed() {
		return
	}
	type row struct {
		Program string            `json:"program"`
		Facts   map[string]string `json:"facts"`
	}
	var rows []row
	for _, p := range samples {
		if results[p.name] != nil {
			rows = append(rows, row{p.name, results[p.name]})
		}
	}
	slices.SortFunc(rows, func(a, b row) int { return cmp.Compare(strings.ToLower(a.Program), strings.ToLower(b.Program)) })
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(rows); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

// samplePDF is a page with a line of text.
const samplePDF = "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n" +
	"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 200]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj\n" +
	"4 0 obj<</Length 50>>stream\nBT /F1 24 Tf 40 120 Td (Hello selected page) Tj ET\nendstream endobj\n" +
	"5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\ntrailer<</Size 6/Root 1 0 R>>\n%%EOF\n"

// sampleSheet is a sheet with a word and a number.
const sampleSheet = `<?xml version="1.0" encoding="UTF-8"?>
<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.spreadsheet">
<office:body><office:spreadsheet><table:table table:name="One"><table:table-row><table:table-cell office:value-type="string"><text:p>alpha</text:p></table:table-cell><table:table-cell office:value-type="float" office:value="2"><text:p>2</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet></office:body></office:document>
`

// sampleMail is the head of a message.
const sampleMail = "From: Ada <ada@example.org>\nTo: Bob <bob@example.org>\nSubject: Plans\nDate: Mon, 16 Nov 2026 10:00:00 +0000\n" +
	"Message-ID: <1@example.org>\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n"

// mailboxSettings keep Thunderbird from asking for an account and whatever else at its first start.
const mailboxSettings = `user_pref("mail.provider.suppress_dialog_on_startup", true);
user_pref("mail.accounthub.enabled", false);
user_pref("mail.shell.checkDefaultClient", false);
user_pref("mail.rights.version", 1);
user_pref("mailnews.start_page.enabled", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
`

// run starts the program and returns what is told of it: ✓, or why not.
func (p sample) run(s *session) map[string]string {
	need(s.t, p.command[0])
	dir := tempDir(s.t)
	text, pdf := filepath.Join(dir, "notes.txt"), filepath.Join(dir, "page.pdf")
	write(s.t, text, programText)
	write(s.t, pdf, samplePDF)
	sheet := filepath.Join(dir, "sheet.fods")
	write(s.t, sheet, sampleSheet)
	mail, mailbox := filepath.Join(dir, "letter.eml"), filepath.Join(dir, "mailbox")
	write(s.t, mail, sampleMail+programText)
	write(s.t, filepath.Join(mailbox, "user.js"), mailboxSettings)
	short, err := os.MkdirTemp("", "p") // for sockets, whose paths must be short
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(short) }()
	folder := filepath.Join(s.home, "samples") // a short way, which file managers show whole
	write(s.t, filepath.Join(folder, "one.txt"), "x")
	words := filepath.Join(dir, "words") // the same, wherever in the window and however often somebody clicks
	write(s.t, words, strings.Repeat("selectme\n", 100))
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "<!doctype html><title>A page</title><p>Some <b>bold</b> words</p>")
	}))
	defer page.Close()
	command := slices.Clone(p.command)
	for i, a := range command {
		command[i] = strings.NewReplacer("{text}", text, "{pdf}", pdf, "{words}", words, "{folder}", folder, "{page}", page.URL, "{profile}", tempDir(s.t), "{sheet}", sheet, "{short}", short, "{mailbox}", mailbox, "{mail}", mail).Replace(a)
	}
	if p.slow {
		s.config("options: {extraTimeout: 3s}\n" + ownSettings)
		defer s.config(usualTime + ownSettings)
	}
	s.accessible()
	a := s.start(command[0], command[1:]...)
	defer func() {
		a.end()
		for _, pid := range s.running(p.command[0]) { // what has left its group
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		s.until("no window", func() bool { return s.front() == "" })
	}()
	want := map[string]string{"program": p.process}
	for _, fact := range strings.Fields(p.wants) {
		want[fact] = map[string]string{"elements": "true", "selection": cmp.Or(p.text, strings.TrimSpace(programText)), "tab": page.URL + "/ A page", "files": folder + " one.txt"}[fact]
	}
	told, last := map[string]string{}, ""
	defer func() {
		if s.t.Failed() {
			s.t.Logf("%s told %v, last seen: %.3000s\nit said: %.500s", p.name, told, last, a.output())
		}
	}()
	s.until("a window of "+p.name, func() bool { return s.front() != "" })
	if p.hits != "" {
		want["hits"] = p.hits
	}
	for end := time.Now().Add(patience); len(told) < len(want); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			s.t.Fatalf("never seen: all of %v", want)
		}
		p.act(s)
		v := s.everything()
		last = v.raw
		if p.hits != "" && told["hits"] == "" && !strings.Contains(s.pertain("query", p.hits, "--json"), `"count": 0`) {
			told["hits"] = p.hits
		}
		for fact, value := range p.facts(v) {
			if wanted, ok := want[fact]; ok && value == wanted {
				told[fact] = value
			}
		}
	}
	results := map[string]string{}
	for fact := range told {
		if fact != "hits" {
			results[fact] = "✓"
		}
	}
	for _, fact := range strings.Fields(p.untold) {
		part := map[string]string{"elements": "visual", "selection": "attachments.selection.text", "tab": "extra.browser", "files": "extra.file_manager"}[fact]
		v := s.look(part)
		if got := p.facts(v)[fact]; got != "" {
			s.t.Errorf("%s is told as %q", fact, got)
		}
		if len(v.Parts[0].Diagnostics) == 0 {
			s.t.Errorf("nothing says why %s is not told: %s", fact, v.raw)
		}
		results[fact] = "–"
	}
	return results
}

// everything is all that pertain tells.
func (s *session) everything() seen {
	s.t.Helper()
	var v seen
	out := s.pertain("context", "--json", "--show-values")
	if err := json.Unmarshal([]byte(out), &v); err != nil {
		s.t.Fatal(err)
	}
	v.raw, v.again = out, s.everything
	return v
}

// act selects something.
func (p sample) act(s *session) {
	if p.keys != nil {
		s.keys(p.keys...)
		return
	}
	if p.click != "" {
		s.click(p.click)
	}
	if p.text == "" {
		return
	}
	where := map[string]string{}
	for line := range strings.Lines(s.output("xdotool", "getactivewindow", "getwindowgeometry", "--shell")) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		where[name] = value
	}
	var x, y int
	_, _ = fmt.Sscan(where["X"], &x)
	_, _ = fmt.Sscan(where["Y"], &y)
	s.user("mousemove", fmt.Sprint(x+30), fmt.Sprint(y+150), "click", "--repeat", "2", "--delay", "30", "1")
}

// facts are those of the table, as they are told.
func (p sample) facts(v seen) map[string]string {
	facts := map[string]string{
		"program":   v.text("activeProcess", "name"),
		"selection": strings.TrimSpace(v.text("attachments", "selection", "text")),
	}
	elements := 0
	v.each(func(map[string]any) { elements++ })
	if elements > 1 && v.text("visual", "roots", 0, "process") == p.process {
		facts["elements"] = "true"
	}
	if url := v.text("extra", "browser", "active_tab", "url"); url != "" {
		facts["tab"] = url + " " + v.text("extra", "browser", "active_tab", "title")
	}
	if v.names() != "" {
		facts["files"] = v.folder() + " " + v.names()
	}
	return facts
}
