//go:build desktop && linux

package collect_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/facts"
)

// part is what is tried on a desktop with other parts, one after the other; each leaves it
// empty.
type part struct {
	name string
	run  func(s *session, project, notes string)
}

// editorParts are about windows of all kinds, what is selected there, and the clipboard.
var editorParts = []part{
	{"empty desktop", emptyDesktop},
	{"environment", environment},
	{"editor", editor},
	{"attachments", attachments},
	{"private window", privateWindow},
	{"privacy", privacy},
	{"gtk password", gtkPassword},
	{"gtk4 password", gtk4Password},
	{"private dialog", privateDialog},
	{"other window", otherWindow},
	{"terminal selection", terminalSelection},
	{"clipboard", clipboards},
	{"large clipboard", largeClipboard},
	{"cut clipboard", cutClipboard},
	{"late owner", lateOwner},
	{"many widgets", manyWidgets},
	{"gtk4 editor", gtk4Editor},
	{"stopped program", stoppedProgram},
	{"killed program", killedProgram},
	{"stopped bus", stoppedBus},
	{"bus restarted", busRestarted},
	{"terminal", terminal},
	{"terminal tabs", terminalTabs},
	{"tmux", tmux},
	{"editor workspace", editorWorkspace},
	{"password manager", passwordManager},
	{"match", match},
	{"menus", menus},
	{"hotkeys", hotkeys},
	{"watch", watch},
	{"watch workspace", watchWorkspace},
	{"watch settings", watchSettings},
	{"gone owners", goneOwners},
}

// fileParts are about file managers.
var fileParts = []part{
	{"thunar", thunar},
	{"thunar icons", thunarIcons},
	{"pcmanfm", pcmanfm},
	{"pcmanfm-qt", pcmanfmQt},
	{"nemo", nemo},
	{"caja", caja},
	{"nautilus", nautilus},
	{"dolphin", dolphin},
	{"typed location", typedLocation},
	{"trash", trash},
	{"trashes", trashes},
	{"short of time", shortOfTime},
	{"narrow window", narrowWindow},
	{"split window", splitWindow},
	{"odd names", oddNames},
	{"many files", manyFiles},
}

// browserParts are about browsers.
var browserParts = []part{
	{"chromium selection", chromiumSelection},
	{"chromium port", chromiumPort},
	{"chromium dialog", chromiumDialog},
	{"foreign port", foreignPort},
	{"incognito", incognito},
	{"untold incognito", untoldIncognito},
	{"chromium", chromiumAccessible},
	{"long page", longPage},
	{"firefox", firefox},
	{"firefox page info", firefoxPageInfo},
	{"posing page", posingPage},
	{"firefox private", firefoxPrivate},
	{"chromium private", chromiumPrivate},
	{"untold private", untoldPrivate},
	{"epiphany private", epiphanyPrivate},
	{"chromium port tabs", chromiumPortFresh},
	{"chromium tabs", chromiumFresh},
	{"firefox tabs", firefoxFresh},
}

// TestDesktop acts as a user on real desktops and checks what pertain says of them. What
// takes longest is to wait for programs, so there are three side by side.
func TestDesktop(t *testing.T) {
	t.Parallel()
	made, ran := checked{}, []string(nil)
	var mu sync.Mutex
	t.Run("parts", func(t *testing.T) {
		for _, desktop := range []struct {
			name  string
			parts []part
		}{{"browsers", browserParts}, {"files", fileParts}, {"editors", editorParts}} {
			t.Run(desktop.name, func(t *testing.T) {
				t.Parallel()
				own := checked{}
				done := runParts(t, desktop.parts, own)
				mu.Lock()
				defer mu.Unlock()
				maps.Copy(made, own)
				ran = append(ran, done...)
			})
		}
	})
	allFactsChecked(t, made, ran)
}

// runParts opens a desktop for some parts, and tells which ran.
func runParts(t *testing.T, parts []part, made checked) (ran []string) {
	t.Helper()
	s := newSession(t)
	project := filepath.Join(s.home, "My Projects")
	for name, text := range map[string]string{"a.txt": "hello\n", "b.pdf": "%PDF\n", "c d.md": "# x\n", "sub/x": ""} {
		write(t, filepath.Join(project, name), text)
	}
	notes := filepath.Join(s.home, "notes.txt")
	write(t, notes, "first line\nTODO: second line\n")
	write(t, s.settings(), settingsFile)
	for _, part := range parts {
		t.Run(part.name, func(t *testing.T) {
			own := *s
			own.t, own.part, own.checked = t, part.name, made
			part.run(&own, project, notes)
			ran = append(ran, part.name) // not where a program is missing
		})
	}
	return ran
}

