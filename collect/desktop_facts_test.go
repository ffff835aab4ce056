//go:build desktop && linux

package collect_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/facts"
)

// factChecks says for each fact of docs/reference/paths.md which part of the
// test checks it on a real program. allFactsChecked holds it to the schema, and
// to what the parts have really compared.
var factChecks = []struct{ fact, part string }{
	{"activeProcess.name", "editor"},
	{"activeProcess.path", "editor"},
	{"activeProcess.id", "editor"},

	{"attachments.files", "attachments"},
	{"attachments.files[].path", "attachments"},
	{"attachments.files[].mimeType", "attachments"},
	{"attachments.files[].extension", "attachments"},
	{"attachments.selection.text", "editor"},
	{"attachments.text", "attachments"},
	{"attachments.visual.primary", "attachments"},
	{"attachments.visual.items", "attachments"},

	{"clipboard.text", "clipboard"},
	{"clipboard.hasText", "clipboard"},
	{"clipboard.hasImage", "clipboard"},
	{"clipboard.files", "clipboard"},
	{"clipboard.files[].path", "clipboard"},
	{"clipboard.files[].extension", "clipboard"},

	{"environment.os", "environment"},
	{"environment.architecture", "environment"},
	{"environment.locale", "environment"},
	{"environment.timeZone", "environment"},
	{"environment.currentDate", "environment"},

	{"extra.file_manager.current_folder.path", "thunar"},
	{"extra.file_manager.current_folder.displayName", "thunar"},
	{"extra.file_manager.selection.items", "thunar"},
	{"extra.file_manager.selection.items[].path", "thunar"},
	{"extra.file_manager.selection.items[].displayName", "thunar"},
	{"extra.file_manager.selection.items[].kind", "thunar"},
	{"extra.file_manager.selection.items[].extension", "thunar"},
	{"extra.file_manager.selection.items[].size", "thunar"},

	{"extra.browser.active_tab.url", "chromium port"},
	{"extra.browser.active_tab.title", "chromium port"},
	{"extra.browser.active_tab.domain", "chromium port"},
	{"extra.browser.active_tab.html", "chromium port"},

	{"extra.workspace.root", "terminal"},
	{"extra.workspace.name", "terminal"},
	{"extra.workspace.git.branch", "terminal"},
	{"extra.workspace.git.hasChanges", "terminal"},
}

// checked collects which part has compared which fact, as "part: fact".
type checked map[string]bool

// fact compares a fact of the snapshot, written as JSON, and notes that it was
// compared. One that is unknown, as on a busy machine, is asked for again; one that is
// wrong is wrong.
func (s *session) fact(v seen, path, want string) {
	s.t.Helper()
	for end := time.Now().Add(patience); v.fact(path) == nil && v.again != nil && time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		v = v.again()
	}
	data, err := json.Marshal(v.fact(path))
	if err != nil || string(data) != want {
		s.t.Errorf("%s is %s, want %s", path, data, want)
		return
	}
	s.checked[s.part+": "+path] = true
}

// fact is the value at a path of the schema; of a projection such as files[].path
// the values that there are.
func (v seen) fact(path string) any {
	base, leaf, projected := strings.Cut(path, "[].")
	var at any = v.Snapshot
	for name := range strings.SplitSeq(base, ".") {
		object, _ := at.(map[string]any)
		at = object[name]
	}
	if !projected {
		return at
	}
	values := []any{}
	for _, item := range asList(at) {
		if value := item.(map[string]any)[leaf]; value != nil {
			values = append(values, value)
		}
	}
	return values
}

// quoted writes a text as JSON.
func quoted(text string) string {
	data, _ := json.Marshal(text)
	return string(data)
}

