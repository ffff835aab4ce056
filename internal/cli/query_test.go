package cli_test

import (
	"bytes"
	"cmp"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/cli"
)

// TestQueryOfAPart: what is not all of a window is said to be a part, and the settings'
// limits and mistakes count as they do for match.
func TestQueryOfAPart(t *testing.T) {
	dir := t.TempDir()
	whole := filepath.Join(dir, "whole.json")
	part := filepath.Join(dir, "part.json")
	const roots = `"roots": [{"type": "TopLevel", "id": "w", "children": [{"type": "Button", "id": "b"}]}]`
	writeFile(t, whole, `{"visual": {`+roots+`}}`)
	writeFile(t, part, `{"visual": {"partial": true, `+roots+`}}`)
	large := filepath.Join(dir, "large.json")
	writeFile(t, large, `{"visual": {"roots": [{"type": "TopLevel", "children": [`+strings.Repeat(`{"type": "Button"},`, 19_999)+`{"type": "Button"}]}]}}`)
	unread := filepath.Join(dir, "unread.json")
	writeFile(t, unread, `{"visual": {"roots": [{"type": "TopLevel", "text": null, "children": [{"type": "Button", "text": null}]}]}}`)
	config := filepath.Join(dir, "config.yaml")
	for _, tt := range []struct {
		settings, context string
		flags             []string
		says              string // "": nothing of these
		code              int
		query             string // "": //Button
	}{
		{"", part, nil, "there may be more", 0, ""},
		{"", part, []string{"--json"}, `"partial": true`, 0, ""},
		{"", whole, nil, "", 0, ""},
		{"", whole, []string{"--json"}, "", 0, ""},
		{"options: {visualQueryTimeout: 0.001ms}\n", large, []string{"--json"}, "visual.query_timeout", 0, ""},
		{"options: {visualQueryTimeout: 60s}\n", large, nil, "20000 elements", 0, ""},
		{"options: 7\n", whole, nil, "options", 0, ""},
		{"options: 7\n", whole, []string{"--json"}, "options", 0, ""},
		{"", unread, nil, "", 0, ""},
		{"", unread, []string{"--json"}, `"partial": true`, 0, "//Button/@text"},
		{"", unread, nil, "0 elements in what was read; there may be more: 2 texts are not known", 0, "//Button[contains(@text,'x')]"},
	} {
		writeFile(t, config, tt.settings)
		var out, notes bytes.Buffer
		code := cli.Main(t.Context(), cli.Invocation{
			Args: append([]string{"query", cmp.Or(tt.query, "//Button"), "--context", tt.context}, tt.flags...), Stdin: strings.NewReader(""), Stdout: &out, Stderr: &notes, Dir: dir,
			Env: func(name string) string { return map[string]string{"HOME": dir, "PERTAIN_CONFIG": config}[name] },
		})
		all := out.String() + notes.String()
		if tt.says != "" && !strings.Contains(all, tt.says) || tt.says == "" && (strings.Contains(all, "may be more") || strings.Contains(all, "partial") || strings.Contains(all, "diagnostics")) {
			t.Errorf("%q %s %v: exit %d, %s", tt.settings, filepath.Base(tt.context), tt.flags, code, all)
		}
		if code != tt.code {
			t.Errorf("%q %v: exit %d, %s", tt.settings, tt.flags, code, all)
		}
	}
}
