package filemanager

import (
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"testing"
)

func TestAXFinderAnswer(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "My File #1.pdf")
	if err := os.WriteFile(file, []byte("1234"), 0o600); err != nil {
		t.Fatal(err)
	}
	address := func(path string) string { return (&url.URL{Scheme: "file", Path: path}).String() }
	said, err := json.Marshal(map[string]any{"folder": address(dir) + "/", "more": 2, "items": []any{
		map[string]any{"url": address(file), "name": ""},
		map[string]any{"url": address(dir) + "/", "name": ""},
		map[string]any{"url": "", "name": "A computer"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	var answer finderAnswer
	if err := json.Unmarshal(said, &answer); err != nil {
		t.Fatal(err)
	}
	part := answer.part()
	if got := part.Summary["extra.file_manager"]; got != "5 selected" {
		t.Error(got)
	}
	manager := part.Values.Field("extra").Field("file_manager")
	if got := manager.Field("current_folder").Field("path").Text(); got != dir {
		t.Errorf("folder %q", got)
	}
	items := manager.Field("selection").Field("items").Items()
	if len(items) != 5 {
		t.Fatalf("%d items", len(items))
	}
	for i, want := range []struct{ path, name, kind, extension string }{
		{file, "My File #1.pdf", "file", ".pdf"},
		{dir, filepath.Base(dir), "folder", ""},
		{"", "A computer", "virtual", ""},
		{"", "", "", ""},
	} {
		item := items[i]
		if item.Field("path").Text() != want.path || item.Field("displayName").Text() != want.name || item.Field("kind").Text() != want.kind || item.Field("extension").Text() != want.extension {
			t.Errorf("item %d: %v", i, item)
		}
	}
}