// allFactsChecked: the schema has no fact without a check, and the parts that
// ran have made theirs.
func allFactsChecked(t *testing.T, made checked, ran []string) {
	t.Helper()
	for _, p := range facts.Paths() {
		root, _, _ := strings.Cut(p.Name, ".")
		if p.Kind == facts.Object || !slices.Contains([]string{"attachments", "clipboard", "environment", "extra"}, root) {
			continue
		}
		if !slices.ContainsFunc(factChecks, func(c struct{ fact, part string }) bool { return c.fact == p.Name }) {
			t.Errorf("%s is checked on no real program: add it to factChecks", p.Name)
		}
	}
	for _, c := range factChecks {
		if slices.Contains(ran, c.part) && !made[c.part+": "+c.fact] {
			t.Errorf("%s was not checked by %q", c.fact, c.part)
		}
	}
}

func environment(s *session, _, _ string) {
	s.env = append(slices.Clone(s.env), "LANG=de_AT.UTF-8", "LC_ALL=de_AT.UTF-8", "TZ=Europe/Vienna")
	v := s.look("environment")
	s.fact(v, "environment.os", `"linux"`)
	s.fact(v, "environment.architecture", quoted(strings.TrimSpace(s.output("go", "env", "GOARCH"))))
	s.fact(v, "environment.locale", `"de-AT"`)
	s.fact(v, "environment.timeZone", `"Europe/Vienna"`)
	s.fact(v, "environment.currentDate", quoted(strings.TrimSpace(s.output("date", "+%Y-%m-%d"))))
}

// attachments: what comes with the request stands beside what the desktop says,
// and conditions see both.
func attachments(s *session, project, notes string) {
	defer s.openEditor(notes).end()
	dir := filepath.Join(tempDir(s.t), "strategies")
	file := filepath.Join(project, "b.pdf")
	primary := ""
	s.until("the editor's text field", func() bool {
		primary = s.look("visual").text("attachments", "visual", "primary")
		return primary != ""
	})
	conditions := map[string]string{
		"attachments.files":             "attachments.files: {count: {equals: 1}}",
		"attachments.files[].path":      fmt.Sprintf("attachments.files[].path: {contains: %q}", file),
		"attachments.files[].mimeType":  "attachments.files: {all: {mimeType: {equals: application/pdf}}}",
		"attachments.files[].extension": "attachments.files: {all: {extension: {equals: .pdf}}}",
		"attachments.text":              "attachments.text: {equals: attached words}",
		"attachments.visual.primary":    fmt.Sprintf("all: [{attachments.visual.primary: {equals: %q}}, {visual.exists: {query: \".//TextEdit[@focused=true]\"}}]", primary),
		"attachments.visual.items":      fmt.Sprintf("attachments.visual.items: {contains: %q}", primary),
	}
	fact := map[string]string{} // by the strategy's name
	for path, when := range conditions {
		name := strings.ToLower(strings.NewReplacer(".", "-", "[]", "").Replace(path))
		fact[name] = path
		// The tree is asked for in each, so that the primary element is known.
		write(s.t, filepath.Join(dir, name+".strategy.md"), "---\nname: "+name+"\nwhen:\n  all:\n    - visual.exists: {query: \"//TopLevel\"}\n    - "+
			when+"\n---\nx\n")
	}
	note := func(answer string) {
		for _, id := range matchedIDs(s.t, answer) {
			s.checked[s.part+": "+fact[id]] = true
		}
	}
	s.until("what was attached", func() bool {
		note(s.pertain("match", "--json", "--no-builtin", "--strategies", dir, "--attach", file, "--text", "attached words"))
		return s.checked[s.part+": attachments.visual.primary"]
	})
	// Which elements are attached, a caller says: the desktop's own snapshot with
	// the text field attached.
	v := s.sees("the text field", "visual", func(v seen) bool { return v.text("attachments", "visual", "primary") == primary })
	v.Snapshot["attachments"] = map[string]any{"visual": map[string]any{"primary": primary, "items": []string{primary}}}
	data, err := json.Marshal(v.Snapshot)
	if err != nil {
		s.t.Fatal(err)
	}
	situation := filepath.Join(s.home, "situation.json")
	write(s.t, situation, string(data))
	note(s.pertain("match", "--json", "--no-builtin", "--strategies", dir, "--context", situation))
}
