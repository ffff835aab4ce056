package process

import "testing"

// TestDocumentFolder: titles as editors write them, and texts that only look alike.
func TestDocumentFolder(t *testing.T) {
	there := map[string]bool{
		"/home/me/project/notes.txt": true, "/home/me/notes.txt": true, "/srv/a - b/x - y.c": true, "/srv/c (old)/n.md": true, "/home/me/project/a (1).txt": true,
	}
	for title, want := range map[string]string{
		"notes.txt (~/project) - gedit":           "/home/me/project",
		"*notes.txt (~/project) - Pluma":          "/home/me/project",
		"notes.txt (~) - GVIM":                    "/home/me",
		"notes.txt + (~/project) - GVIM":          "", // nothing tells that the plus is none of the name
		"n.md (/srv/c (old)) - gedit":             "/srv/c (old)",
		"notes.txt - /home/me/project - Geany":    "/home/me/project",
		"x - y.c - /srv/a - b - Geany":            "", // where the name ends is not told
		"~/project/notes.txt - Mousepad":          "/home/me/project",
		"/home/me/project/notes.txt":              "/home/me/project",
		"/srv/a - b/x - y.c - FeatherPad":         "/srv/a - b",
		"~/project/notes.txt — Kate":              "/home/me/project",
		"• ~/project/notes.txt — Kate":            "/home/me/project",
		"notes.txt - Mousepad":                    "",
		"other.txt (~/project) - gedit":           "", // not there
		"notes.txt (~/elsewhere) - gedit":         "",
		"../notes.txt (~/project) - gedit":        "",
		"project/notes.txt (~) - gedit":           "", // a way is no name
		"notes.txt (project) - gedit":             "", // relative to what?
		"Re: your mail (~/project) - Thunderbird": "",
		"notes.txt (":                             "", "(~/project)": "", " ()": "", "": "", "/": "", "~": "", " - ": "", "notes.txt - ": "",
	} {
		if got := DocumentFolder(title, "/home/me", func(path string) bool { return there[path] }); got != want {
			t.Errorf("%q: %q, want %q", title, got, want)
		}
	}
	if got := DocumentFolder("notes.txt (~/project) - gedit", "", func(string) bool { return true }); got != "" {
		t.Errorf("without a home: %q", got)
	}
}
