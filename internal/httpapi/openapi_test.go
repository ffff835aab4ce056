package httpapi

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

var update = flag.Bool("update", false, "write docs/openapi.json")

func TestOpenAPIIsCurrent(t *testing.T) {
	name := filepath.Join("..", "..", "docs", "openapi.json")
	if *update {
		if err := os.WriteFile(name, OpenAPI(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(have, OpenAPI()) {
		t.Error("docs/openapi.json is not what the routes say; run `go test ./internal/httpapi -update`")
	}
}

// TestEverythingIsDescribed holds that the description and the manual have each
// address that the server answers to.
func TestEverythingIsDescribed(t *testing.T) {
	manual, err := os.ReadFile(filepath.Join("..", "..", "docs", "http.md"))
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, r := range routes() {
		paths = append(paths, r.method+" "+r.path)
	}
	for _, e := range extras() {
		paths = append(paths, e.method()+" "+e.path)
	}
	var document struct {
		Paths map[string]map[string]struct{ Security *[]any }
	}
	if err := json.Unmarshal(OpenAPI(), &document); err != nil {
		t.Fatal(err)
	}
	for _, name := range append(paths, "GET /metrics", "GET /healthz", "GET /api/v1/openapi.json", "GET /api/v1/events") {
		method, path, _ := strings.Cut(name, " ")
		operation, ok := document.Paths[path][strings.ToLower(method)]
		if !ok {
			t.Errorf("%s is not described", name)
		}
		if public := operation.Security != nil && len(*operation.Security) == 0; public != (path == "/healthz") {
			t.Errorf("%s: that it needs no token is %v", name, public)
		}
		if !bytes.Contains(manual, []byte("| `"+name)) {
			t.Errorf("docs/http.md does not have %s", name)
		}
	}
}

// Strict returns for each route, such as "GET /api/v1/match", a schema that its
// answers must meet, and that allows no field which is not described.
func Strict(t *testing.T) map[string]*jsonschema.Resolved {
	t.Helper()
	text := strings.ReplaceAll(string(openAPIOf(true)), componentPrefix, "#/$defs/")
	var document struct {
		Paths map[string]map[string]struct {
			Responses map[string]struct {
				Content map[string]struct{ Schema *jsonschema.Schema }
			}
		}
		Components struct{ Schemas map[string]*jsonschema.Schema }
	}
	if err := json.Unmarshal([]byte(text), &document); err != nil {
		t.Fatal(err)
	}
	out := map[string]*jsonschema.Resolved{}
	for path, methods := range document.Paths {
		for method, operation := range methods {
			media, ok := operation.Responses["200"].Content["application/json"]
			if !ok {
				continue
			}
			schema := media.Schema.CloneSchemas()
			schema.Defs = map[string]*jsonschema.Schema{}
			for name, s := range document.Components.Schemas {
				schema.Defs[name] = s.CloneSchemas()
			}
			resolved, err := schema.Resolve(nil)
			if err != nil {
				t.Fatalf("%s %s: %v", method, path, err)
			}
			out[strings.ToUpper(method)+" "+path] = resolved
		}
	}
	return out
}