// settingsFile are the settings of the whole test: programs have time to answer, also on
// a busy machine. What is told where time is short is for tests of its own.
const settingsFile = timeEnough + ownSettings

const (
	timeEnough = "options: {extraTimeout: 5s, visualQueryTimeout: 5s, conditionTimeout: 5s, matchingTimeout: 10s, matchBudget: 30s}\n"
	usualTime  = "options: {extraTimeout: 200ms}\n"
)

// ownSettings are those of a user who has not set the time.
const ownSettings = "private:\n  applications: [keepassxc]\n" +
	"assistant:\n  id: helper\n  name: Helper\n  model: {id: m1, modalities: [text, image], supportsToolCall: true}\n"

func emptyDesktop(s *session, _, _ string) {
	s.sees("no window", "visual", func(v seen) bool { return !v.Parts[0].Available && len(v.Parts[0].Diagnostics) == 0 })
}

// openEditor opens a file and waits until its text can be read.
func (s *session) openEditor(notes string) *app {
	s.t.Helper()
	a := s.start("mousepad", "--disable-server", notes)
	s.until("the editor's text", func() bool {
		v := s.look("visual")
		found := false
		v.each(func(e map[string]any) {
			found = found || e["type"] == "TextEdit" && e["id"] == v.at("attachments", "visual", "primary") && strings.Contains(fmt.Sprint(e["text"]), "TODO")
		})
		return found
	})
	return a
}

func editor(s *session, _, notes string) {
	first := s.openEditor(notes)
	defer first.end()
	s.until("the window and its menu", func() bool {
		v := s.look("visual")
		root, _ := v.at("visual", "roots", 0).(map[string]any)
		disabled := false
		v.each(func(e map[string]any) {
			disabled = disabled || e["name"] == "Save" && fmt.Sprint(e["states"]) == "[disabled offscreen]" // the file is unchanged
		})
		return disabled && root["type"] == "TopLevel" && root["process"] == "mousepad" && strings.Contains(fmt.Sprint(root["name"]), "notes.txt") && root["bounds"] != nil
	})
	s.until("the selected text", func() bool {
		s.keys("ctrl+a")
		return s.look("attachments.selection.text").text("attachments", "selection", "text") == "first line\nTODO: second line\n"
	})
	s.fact(s.look("attachments.selection.text"), "attachments.selection.text", quoted("first line\nTODO: second line\n"))
	running := s.everything()
	s.fact(running, "activeProcess.name", `"mousepad"`)
	s.fact(running, "activeProcess.path", quoted(s.programFile("mousepad")))
	s.fact(running, "activeProcess.id", strconv.Itoa(first.cmd.Process.Pid))
	// The selection stays where it is when another window comes to the front.
	other := filepath.Join(s.home, "other.txt")
	write(s.t, other, "other TODO\n")
	second := s.start("mousepad", "--disable-server", other)
	defer second.end()
	s.until("the other editor without a selection", func() bool {
		v := s.look("visual")
		return strings.Contains(v.text("visual", "roots", 0, "name"), "other.txt") &&
			!s.look("attachments.selection.text").Parts[0].Available
	})
}

// programFile is the file of a program, without links.
func (s *session) programFile(name string) string {
	s.t.Helper()
	found, err := exec.LookPath(name)
	if err == nil {
		found, err = filepath.EvalSymlinks(found)
	}
	if err != nil {
		s.t.Fatal(err)
	}
	return found
}

func privateWindow(s *session, _, notes string) {
	defer s.openEditor(notes).end()
	s.feed("copied", "xclip", "-selection", "clipboard")
	for _, private := range []string{"titles: ['*NOTES.txt*']", "applications: [MousePad]"} {
		s.config("private: {" + private + "}\n")
		out := s.pertain("context", "--json", "--show-values")
		for _, text := range []string{"copied", "TODO", "notes.txt"} {
			if strings.Contains(out, text) {
				s.t.Errorf("%s: %s was read from a private window", private, text)
			}
		}
		if !strings.Contains(out, "is never read") {
			s.t.Errorf("%s: nothing says why: %s", private, out)
		}
	}
	s.config(settingsFile)
	v := s.look("assistant")
	if got := fmt.Sprint(v.at("assistant")); got != "map[id:helper model:map[id:m1 modalities:[text image] supportsToolCall:true] name:Helper]" {
		s.t.Error(got)
	}
}

