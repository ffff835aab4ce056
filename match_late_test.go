package pertain_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

// TestNoticeOfLateCollectors: who drops out because something took too long to
// collect was skipped for want of time (docs/reference/json.md); who would not be recommended
// anyway was not.
func TestNoticeOfLateCollectors(t *testing.T) {
	for _, tt := range []struct {
		name, when string
		absent     map[string]diag.Code
		want       bool
	}{
		{"the need", "clipboard.text: {contains: x}", map[string]diag.Code{"clipboard.text": diag.ExtraProviderTimeout}, true},
		{"a part of a need", "extra.workspace.git.branch: {equals: x}", map[string]diag.Code{"extra.workspace": diag.ExtraProviderTimeout}, true},
		{"a path", "extra.workspace.git.hasChanges: {equals: true}", map[string]diag.Code{"extra.workspace.git.hasChanges": diag.ExtraProviderTimeout}, true},
		{"items", "extra.file_manager.selection.items: {any: {extension: {in: [.txt]}}}", map[string]diag.Code{"extra.file_manager": diag.ExtraProviderTimeout}, true},
		{"an attachment", "attachments.selection.text: {length: {min: 1}}", map[string]diag.Code{"attachments.selection.text": diag.ExtraProviderTimeout}, true},
		{"the tree", `visual.exists: {query: "//Button"}`, map[string]diag.Code{"visual": diag.ExtraProviderTimeout}, true},
		{"another reason", "clipboard.text: {contains: x}", map[string]diag.Code{"clipboard.text": diag.ExtraProviderUnavailable}, false},
		{"another need", "clipboard.text: {contains: x}", map[string]diag.Code{"extra.browser": diag.ExtraProviderTimeout}, false},
		{"decided by another", "all: [{clipboard.text: {contains: x}}, {environment.os: {equals: none}}]", map[string]diag.Code{"clipboard.text": diag.ExtraProviderTimeout}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "a.strategy.md"), []byte("---\nname: A\nwhen: {"+tt.when+"}\n---\nx\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			parts := facts.Parts{Values: facts.Fields(facts.Field{Name: "environment", Value: facts.Fields(facts.Field{Name: "os", Value: facts.Text("linux")})}), Absent: map[string]facts.Absence{}}
			for name, code := range tt.absent {
				parts.Absent[name] = facts.Absence{Code: code, Reason: "there was no answer"}
			}
			engine := openFolder(t, dir)
			for _, all := range []bool{false, true, false} { // the third has an index
				m, err := engine.Match(t.Context(), facts.NewSnapshot(parts), pertain.MatchOptions{All: all})
				if err != nil {
					t.Fatal(err)
				}
				if got := len(m.Notices) == 1 && m.Notices[0].Code == "strategies.slow"; got != tt.want || len(m.Notices) > 1 {
					t.Errorf("all %v: notices are %v", all, m.Notices)
				}
			}
		})
	}
}
