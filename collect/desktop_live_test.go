//go:build desktop && linux

package collect_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/collect"
	"github.com/pertain-dev/pertain/facts"
)

func median(all []float64) float64 {
	slices.Sort(all)
	return all[len(all)/2]
}

// liveResult is one line of what TestLive measures, for bench/live. Times are
// medians in milliseconds.
type liveResult struct {
	Program  string   `json:"program"`
	Need     string   `json:"need"`
	ColdMs   float64  `json:"coldMs"` // a process that has just started
	WarmMs   float64  `json:"warmMs"` // one that watches the desktop
	Elements int      `json:"elements,omitempty"`
	Matches  int      `json:"matches,omitempty"`
	LeftOut  []string `json:"leftOut,omitempty"` // codes and paths of what the cold one could not tell
	Missing  string   `json:"missing,omitempty"` // the program is not installed
	Note     string   `json:"note,omitempty"`    // what else there is to say
}

// TestLive measures the collectors on real programs. bench/live runs it, and
// names the file that the results go to.
func TestLive(t *testing.T) {
	path := os.Getenv("PERTAIN_LIVE_RESULTS")
	if path == "" {
		t.Skip("bench/run live measures the collectors")
	}
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	samples, err := strconv.Atoi(os.Getenv("PERTAIN_LIVE_SAMPLES"))
	if err != nil || samples < 1 {
		samples = 15
	}
	l := &live{session: newSession(t), out: json.NewEncoder(file), samples: samples}
	write(t, l.settings(), ownSettings)
	l.project = filepath.Join(l.home, "My Projects")
	for name, text := range map[string]string{"a.txt": "hello\n", "b.pdf": "%PDF\n", "c d.md": "# x\n", "sub/x": ""} {
		write(t, filepath.Join(l.project, name), text)
	}
	l.editor()
	l.files()
	l.browsers()
}

// live is one run of the measurements.
type live struct {
	*session
	out     *json.Encoder
	samples int
	project string
}

// emit writes a result.
func (l *live) emit(r liveResult) {
	l.t.Helper()
	l.t.Logf("%+v", r)
	if err := l.out.Encode(r); err != nil {
		l.t.Fatal(err)
	}
}

// missing tells that a program is not there, and so is not measured.
func (l *live) missing(name string) bool {
	if _, err := exec.LookPath(name); err == nil {
		return false
	}
	l.emit(liveResult{Program: name, Missing: "it is not installed"})
	return true
}

// measure times each need on what is in front.
func (l *live) measure(program string, needs ...string) {
	l.t.Helper()
	w := l.warm()
	defer w.end()
	for _, need := range needs {
		r := liveResult{Program: program, Need: need}
		var cold, warm []float64
		for range l.samples {
			machine := collect.Open(collect.Options{Env: l.lookup, Dir: l.project})
			out, took := timed(l.t, facts.NewGatherer(machine.Collectors()...), need)
			machine.Close()
			cold = append(cold, took)
			r.note(out)
		}
		for range l.samples {
			w.ask(need) // an event may have come, and this pays for it
			_, took := timed(l.t, w.gatherer, need)
			warm = append(warm, took)
		}
		r.ColdMs, r.WarmMs = median(cold), median(warm)
		l.emit(r)
	}
}

func (r *liveResult) note(out facts.Gathering) {
	for _, d := range out.Diagnostics {
		if said := string(d.Code) + " " + d.Path; !slices.Contains(r.LeftOut, said) {
			r.LeftOut = append(r.LeftOut, said)
		}
	}
	if tree := out.Snapshot.Tree(); tree != nil {
		r.Elements = tree.Len()
	}
}

// timed is one question, and how many milliseconds it took.
func timed(t *testing.T, g *facts.Gatherer, need string) (facts.Gathering, float64) {
	t.Helper()
	var needs facts.Needs
	needs.Add(need)
	began := time.Now()
	out, err := g.Gather(t.Context(), needs, facts.Parts{Values: facts.Fields()}, 200*time.Millisecond)
	took := float64(time.Since(began).Microseconds()) / 1000
	if err != nil {
		t.Fatal(err)
	}
	return out, took
}