// privacy: nothing that was collected stands in diagnostics, in logs or on disk,
// and values are shown only where they are asked for.
func privacy(s *session, project, _ string) {
	secrets := []string{"geheimtext", "geheimkopie", "geheimtitel"}
	file := filepath.Join(project, secrets[2]+".txt")
	write(s.t, file, "TODO "+secrets[0]+"\n")
	editor := s.openEditor(file)
	s.feed(secrets[1], "xclip", "-selection", "clipboard")
	s.until("the selected text", func() bool {
		s.keys("ctrl+a")
		return strings.Contains(s.look("attachments.selection.text").raw, secrets[0])
	})
	dir := s.strategies()
	editorHome := s.home
	s.home = filepath.Join(tempDir(s.t), "home") // one that nobody but pertain writes to
	for _, at := range []string{"HOME=" + s.home, "TMPDIR=" + filepath.Join(s.home, "tmp"), "PERTAIN_LOG=debug"} {
		s.env = append(slices.Clone(s.env), at)
	}
	for _, folder := range []string{s.home, filepath.Join(s.home, "tmp")} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			s.t.Fatal(err)
		}
	}
	check := func(what, text string) {
		for _, secret := range secrets {
			if strings.Contains(text, secret) {
				s.t.Errorf("%s holds %s: %s", what, secret, text)
			}
		}
	}
	for _, args := range [][]string{
		{"context"},
		{"context", "--json"},
		{"match", "--all", "--json", "--no-builtin", "--strategies", dir},
		{"match", "--no-builtin", "--strategies", dir},
		{"explain", "user.todo", "--json", "--no-builtin", "--strategies", dir},
	} {
		out, err := s.command(s.program, args...).CombinedOutput()
		if err != nil {
			s.t.Errorf("pertain %v: %v\n%s", args, err, out)
		}
		check("pertain "+strings.Join(args, " "), string(out))
	}
	s.pertain("context", "--json", "--show-values") // what is shown is not written either
	err := filepath.WalkDir(s.home, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		check(path, path+string(data))
		return err
	})
	if err != nil {
		s.t.Error(err)
	}
	s.home = editorHome
	editor.end()
	if err := os.Remove(file); err != nil {
		s.t.Error(err)
	}
}

func clipboards(s *session, project, _ string) {
	all := func() string {
		v := s.look("clipboard")
		var files []string
		list, _ := v.at("clipboard", "files").([]any)
		for _, f := range list {
			object, _ := f.(map[string]any)
			files = append(files, fmt.Sprintf("%v %v", object["path"], object["extension"]))
		}
		return fmt.Sprintf("%q text %v image %v files %v", v.text("clipboard", "text"), v.at("clipboard", "hasText"), v.at("clipboard", "hasImage"), files)
	}
	want := func(want string) {
		s.t.Helper()
		s.until(want, func() bool { return all() == want })
	}
	s.feed("grüße", "xclip", "-selection", "clipboard")
	want(`"grüße" text true image false files []`)
	v := s.look("clipboard")
	s.fact(v, "clipboard.text", `"grüße"`)
	s.fact(v, "clipboard.hasText", "true")
	long := strings.Repeat("0123456789abcdef", 1<<16)
	s.feed(long, "xclip", "-selection", "clipboard")
	want(fmt.Sprintf("%q text true image false files []", long))
	s.feed("\x89PNG", "xclip", "-selection", "clipboard", "-t", "image/png")
	want(`"" text false image true files []`)
	s.fact(s.look("clipboard"), "clipboard.hasImage", "true")
	address := "file://" + strings.ReplaceAll(project, " ", "%20") + "/c%20d.md"
	s.feed("copy\n"+address, "xclip", "-selection", "clipboard", "-t", "x-special/gnome-copied-files")
	want(fmt.Sprintf(`"" text false image false files [%s/c d.md .md]`, project))
	v = s.look("clipboard")
	s.fact(v, "clipboard.files", fmt.Sprintf(`[{"extension":".md","path":%q}]`, filepath.Join(project, "c d.md")))
	s.fact(v, "clipboard.files[].path", fmt.Sprintf(`[%q]`, filepath.Join(project, "c d.md")))
	s.fact(v, "clipboard.files[].extension", `[".md"]`)
	s.feed(address+"\r\nhttp://example.org/x\r\n", "xclip", "-selection", "clipboard", "-t", "text/uri-list")
	want(fmt.Sprintf(`"" text false image false files [%s/c d.md .md]`, project))
}

