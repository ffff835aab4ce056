package pertain_test

import (
	"fmt"
	"go/token"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// writingFolder is the package that writes to the disk. Everything else goes through its Target, which follows no link out of
// where the user is, and leaves nothing half written.
const writingFolder = "internal/writing"

// writingNames are the functions that make, change or remove files, by the package that has them.
var writingNames = map[string][]string{
	"os": {
		"Chmod", "Chown", "Chtimes", "CopyFS", "Create", "CreateTemp", "Lchown", "Link", "Mkdir", "MkdirAll", "MkdirTemp", "OpenFile",
		"OpenInRoot", "OpenRoot", "Remove", "RemoveAll", "Rename", "Symlink", "Truncate", "WriteFile",
	},
	"io/ioutil": {"TempDir", "TempFile", "WriteFile"},
	"syscall": {
		"Chmod", "Chown", "CreateFile", "Creat", "Fchmodat", "Link", "Mkdir", "Mkdirat", "Mkfifo", "Mknod", "Open", "Openat", "Rename", "Renameat",
		"Rmdir", "Symlink", "Truncate", "Unlink", "Unlinkat",
	},
	"github.com/spf13/cobra/doc": {"GenManTree", "GenManTreeFromOpts", "GenMarkdownTree", "GenReSTTree", "GenYamlTree"},
}

// readers use such a function only to read, each with how.
var readers = map[string]string{
	"internal/files/open_root.go os.OpenRoot":                  "O_RDONLY is all that it is asked for: systems that do not tell where a descriptor led",
	"internal/files/open_unix.go syscall.Open":                 "O_RDONLY, without the poller",
	"internal/files/open_within_linux.go unix.Open":            "O_PATH, to hold something, and O_RDONLY, to read it",
	"internal/files/open_within_linux.go unix.Openat":          "O_PATH, to hold what a link in an open folder leads to",
	"internal/files/upward_linux.go unix.Openat":               "O_PATH, to hold folders on the way down",
	"internal/follow/glance_linux.go unix.Open":                "O_PATH, to look from a folder at what is in it",
	"internal/identity/identity_windows.go windows.CreateFile": "OPEN_EXISTING, to ask what is there and whose it is",
	"internal/repository/open_unix.go os.OpenFile":             "O_RDONLY, to refuse pipes without waiting for them",
}

func TestOneWayToWrite(t *testing.T) {
	found, err := writingUses(os.DirFS("."), ownTree(t))
	if err != nil {
		t.Fatal(err)
	}
	unused := sortedKeys(readers)
	for _, use := range found {
		if readers[use] == "" {
			t.Errorf("%s: write by a Target of %s; if it only reads, say so in readers", use, writingFolder)
		}
		unused = slices.DeleteFunc(unused, func(u string) bool { return u == use })
	}
	for _, use := range unused {
		t.Errorf("readers lists %s, which does not exist", use)
	}
}

// writingUses returns each file outside writingFolder that uses one of writingNames, with that.
func writingUses(fsys fs.FS, tree *sourceTree) ([]string, error) {
	var found []string
	for _, folder := range sortedKeys(tree.packages) {
		if folder == writingFolder || strings.HasSuffix(folder, "test") { // what only tests use
			continue
		}
		for _, name := range tree.packages[folder].files {
			file, err := parseSource(fsys, name)
			if err != nil {
				return nil, err
			}
			file.uses(func(_ token.Position, local, imported, function string) {
				denied := writingNames[imported]
				if isSystemCalls(imported) {
					denied = writingNames["syscall"]
				}
				if use := fmt.Sprintf("%s %s.%s", name, local, function); slices.Contains(denied, function) && !slices.Contains(found, use) {
					found = append(found, use)
				}
			})
		}
	}
	return found, nil
}

func TestWriteCheckerFindsViolations(t *testing.T) {
	fsys := fstest.MapFS{
		"go.mod":                 {Data: []byte("module example.org/m\n")},
		"a/a.go":                 {Data: []byte("package a\n\nimport system \"os\"\n\nvar _, _ = system.WriteFile, system.ReadFile\n")},
		"atest/a.go":             {Data: []byte("package atest\n\nimport \"os\"\n\nvar _ = os.WriteFile\n")},
		"a/a_test.go":            {Data: []byte("package a\n\nimport \"os\"\n\nvar _ = os.WriteFile\n")},
		"b/b.go":                 {Data: []byte("package b\n\nimport \"golang.org/x/sys/unix\"\n\nfunc f() { unix.Openat(0, \"\", 0, 0); unix.Openat(0, \"\", 0, 0) }\n")},
		"internal/writing/it.go": {Data: []byte("package writing\n\nimport \"os\"\n\nvar _ = os.Create\n")},
	}
	tree, err := readTree(fsys)
	if err != nil {
		t.Fatal(err)
	}
	got, err := writingUses(fsys, tree)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a/a.go system.WriteFile", "b/b.go unix.Openat"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