func (l *live) editor() {
	if l.missing("mousepad") {
		return
	}
	notes := filepath.Join(l.home, "notes.txt")
	write(l.t, notes, "first line\nTODO: second line\n")
	defer l.openEditor(notes).end()
	l.feed("some text", "xclip", "-selection", "clipboard")
	l.until("selected text", func() bool {
		l.keys("ctrl+a")
		return l.look("attachments.selection.text").Parts[0].Available
	})
	l.measure("mousepad", facts.Visual, "attachments.selection.text", "clipboard.text", "extra.workspace")
	l.match("mousepad")
}

func (l *live) files() {
	for _, m := range []struct {
		name  string
		start func() *app
	}{
		{"thunar", func() *app {
			l.thunarView("ThunarDetailsView")
			return l.start("thunar", l.project)
		}},
		{"pcmanfm", func() *app {
			cmd := l.command("pcmanfm", l.project)
			cmd.Env = append(cmd.Env, "GTK_MODULES=gail:atk-bridge")
			return l.run(cmd)
		}},
		{"pcmanfm-qt", func() *app { return l.start("pcmanfm-qt", l.project) }},
		{"nemo", func() *app { return l.start("nemo", l.project) }},
		{"caja", func() *app { return l.start("caja", "--no-desktop", l.project) }},
	} {
		if l.missing(m.name) {
			continue
		}
		a := m.start()
		key := "Right"
		if m.name == "thunar" {
			key = "Down"
		}
		l.selects(l.project, "sub,a.txt", func() { l.keys("Home", "shift+"+key) })
		l.measure(m.name, "extra.file_manager", facts.Visual)
		if m.name == "nemo" { // about 300 elements
			l.match("nemo")
		}
		a.end()
	}
}

func (l *live) browsers() {
	first, second := l.pages()
	shows := func() bool { return l.look("extra.browser").text("extra", "browser", "active_tab", "url") == first }
	if !l.missing("chromium") {
		for _, b := range []struct {
			name string
			args []string
		}{{"chromium port", []string{"--remote-debugging-port=0", first, second}}, {"chromium", []string{first, second}}} {
			a := l.chromium(b.args...)
			l.until("the first page", shows)
			l.measure(b.name, "extra.browser", facts.Visual)
			a.end()
		}
	}
	if !l.missing("firefox-esr") {
		l.accessible()
		a := l.startFirefox(first, second)
		l.until("the first page", func() bool {
			l.keys("alt+1")
			return shows()
		})
		l.measure("firefox", "extra.browser", facts.Visual)
		a.end()
	}
}

// match measures a whole answer to what is in front: collected, matched against
// the builtin strategies and those of strategies().
func (l *live) match(program string) {
	dir := l.strategies()
	location, err := pertain.Locate(pertain.Environment{Dir: l.home, Env: l.lookup, Strategies: []string{dir}})
	if err != nil {
		l.t.Fatal(err)
	}
	engine, err := pertain.Open(l.t.Context(), location.Options)
	if err != nil {
		l.t.Fatal(err)
	}
	r := liveResult{Program: program, Need: "match"}
	answer := func(g *facts.Gatherer) float64 {
		began := time.Now()
		out, err := engine.Gather(l.t.Context(), g, facts.Parts{Values: facts.Fields()})
		if err != nil {
			l.t.Fatal(err)
		}
		m, err := engine.Match(l.t.Context(), out.Snapshot, pertain.MatchOptions{})
		if err != nil {
			l.t.Fatal(err)
		}
		took := float64(time.Since(began).Microseconds()) / 1000
		r.note(out)
		r.Matches = len(m.Candidates)
		return took
	}
	var cold, warm []float64
	for range l.samples {
		machine := collect.Open(collect.Options{Env: l.lookup, Dir: l.project})
		cold = append(cold, answer(facts.NewGatherer(machine.Collectors()...)))
		machine.Close()
	}
	w := l.warm()
	defer w.end()
	for range l.samples {
		answer(w.gatherer)
		warm = append(warm, answer(w.gatherer))
	}
	r.ColdMs, r.WarmMs = median(cold), median(warm)
	l.emit(r)
}
