package facts_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/facts"
)

// specified are the paths of docs/reference/paths.md with their kinds.
const specified = `
attachments.files array
attachments.files[].path array
attachments.files[].mimeType array
attachments.files[].extension array
attachments.selection.text string
attachments.text string
attachments.visual.primary string
attachments.visual.items array
clipboard.text string
clipboard.hasText boolean
clipboard.hasImage boolean
clipboard.files array
assistant.id string
assistant.name string
assistant.model.id string
assistant.model.modalities array
assistant.model.supportsToolCall boolean
environment.os string
environment.architecture string
environment.locale string
environment.timeZone string
environment.currentDate string
extra.file_manager.current_folder.path string
extra.file_manager.current_folder.displayName string
extra.file_manager.selection.items array
extra.file_manager.selection.items[].path array
extra.file_manager.selection.items[].displayName array
extra.file_manager.selection.items[].kind array
extra.file_manager.selection.items[].extension array
extra.file_manager.selection.items[].size array
extra.browser.active_tab.url string
extra.browser.active_tab.title string
extra.browser.active_tab.domain string
extra.workspace.root string
extra.workspace.name string
extra.workspace.git.branch string
extra.workspace.git.hasChanges boolean
`

func TestSchemaHasEveryPath(t *testing.T) {
	for line := range strings.Lines(strings.TrimSpace(specified)) {
		name, kind, _ := strings.Cut(strings.TrimSpace(line), " ")
		p, ok := facts.Lookup(name)
		if !ok {
			t.Errorf("%s is not in the schema", name)
			continue
		}
		if !strings.HasSuffix(p.Kind.String(), " "+kind) {
			t.Errorf("%s is %s, want %s", name, p.Kind, kind)
		}
		if p.Doc == "" {
			t.Errorf("%s is not documented", name)
		}
	}
}

func TestSchemaIsConsistent(t *testing.T) {
	for i, p := range facts.Paths() {
		if p.Index() != i {
			t.Errorf("%s has the index %d at the place %d", p.Name, p.Index(), i)
		}
		root, _, _ := strings.Cut(p.Name, ".")
		needs := facts.NeedOf(p.Name)
		switch {
		case (root == "attachments" || root == "environment") && needs != "":
			t.Errorf("%s needs %s, though nothing is collected for it", p.Name, needs)
		case root == "extra" && p.Kind != facts.Object && needs != strings.Join(strings.Split(p.Name, ".")[:2], "."):
			t.Errorf("%s needs %s", p.Name, needs)
		case (root == "clipboard" || root == "assistant") && p.Kind != facts.Object && needs == "":
			t.Errorf("%s needs nothing", p.Name)
		}
		if needs != "" && facts.PermissionOf(needs) == "" {
			t.Errorf("%s: users are told nothing of %s", p.Name, needs)
		}
		if base := p.Base(); base != nil {
			field := strings.TrimPrefix(p.Name, base.Name+"[].")
			if found, ok := base.ItemField(field); !ok || found != p {
				t.Errorf("%s is not found through its array", p.Name)
			}
		}
	}
	files, _ := facts.Lookup("attachments.files")
	if diff := cmp.Diff([]string{"path", "mimeType", "extension"}, files.ItemFields()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"attachments", "visual", "clipboard", "assistant", "environment", "extra", "activeProcess"}, facts.Roots()); diff != "" {
		t.Errorf("not the roots of the context and the program in front: %s", diff)
	}
}

func TestNeedsOfUnknownPaths(t *testing.T) {
	for path, want := range map[string]string{
		"extra.mail.inbox.count": "extra.mail", "extra.mail[].from": "extra.mail", "clipboard.html": "clipboard.html", "clipboard.files[].name": "clipboard.files",
		"assistant.voice": "assistant.voice", "attachments.nothing": "", "environment.nothing": "", "nonsense": "", "extra": "", "clipboard": "",
	} {
		if got := facts.NeedOf(path); got != want {
			t.Errorf("NeedOf(%s) = %q, want %q", path, got, want)
		}
	}
}

func TestNearestPath(t *testing.T) {
	for name, want := range map[string]string{
		"clipboard.txt": "clipboard.text", "clipboard.hastext": "clipboard.hasText", "extra.browser.url": "extra.browser.active_tab.url",
		"attachments.file.path": "attachments.files[].path", "environment.operatingSystem": "", "extra.browser.active_tab.adress": "",
	} {
		if got := facts.NearestPath(name); want != "" && got != want {
			t.Errorf("NearestPath(%s) = %q, want %q", name, got, want)
		}
	}
}

func TestNeeds(t *testing.T) {
	var n facts.Needs
	n.Add("visual", "clipboard.text", "", "extra.browser", "clipboard.text", "assistant.id", "assistant.model.id")
	if diff := cmp.Diff([]string{"assistant.id", "assistant.model.id", "clipboard.text", "extra.browser", "visual"}, n.Names()); diff != "" {
		t.Error(diff)
	}
	var other facts.Needs
	other.Add("extra.workspace", "clipboard.files")
	other.Merge(n)
	if !other.Has("visual") || other.Has("clipboard.hasText") || len(other.Names()) != 7 {
		t.Errorf("merged: %v", other.Names())
	}
	want := []string{"Reads the assistant's settings", "Reads clipboard text", "Reads the browser's active tab", "Reads visible interface elements"}
	if diff := cmp.Diff(want, n.Permissions()); diff != "" {
		t.Errorf("each sentence once: %s", diff)
	}
	n.AddPath("extra.browser.active_tab.html")
	if got := n.Permissions(); len(got) != len(want)+1 || got[3] != "Reads the page in the browser's active tab" {
		t.Errorf("with the page: %v", got)
	}
	if facts.PermissionOf("extra.music_player") != "Reads music player context" || facts.PermissionOf("nonsense") != "" {
		t.Error("permissions of what no schema knows")
	}
}
