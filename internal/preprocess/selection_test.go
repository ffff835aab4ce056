package preprocess_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/preprocess"
	"github.com/pertain-dev/pertain/plan"
	"github.com/pertain-dev/pertain/strategy"
)

// run executes a strategy that has one preprocessor.
func run(t testing.TB, id, body, context string) (*plan.Plan, diag.List) {
	t.Helper()
	snapshot, err := facts.Decode("context", []byte(context))
	if err != nil {
		t.Fatal(err)
	}
	s := &strategy.Strategy{ID: "user.x", Body: body, Preprocessors: []string{id}, Source: diag.NewSource("/x", body)}
	p, list, err := plan.Build(t.Context(), preprocess.Registry(), plan.Execution{Strategy: s, Snapshot: snapshot}, plan.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p, list
}

// selected is a context in which these items are selected.
func selected(t testing.TB, items ...map[string]any) string {
	t.Helper()
	items = append([]map[string]any{}, items...) // an empty list, never null
	text, err := json.Marshal(map[string]any{"extra": map[string]any{"file_manager": map[string]any{"selection": map[string]any{"items": items}}}})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func write(t testing.TB, path string, data string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(data), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestSelectionReadsTextByItsContent(t *testing.T) {
	dir := t.TempDir()
	for name, test := range map[string]struct{ data, want string }{
		"plain":              {"hello\n", "hello"},
		"image.png":          {"text after all", "text after all"},
		"notes.txt":          {"a\x00b", "(not read: not text, 3 bytes)"},
		"bom":                {"\xef\xbb\xbfbom", "bom"},
		"utf16le":            {"\xff\xfeh\x00i\x00", "hi"},
		"utf16be":            {"\xfe\xff\x00h\x00i", "hi"},
		"utf32":              {"\xff\xfe\x00\x00h\x00\x00\x00", "(not read: not text, 8 bytes)"},
		"latin1":             {"caf\xe9 au lait, s'il vous pla\xeet", "café au lait, s'il vous plaît"},
		"dense high bytes":   {"\xe9\xe8\xff\xfd", "(not read: not text, 4 bytes)"},
		"pdf":                {"%PDF-1.7\ntext", "(not read: not text, 13 bytes)"},
		"empty":              {"", "(empty)"},
		"escapes":            {"\x1b[1mbold\x1b[0m", "\x1b[1mbold\x1b[0m"},
		"crlf":               {"a\r\nb\r\n", "a\r\nb\r"},
		"braces {clipboard}": {"{clipboard.text}", "{clipboard.text}"},
	} {
		t.Run(name, func(t *testing.T) {
			path := write(t, filepath.Join(dir, name), test.data)
			p, list := run(t, plan.FileManagerSelection, "{preprocess.file_manager.selection.text}", selected(t, map[string]any{"path": path, "kind": "file"}))
			if p == nil {
				t.Fatal(list)
			}
			if diff := cmp.Diff("==> "+path+" <==\n"+test.want, p.Prompt); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestSelectionNamesWhatItDoesNotRead(t *testing.T) {
	dir := t.TempDir()
	secret := write(t, filepath.Join(dir, "secret"), "SECRET")
	link := filepath.Join(dir, "link")
	if err := os.Symlink(secret, link); err != nil {
		t.Skip(err)
	}
	folder := filepath.Join(dir, "folder")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(folder, "inside"), "SECRET")
	throughFolder := filepath.Join(dir, "alias")
	if err := os.Symlink(folder, throughFolder); err != nil {
		t.Fatal(err)
	}
	real := write(t, filepath.Join(folder, "real"), "REAL")
	context := selected(t,
		map[string]any{"path": link, "kind": "file"},
		map[string]any{"path": folder, "kind": "folder"},
		map[string]any{"path": folder}, // of unknown kind
		map[string]any{"path": filepath.Join(dir, "gone")},
		map[string]any{"path": "relative/secret"},
		map[string]any{"kind": "virtual", "displayName": "Trash"},
		map[string]any{"path": nil},
		map[string]any{"path": throughFolder + "/real"},
	)
	p, list := run(t, plan.FileManagerSelection, "{preprocess.file_manager.selection.paths}\n\n{preprocess.file_manager.selection.text}", context)
	if p == nil {
		t.Fatal(list)
	}
	want := strings.NewReplacer("DIR", dir).Replace(`- DIR/link
- DIR/folder
- DIR/folder
- DIR/gone
- relative/secret
- DIR/alias/real

==> DIR/link <==
(not read: it is a link to another file)

==> DIR/folder <==
(a folder; what is in it was not read)

==> DIR/folder <==
(not read: it is a folder)

==> DIR/gone <==
(not read: it does not exist)

==> relative/secret <==
(not read: the path is not absolute)

==> DIR/alias/real <==
REAL`)
	if diff := cmp.Diff(want, p.Prompt); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	_ = real
}

func TestSelectionLimitsAreTold(t *testing.T) {
	dir := t.TempDir()
	big := write(t, filepath.Join(dir, "big"), strings.Repeat("ä", 200<<10))
	var items []map[string]any
	for range 5 {
		items = append(items, map[string]any{"path": big})
	}
	p, _ := run(t, plan.FileManagerSelection, "{preprocess.file_manager.selection.text}", selected(t, items...))
	if got := strings.Count(p.Prompt, "(cut after 131072 of 409600 bytes)"); got != 4 {
		t.Errorf("%d files were cut", got)
	}
	if !strings.HasSuffix(p.Prompt, "(not read: the files before it have 524288 bytes already)") || strings.Contains(p.Prompt, "\uFFFD") {
		t.Errorf("…%s", p.Prompt[len(p.Prompt)-200:])
	}

	items = nil
	for i := range 150 {
		items = append(items, map[string]any{"path": write(t, filepath.Join(dir, fmt.Sprintf("f%03d", i)), "x")})
	}
	p, _ = run(t, plan.FileManagerSelection, "{preprocess.file_manager.selection.paths}{preprocess.file_manager.selection.text}", selected(t, items...))
	if !strings.HasSuffix(p.Prompt, "(50 more files are selected; only the first 100 were looked at)") || strings.Count(p.Prompt, "f149") != 1 {
		t.Errorf("…%s", p.Prompt[len(p.Prompt)-200:])
	}
}

func TestSelectionWithoutContext(t *testing.T) {
	for context, want := range map[string]string{
		`{}`: "preprocessor.context_missing",
		`{"extra": {"file_manager": {"selection": {"items": null}}}}`: "preprocessor.context_missing",
		`{"extra": {"file_manager": {"selection": {"items": 1}}}}`:    "preprocessor.failed",
	} {
		p, list := run(t, plan.FileManagerSelection, "x", context)
		if p != nil || string(list[0].Code) != want {
			t.Errorf("%s: %v %v", context, p, list)
		}
	}
	if p, list := run(t, plan.FileManagerSelection, "[{preprocess.file_manager.selection.paths}]", selected(t)); p == nil || p.Prompt != "[]" {
		t.Errorf("an empty selection is a value: %v %v", p, list)
	}
}

// TestSelectionWithin: of a context that somebody else wrote, files elsewhere are named and not read.
func TestSelectionWithin(t *testing.T) {
	inside, outside := t.TempDir(), t.TempDir()
	snapshot, err := facts.Decode("context", []byte(selected(t,
		map[string]any{"path": write(t, filepath.Join(inside, "a.txt"), "mine")}, map[string]any{"path": write(t, filepath.Join(outside, "b.txt"), "theirs")})))
	if err != nil {
		t.Fatal(err)
	}
	s := &strategy.Strategy{ID: "user.x", Body: "{preprocess.file_manager.selection.text}", Preprocessors: []string{plan.FileManagerSelection}, Source: diag.NewSource("/x", "")}
	p, list, err := plan.Build(t.Context(), preprocess.RegistryWithin(inside), plan.Execution{Strategy: s, Snapshot: snapshot}, plan.Options{})
	if err != nil || p == nil {
		t.Fatal(list, err)
	}
	if !strings.Contains(p.Prompt, "mine") || strings.Contains(p.Prompt, "theirs") || !strings.Contains(p.Prompt, "b.txt <==\n(not read: it is outside of the workspace)") {
		t.Error(p.Prompt)
	}
}

// TestSelectionOfStrangers: of what somebody else says is selected, secrets of whoever works there are not read, however the path leads to
// them, and nothing by a path of the system. What is opened counts; the user's own context reads them.
func TestSelectionOfStrangers(t *testing.T) {
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(home, "work")
	token := "url = https://me:ghp_" + strings.Repeat("aB3dE6", 6) + "@example.com\n"
	for name, text := range map[string]string{
		".env": "SECRET", ".git/config": "SECRET", ".ssh/id_rsa": "SECRET", "notes.txt": token, "fixture.txt": "FIXTURE", "src/tokenizer.go": "TOKENIZER",
		"conf/secrets.py": "WIFI = 'swordfish' # SECRET", "src/password.go": "func check() {} // PASSWORD",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, name), text)
	}
	if err := os.Symlink(filepath.Join(dir, ".git"), filepath.Join(dir, "led")); err != nil {
		t.Skip(err)
	}
	t.Chdir(dir)
	in := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	const refused, system = "looks like a secret, and the workspace is not trusted)", "lies below /proc or /dev)"
	for path, want := range map[string]string{
		in(".env"): refused, in(".git/config"): refused, in(".ssh/id_rsa"): refused, in("notes.txt"): refused, in("led/config"): refused, in("src") + "/../.env": refused,
		in("fixture.txt"): "FIXTURE", in("src/tokenizer.go"): "TOKENIZER", in("conf/secrets.py"): refused, in("src/password.go"): "PASSWORD",
		"/proc/self/cwd/.env": system, "/proc/self/cwd/fixture.txt": system, "//proc/self/root" + in("fixture.txt"): system, "/dev/fd/0": system, "/tmp/../proc/self/environ": system,
	} {
		snapshot, err := facts.Decode("context", []byte(selected(t, map[string]any{"path": path})))
		if err != nil {
			t.Fatal(err)
		}
		s := &strategy.Strategy{ID: "user.x", Body: "{preprocess.file_manager.selection.text}", Preprocessors: []string{plan.FileManagerSelection}, Source: diag.NewSource("/x", "")}
		build := func(registry *plan.Registry) string {
			p, list, err := plan.Build(t.Context(), registry, plan.Execution{Strategy: s, Snapshot: snapshot}, plan.Options{})
			if err != nil || p == nil {
				t.Fatal(list, err)
			}
			return p.Prompt
		}
		if text := build(preprocess.RegistryForStrangers(dir, home)); !strings.HasSuffix(text, want) {
			t.Errorf("%s: %q", path, text)
		}
		if text := build(preprocess.RegistryWithin(dir)); want == refused && !strings.HasSuffix(text, "SECRET") && !strings.HasSuffix(text+"\n", token) {
			t.Errorf("%s, of the user: %q", path, text)
		}
	}
}
