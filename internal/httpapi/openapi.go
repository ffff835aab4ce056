package httpapi

import (
	"bytes"
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// OpenAPI is the description of the API (OpenAPI 3.1), made of the table of
// routes. It is kept in docs/openapi.json. The API has a version of its own; the
// program's is left out, so that the file changes with the API alone.
func OpenAPI() []byte { return openAPIOf(false) }

// openAPIOf makes the description. A strict one forbids fields that it does not
// list, for tests; clients must not rely on that, since adding fields is free.
func openAPIOf(strict bool) []byte {
	known := knownSchemas()
	schemas := map[string]*jsonschema.Schema{}
	for _, c := range components() {
		schemas[c.name] = relaxed(schemaOf(c.form, known), strict)
	}
	document := openAPI{
		OpenAPI: "3.1.0",
		Info: openInfo{
			Title: "Pertain", Version: "1",
			Description: "What `pertain serve` answers. The forms are those of the command line's JSON. Clients ignore fields they do not know.",
		},
		Security: []map[string][]string{{"token": {}}},
		Paths:    map[string]map[string]*openOperation{},
		Components: openComponents{
			Schemas:         schemas,
			SecuritySchemes: map[string]map[string]string{"token": {"type": "http", "scheme": "bearer"}},
		},
	}
	for _, r := range routes() {
		document.add(r.path, r.method, operation(r, known, strict))
	}
	for _, e := range extras() {
		document.add(e.path, e.method(), e.operation(known, strict))
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(document); err != nil {
		panic(err) // made of this package's own types: a test makes it
	}
	return b.Bytes()
}

type openAPI struct {
	OpenAPI    string                               `json:"openapi"`
	Info       openInfo                             `json:"info"`
	Security   []map[string][]string                `json:"security"`
	Paths      map[string]map[string]*openOperation `json:"paths"`
	Components openComponents                       `json:"components"`
}

type openInfo struct {
	Title       string `json:"title"`
	Version     string `json:"version"`
	Description string `json:"description"`
}

type openComponents struct {
	Schemas         map[string]*jsonschema.Schema `json:"schemas"`
	SecuritySchemes map[string]map[string]string  `json:"securitySchemes"`
}

type openOperation struct {
	Summary     string                  `json:"summary"`
	Security    *[]map[string][]string  `json:"security,omitempty"` // an empty list: no token is needed
	Parameters  []openParameter         `json:"parameters,omitempty"`
	RequestBody *openBody               `json:"requestBody,omitempty"`
	Responses   map[string]openResponse `json:"responses"`
}

type openParameter struct {
	Name        string             `json:"name"`
	In          string             `json:"in"`
	Required    bool               `json:"required"`
	Description string             `json:"description,omitempty"`
	Schema      *jsonschema.Schema `json:"schema"`
}

type openBody struct {
	Required bool                 `json:"required"`
	Content  map[string]openMedia `json:"content"`
}

type openResponse struct {
	Description string               `json:"description"`
	Content     map[string]openMedia `json:"content"`
}

type openMedia struct {
	Schema *jsonschema.Schema `json:"schema"`
}

func (d *openAPI) add(path, method string, o *openOperation) {
	if d.Paths[path] == nil {
		d.Paths[path] = map[string]*openOperation{}
	}
	d.Paths[path][strings.ToLower(method)] = o
}

func operation(r route, known map[reflect.Type]*jsonschema.Schema, strict bool) *openOperation {
	o := &openOperation{Summary: r.summary, Responses: map[string]openResponse{
		"200":     {"the answer", jsonMedia(relaxed(schemaOf(r.out, known), strict))},
		"default": {"what is wrong with the request", jsonMedia(&jsonschema.Schema{Ref: componentPrefix + "Error"})},
	}}
	in := schemaOf(r.in, known)
	if r.method == http.MethodPost {
		o.RequestBody = &openBody{true, jsonMedia(in)}
		return o
	}
	for _, name := range in.PropertyOrder {
		p := in.Properties[name]
		about := p.Description
		p.Description = ""
		o.Parameters = append(o.Parameters, openParameter{Name: name, In: "query", Required: slices.Contains(in.Required, name), Description: about, Schema: p})
	}
	return o
}

func (e extra) operation(known map[reflect.Type]*jsonschema.Schema, strict bool) *openOperation {
	schema := &jsonschema.Schema{Type: "string"}
	switch {
	case e.out != nil:
		schema = relaxed(schemaOf(e.out, known), strict)
	case e.media == "application/json":
		schema = &jsonschema.Schema{Type: "object"}
	}
	o := &openOperation{Summary: e.summary, Responses: map[string]openResponse{
		"200":     {"the answer", map[string]openMedia{e.media: {schema}}},
		"default": {"what is wrong with the request", jsonMedia(&jsonschema.Schema{Ref: componentPrefix + "Error"})},
	}}
	if e.in != nil {
		o.RequestBody = &openBody{true, jsonMedia(schemaOf(e.in, known))}
	}
	if e.resumes {
		o.Parameters = []openParameter{{
			Name: "Last-Event-ID", In: "header", Description: "the id that came last; what was missed since then is told first", Schema: &jsonschema.Schema{Type: "string"},
		}}
	}
	if e.public {
		o.Security = &[]map[string][]string{}
	}
	return o
}

func jsonMedia(schema *jsonschema.Schema) map[string]openMedia {
	return map[string]openMedia{"application/json": {schema}}
}

// schemaOf describes a type. Lists are never null here, though nil slices would
// be.
func schemaOf(t reflect.Type, known map[reflect.Type]*jsonschema.Schema) *jsonschema.Schema {
	if schema := known[t]; schema != nil {
		return schema
	}
	schema, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: known})
	if err != nil {
		panic(err) // a type of this package that has no JSON form: a test makes all
	}
	neverNull(schema)
	return schema
}

func neverNull(schema *jsonschema.Schema) {
	if schema == nil {
		return
	}
	if len(schema.Types) == 2 && schema.Types[0] == "null" && schema.Types[1] == "array" {
		schema.Types, schema.Type = nil, "array"
	}
	if schema.Ref != "" { // of a pointer, which is never nil in an answer
		schema.Types, schema.Type = nil, ""
	}
	neverNull(schema.Items)
	neverNull(schema.AdditionalProperties)
	for _, p := range schema.Properties {
		neverNull(p)
	}
}

// relaxed lets an answer have fields that are not listed.
func relaxed(schema *jsonschema.Schema, strict bool) *jsonschema.Schema {
	if schema == nil || strict {
		return schema
	}
	if a := schema.AdditionalProperties; a != nil && a.Not != nil {
		schema.AdditionalProperties = nil
	}
	relaxed(schema.Items, strict)
	relaxed(schema.AdditionalProperties, strict)
	for _, p := range schema.Properties {
		relaxed(p, strict)
	}
	return schema
}

func serveOpenAPI(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_, _ = w.Write(OpenAPI()) // a client that is gone needs no answer
}
