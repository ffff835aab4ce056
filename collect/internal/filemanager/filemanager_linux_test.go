package filemanager

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/collect/internal/atspi"
)

func TestJoinBreadcrumbs(t *testing.T) {
	exists := func(paths ...string) func(string) bool {
		return func(path string) bool { return slices.Contains(paths, path) }
	}
	tests := []struct {
		name   string
		names  string // separated by |
		accept func(string) bool
		want   string
	}{
		{"from the root", "/|srv|www", exists("/srv/www"), "/srv/www"},
		{"without the root", "srv|www", exists("/srv/www"), "/srv/www"},
		{"backwards", "www|srv", exists("/srv/www"), "/srv/www"},
		{"with other buttons", "Back|Forward|srv|www|Search", exists("/srv/www"), "/srv/www"},
		{"below the home folder", "Documents|Proj A", exists("/home/u/Documents/Proj A"), "/home/u/Documents/Proj A"},
		{"the home folder by a name", "Home|Documents", exists("/home/u/Documents"), "/home/u/Documents"},
		{"the folder is above the end", "srv|www|old", exists("/srv/www"), "/srv/www"},
		{"the longest counts", "srv|www", exists("/srv", "/srv/www"), "/srv/www"},
		{"the home folder itself", "Home", exists("/home/u"), "/home/u"},
		{"nothing is right", "a|b", exists(), ""},
		{"no buttons", "", exists("/"), ""},
		{"names that lead elsewhere", "..|etc", exists("/etc/passwd"), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := joinBreadcrumbs(strings.FieldsFunc(tt.names, func(r rune) bool { return r == '|' }), "/home/u", tt.accept)
			if got != tt.want || ok != (tt.want != "") {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

func TestTitled(t *testing.T) {
	for _, tt := range []struct {
		title, path string
		want        bool
	}{
		{"www", "/srv/www", true},
		{"www - Thunar", "/srv/www", true},
		{"/srv/www", "/srv/www", true},
		{"www2", "/srv/www", false},
		{"www old - Thunar", "/srv/www", false},
		{"www — Dolphin", "/srv/www", true},
		{"a - b - Thunar", "/srv/a - b", true},
		{"Home", "/home/u", true},
		{"u", "/home/u", false},
		{"Pictures", "/srv/www", false},
	} {
		if got := titled(tt.title, tt.path, "/home/u"); got != tt.want {
			t.Errorf("%q of %s: %v", tt.title, tt.path, got)
		}
	}
}

func TestFolderOf(t *testing.T) {
	home := t.TempDir()
	if err := os.Mkdir(filepath.Join(home, "a b"), 0o700); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		home + "/a b/":               home + "/a b",
		"~":                          home,
		"~/a b":                      home + "/a b",
		"file://" + home + "/a%20b":  home + "/a b",
		" " + home + " ":             home,
		home + "/missing":            "",
		"a b":                        "",
		"":                           "",
		"trash:///":                  "",
		"~other":                     "",
		"https://example.org" + home: "",
		filepath.Join(home, "a b", "..", "a b")[0:]: home + "/a b",
	} {
		if got, ok := folderOf(text, home); ok != (want != "") || ok && got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestQuoted(t *testing.T) {
	for line, want := range map[string]string{
		`"a.txt" | 2 bytes`:    "a.txt",
		`“a b.txt”: 2 Bytes`:   "a b.txt",
		`„a.txt“ (2 Bytes)`:    "a.txt",
		`« a.txt » : 2 octets`: " a.txt ",
		`"say "hi".txt" | 2`:   `say "hi".txt`,
		`3 files: 12 bytes`:    "",
		`""`:                   "",
		`12 items, free "`:     "",
		``:                     "",
	} {
		if got, ok := quoted(line); got != want || ok != (want != "") {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

func TestFileItem(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a.pdf": "12345", "sub/x": ""} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("nowhere", filepath.Join(dir, "link.txt")); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"a.pdf":    `{"path":"DIR/a.pdf","displayName":"a.pdf","kind":"file","extension":".pdf","size":5}`,
		"sub":      `{"path":"DIR/sub","displayName":"sub","kind":"folder"}`,
		"link.txt": `{"path":"DIR/link.txt","displayName":"link.txt","kind":"file","extension":".txt","size":7}`,
		"Trash":    `{"path":null,"displayName":"Trash","kind":"virtual"}`,
	} {
		got, err := json.Marshal(fileItem(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(strings.ReplaceAll(want, "DIR", dir), string(got)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if got, _ := json.Marshal(fileItem("", "a.pdf")); string(got) != `{"path":null,"displayName":"a.pdf","kind":"virtual"}` {
		t.Errorf("without a folder: %s", got)
	}
	// A name that is not valid UTF-8 cannot be told, but that there is such a file can.
	if err := os.WriteFile(filepath.Join(dir, "caf\xe9.txt"), nil, 0o600); err != nil {
		t.Skip("the file system takes no such names")
	}
	for _, name := range []string{"caf\ufffd.txt", "caf\ufffd.txt (invalid encoding)"} {
		if got, _ := json.Marshal(fileItem(dir, name)); string(got) != `{"path":null,"displayName":"`+name+`","kind":"unknown"}` || !inFolder(dir, name) {
			t.Errorf("%q: %s", name, got)
		}
	}
	for _, name := range []string{"", ".", "..", "../" + filepath.Base(dir), "missing", "th\ufffd.txt"} {
		if inFolder(dir, name) {
			t.Errorf("%q is not in the folder", name)
		}
	}
}

func TestLocationElsewhere(t *testing.T) {
	for text, want := range map[string]bool{
		"trash:///": true, "smb://host/share": true, "computer:///": true,
		"file:///srv": false, "/srv": false, "": false, "://": false, "a file ://": false,
	} {
		if got := (location{text: text}).elsewhere(); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestDescribeUnnamed: items whose names were not read count, and it is said that
// they are not known.
func TestDescribeUnnamed(t *testing.T) {
	part := describe(folderShown{folder: t.TempDir()}, selection{known: true, names: []string{"a"}, more: 4}, "thunar")
	if len(part.Lacks) != 1 || part.Lacks[0].Path != "extra.file_manager.selection.items" || part.Lacks[0].Remedy == "" {
		t.Errorf("%+v", part.Lacks)
	}
	if got := part.Summary["extra.file_manager"]; got != "5 selected, 4 of them without a name" {
		t.Error(got)
	}
}

// TestIsDialog: a window that asks for a name, a confirmation or a file shows no
// files of its own.
func TestIsDialog(t *testing.T) {
	for role, want := range map[uint32]bool{
		atspi.RoleDialog: true, atspi.RoleAlert: true, atspi.RoleFileChooser: true, atspi.RoleFrame: false,
	} {
		v := fileWindow{seen: &walked{done: true, elements: []atspi.Element{{Role: role}}}}
		if got := v.isDialog(t.Context()); got != want {
			t.Errorf("role %d: %v", role, got)
		}
	}
}
