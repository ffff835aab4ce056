package process

import (
	"path/filepath"
	"strings"
)

// DocumentFolder is the folder of the document that an editor's title names, "" if it
// names none that is there. isFile tells whether a path is that of a file.
//
// Editors write a document's way in few forms:
//
//	notes.txt (~/project) - gedit          gedit, Pluma, GVim, xed
//	notes.txt - /home/me/project - Geany   Geany
//	~/project/notes.txt - Mousepad         Mousepad and Kate, where they are told to; FeatherPad
//
// Titles are texts that anybody may have a hand in, so what counts is only a file that is
// there: the name and the folder have to belong together.
func DocumentFolder(title, home string, isFile func(path string) bool) string {
	title = strings.TrimLeft(title, "*•●◆+ ") // not saved yet
	whole := func(path string) string {
		switch {
		case path == "~" || strings.HasPrefix(path, "~/"):
			if !filepath.IsAbs(home) {
				return ""
			}
			path = home + path[1:]
		case !filepath.IsAbs(path):
			return ""
		}
		return filepath.Clean(path)
	}
	if name, rest, ok := strings.Cut(title, " ("); ok && plainName(name) {
		for at := strings.LastIndex(rest, ")"); at > 0; at = strings.LastIndex(rest[:at], ")") { // a folder may have brackets, too
			if folder := whole(rest[:at]); folder != "" && isFile(filepath.Join(folder, name)) {
				return folder
			}
		}
	}
	parts := dashes.Replace(title)
	for path := parts; path != ""; path = beforeLast(path) {
		if document := whole(strings.TrimSpace(path)); document != "" && isFile(document) {
			return filepath.Dir(document)
		}
	}
	if name, rest, ok := strings.Cut(parts, " - "); ok && plainName(name) {
		for path := rest; path != ""; path = beforeLast(path) {
			if folder := whole(strings.TrimSpace(path)); folder != "" && isFile(filepath.Join(folder, name)) {
				return folder
			}
		}
	}
	return ""
}

// dashes stand between the parts of a title, in one form or the other.
var dashes = strings.NewReplacer(" — ", " - ", " – ", " - ")

// plainName tells whether a text is the name of a file, without a way.
func plainName(name string) bool {
	return name != "" && name != "." && name != ".." && !strings.ContainsAny(name, "/\x00")
}

// beforeLast is a text up to its last dash, "" if it has none: names may have dashes, too.
func beforeLast(text string) string {
	at := strings.LastIndex(text, " - ")
	if at < 0 {
		return ""
	}
	return text[:at]
}
