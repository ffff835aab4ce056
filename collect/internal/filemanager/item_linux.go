package filemanager

import (
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/facts"
)

// fileItem describes what a file manager shows under a name. What is not a file
// of the folder, such as an entry of the trash, has no path; nor has a file whose
// name is not valid UTF-8, which no text can tell.
func fileItem(folder, name string) facts.Value {
	if folder == "" {
		return ItemAt("", name)
	}
	path := filepath.Join(folder, name)
	if _, err := os.Lstat(path); err != nil && inFolder(folder, name) {
		return unknownItem(name)
	}
	return ItemAt(path, name)
}

// inFolder tells whether a name is that of something in a folder.
func inFolder(folder, name string) bool {
	if folder == "" || name == "" || name == "." || name == ".." || strings.ContainsRune(name, '/') {
		return false
	}
	if _, err := os.Lstat(filepath.Join(folder, name)); err == nil {
		return true
	}
	return strings.ContainsRune(name, utf8.RuneError) && shownBadly(folder, name)
}

// shownBadly tells whether a folder has a file with a name that is not valid
// UTF-8 and is shown so: with a sign for each wrong byte, and perhaps with a
// remark after it in the user's language.
func shownBadly(folder, name string) bool {
	f, err := os.Open(folder)
	if err != nil {
		return false
	}
	defer f.Close()
	names, _ := f.Readdirnames(maxNames)
	for _, real := range names {
		if shown := string([]rune(real)); !utf8.ValidString(real) && (name == shown || strings.HasPrefix(name, shown+" (")) {
			return true
		}
	}
	return false
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// unknownItem describes what is shown under a name, and nothing is known of what
// it is.
func unknownItem(name string) facts.Value {
	return facts.Fields(facts.Field{Name: "path"}, facts.Field{Name: "displayName", Value: facts.Text(name)}, facts.Field{Name: "kind", Value: facts.Text("unknown")})
}