// lateOwner: a program that is late in giving what it owns keeps it: who asked
// does not go away before the answer, which ends programs such as xclip.
func lateOwner(s *session, _, _ string) {
	s.feed("late", "xclip", "-selection", "clipboard")
	w := s.warm()
	defer w.end()
	text := func() string {
		out, _ := w.ask("clipboard.text")
		row, _ := facts.Lookup("clipboard.text")
		return out.Snapshot.At(row).Text()
	}
	s.until("the clipboard", func() bool { return text() == "late" })
	owners := s.processes("xclip")
	signal := func(sig syscall.Signal) {
		for _, pid := range owners {
			_ = syscall.Kill(pid, sig)
		}
	}
	signal(syscall.SIGSTOP)
	defer signal(syscall.SIGCONT)
	w.limit = 200 * time.Millisecond
	if got := text(); got != "" {
		s.t.Errorf("an owner that is stopped gave %q", got)
	}
	signal(syscall.SIGCONT)
	w.limit = warmTime
	s.until("the clipboard again", func() bool { return text() == "late" })
	for i := range 300 { // those who go away at any moment of the exchange
		var needs facts.Needs
		needs.Add("clipboard.text")
		if _, err := w.gatherer.Gather(s.t.Context(), needs, facts.Parts{Values: facts.Fields()}, time.Duration(1+i)*20*time.Microsecond); err != nil {
			s.t.Fatal(err)
		}
	}
	s.until("the clipboard after all that", func() bool { return text() == "late" })
}

// stoppedProgram: a program that hangs costs its own part and no more than the
// time limit.
func stoppedProgram(s *session, _, notes string) {
	a := s.openEditor(notes)
	defer a.end()
	s.feed("while it hangs", "xclip", "-selection", "clipboard")
	s.config(usualTime + ownSettings)
	a.signal(syscall.SIGSTOP)
	var v seen
	last := ""
	defer func() {
		if s.t.Failed() {
			s.t.Logf("last seen: %s", last)
		}
	}()
	// On a busy machine the clipboard may be late, too, but not because of this.
	s.until("the clipboard while a program hangs", func() bool {
		v = seen{}
		last = s.pertain("context", "--json", "--show-values")
		if err := json.Unmarshal([]byte(last), &v); err != nil {
			s.t.Fatal(err)
		}
		for _, p := range v.Parts {
			if p.Path == "visual" && (p.Available || len(p.Diagnostics) == 0 || p.Diagnostics[0].Code != "extra.provider_timeout") {
				s.t.Fatalf("visual of a stopped program: %+v", p)
			}
		}
		return v.text("clipboard", "text") == "while it hangs"
	})
	a.signal(syscall.SIGCONT)
	s.config(settingsFile)
	s.until("the editor again", func() bool { return s.look("visual").Parts[0].Available })
}

// killedProgram: a program that dies while it is read is no failure of ours.
func killedProgram(s *session, _, notes string) {
	for range 3 {
		a := s.openEditor(notes)
		done := make(chan string, 1)
		cmd := s.command(s.program, "context", "--json", "--show-values")
		go func() {
			out, err := cmd.Output()
			done <- fmt.Sprintf("%v %t", err, json.Valid(out))
		}()
		a.signal(syscall.SIGKILL)
		if got := <-done; got != "<nil> true" {
			s.t.Error(got)
		}
		a.end()
		s.until("the empty desktop", func() bool { return !s.look("visual").Parts[0].Available })
	}
}

// processes are those of this session with a text in their command line.
func (s *session) processes(text string) []int {
	s.t.Helper()
	pids := s.running(text)
	if len(pids) == 0 {
		s.t.Fatalf("no process of %s was found", text)
	}
	return pids
}

