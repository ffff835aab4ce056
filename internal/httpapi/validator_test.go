package httpapi_test

import (
	"os"
	"path/filepath"
	"testing"
)

// TestOpenAPIValidator holds the description against the OpenAPI Initiative's own
// schema, with a validator from npm's registry, so it runs only when asked for:
// .ci/clients does.
func TestOpenAPIValidator(t *testing.T) {
	tools := browserTools(t)
	description, err := filepath.Abs(filepath.Join("..", "..", "docs", "openapi.json"))
	if err != nil {
		t.Fatal(err)
	}
	t.Log(run(t, tools, "node", "openapi.mjs", description))
	broken := filepath.Join(t.TempDir(), "broken.json") // the validator looks at parameters
	if err := os.WriteFile(broken, []byte(`{"openapi":"3.1.0","info":{"title":"x","version":"1"},"paths":{"/a":{"get":{"parameters":[{"name":"x"}]}}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Log(run(t, tools, "node", "openapi.mjs", broken, "--refused"))
}
