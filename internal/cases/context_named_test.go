package cases_test

import (
	"testing"

	"github.com/pertain-dev/pertain/internal/cases"
	"github.com/pertain-dev/pertain/internal/files"
)

// TestOpenContext: a context lies in the workspace and may be about secrets; what the user keeps there is no context.
func TestOpenContext(t *testing.T) {
	tree := files.NewMemory(files.Unix)
	tree.WriteFile("/w/.bare/HEAD", "")
	tree.MakeFolder("/w/.bare/objects")
	tree.MakeFolder("/w/.bare/refs")
	for path, want := range map[string]string{
		"/w/t/a.context.yaml":    "",
		"/w/t/token.json":        "",
		"/w/t/passwords.yml":     "",
		"/w/.env":                "it looks like a secret",
		"/w/.git/config":         "it looks like a secret",
		"/w/.bare/config":        "it looks like a secret",
		"/w/.bare/x.json":        "it looks like a secret",
		"/w/.git/x.json":         "it looks like a secret",
		"/w/.aws/x.yaml":         "it looks like a secret",
		"/w/.token.json":         "it looks like a secret",
		"/w/terraform.tfstate":   "it looks like a secret",
		"/other/a.context.yaml":  "it is a link that leads out of the workspace",
		"/other/a.context2.yaml": "it is a link that leads out of the workspace",
	} {
		tree.WriteFile(path, "{}")
		data, err := cases.OpenContext(tree, path, files.Below(tree, "/w"))
		if (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("%s: %v", path, err)
		} else if err == nil && string(data) != "{}" {
			t.Errorf("%s: %q", path, data)
		}
		if data, err := cases.OpenContext(tree, path, files.Anywhere()); err != nil || string(data) != "{}" {
			t.Errorf("%s, which the user may read: %v", path, err)
		}
	}
	for text, ok := range map[string]bool{"def f(x):\n    return x\n": true, "WIFI = 'swordfish'\n": false} {
		tree.WriteFile("/w/secrets.py", text)
		if _, err := cases.OpenContext(tree, "/w/secrets.py", files.Below(tree, "/w")); (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := cases.OpenContext(tree, "/w/none.json", files.Below(tree, "/w")); err == nil {
		t.Error("what is not there was read")
	}
}