// running is processes where there may be none.
func (s *session) running(text string) []int {
	own := []byte("XDG_RUNTIME_DIR=" + s.lookup("XDG_RUNTIME_DIR") + "\x00")
	folders, _ := filepath.Glob("/proc/[0-9]*")
	var pids []int
	for _, folder := range folders {
		line, _ := os.ReadFile(filepath.Join(folder, "cmdline"))
		environ, _ := os.ReadFile(filepath.Join(folder, "environ"))
		if pid, err := strconv.Atoi(filepath.Base(folder)); err == nil && bytes.Contains(line, []byte(text)) && bytes.Contains(environ, own) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// accessibilityBusConfig stands in the command line of the accessibility bus.
const accessibilityBusConfig = "at-spi2/accessibility.conf"

// stoppedBus: an accessibility bus that hangs costs what is read over it, and
// nothing else.
func stoppedBus(s *session, _, notes string) {
	defer s.openEditor(notes).end()
	s.feed("while the bus hangs", "xclip", "-selection", "clipboard")
	s.config(usualTime + ownSettings)
	pids := s.processes(accessibilityBusConfig)
	for _, pid := range pids {
		_ = syscall.Kill(pid, syscall.SIGSTOP)
	}
	wake := func() {
		for _, pid := range pids {
			_ = syscall.Kill(pid, syscall.SIGCONT)
		}
	}
	defer wake()
	s.until("the clipboard while the bus hangs", func() bool {
		var v seen
		if err := json.Unmarshal([]byte(s.pertain("context", "--json", "--show-values")), &v); err != nil {
			s.t.Fatal(err)
		}
		for _, p := range v.Parts {
			if p.Path == "visual" && (p.Available || len(p.Diagnostics) == 0) {
				s.t.Fatalf("visual over a stopped bus: %+v", p)
			}
		}
		return v.text("clipboard", "text") == "while the bus hangs"
	})
	wake()
	s.config(settingsFile)
	s.until("the editor again", func() bool { return s.look("visual").Parts[0].Available })
}

// busRestarted ends the accessibility bus; programs that are started afterwards
// are on the new one, and who watches finds it.
func busRestarted(s *session, _, notes string) {
	w := s.warm()
	defer w.end()
	for _, pid := range s.processes(accessibilityBusConfig) {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	s.accessible()
	defer s.openEditor(notes).end()
	s.until("the editor, by who watched the old bus", func() bool {
		out, _ := w.ask(facts.Visual)
		return out.Snapshot.Tree() != nil
	})
}

// terminal: the workspace is that of the program in front in the terminal.
func terminal(s *session, project, _ string) {
	need(s.t, "xterm")
	git(s.t, project, "init", "-q", "-b", "topic")
	defer func() { _ = os.RemoveAll(filepath.Join(project, ".git")) }()
	defer s.start("xterm", "-e", "sh", "-c", "cd '"+project+"' && exec sh").end()
	s.until("the terminal's workspace", func() bool {
		v := s.look("extra.workspace")
		return v.text("extra", "workspace", "root") == project && v.text("extra", "workspace", "git", "branch") != "" &&
			v.text("extra", "workspace", "git", "hasChanges") == "true" && v.Parts[0].Provider == "workspace.window"
	})
	v := s.look("extra.workspace")
	s.fact(v, "extra.workspace.root", quoted(project))
	s.fact(v, "extra.workspace.name", quoted(filepath.Base(project)))
	s.fact(v, "extra.workspace.git.branch", `"topic"`)
	s.fact(v, "extra.workspace.git.hasChanges", "true")
}

// strategies are those of the first sentence: what is on the screen.
func (s *session) strategies() string {
	dir := filepath.Join(s.home, "strategies")
	for name, when := range map[string]string{
		"editor":    "visual.exists: {query: \".//TextEdit[@focused=true]\"}",
		"todo":      "visual.exists: {query: \"//TextEdit[matches(@text,'TODO')]\"}",
		"title":     "visual.match: {query: \"//TopLevel/@name\", contains: notes.txt}",
		"selection": "attachments.selection.text: {length: {min: 1}}",
		"clipboard": "clipboard.text: {contains: error}",
		"files":     "extra.file_manager.selection.items: {any: {extension: {in: [.txt]}}}",
		"assistant": "assistant.model.modalities: {contains: image}",
	} {
		write(s.t, filepath.Join(dir, name+".strategy.md"), "---\nname: "+name+"\nwhen:\n  "+when+"\n---\nx\n")
	}
	return dir
}

func matchedIDs(t *testing.T, answer string) []string {
	t.Helper()
	var m struct {
		Candidates []struct {
			ID string `json:"id"`
		} `json:"candidates"`
	}
	if err := json.Unmarshal([]byte(answer), &m); err != nil {
		t.Fatalf("%v in %s", err, answer)
	}
	ids := []string{}
	for _, c := range m.Candidates {
		ids = append(ids, strings.TrimPrefix(c.ID, "user."))
	}
	slices.Sort(ids)
	return ids
}

func match(s *session, _, notes string) {
	dir := s.strategies()
	defer s.openEditor(notes).end()
	s.feed("an error", "xclip", "-selection", "clipboard")
	want := "assistant clipboard editor selection title todo"
	s.until(want, func() bool {
		s.keys("ctrl+a")
		return strings.Join(matchedIDs(s.t, s.pertain("match", "--json", "--no-builtin", "--strategies", dir)), " ") == want
	})
}
