package diag_test

import (
	"encoding/json"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/diag"
)

func TestJSON(t *testing.T) {
	text := "---\nname: x\nid: ä b\n---\n"
	source := diag.NewSource("/w/x.strategy.md", text)
	start := strings.Index(text, "ä b")
	full := diag.At(source, diag.Span{Start: start, End: start + len("ä b")}, diag.StrategyInvalidID, "`ä b` is not an id").
		WithHint("write <b> & more").
		WithRelated(source, diag.Span{Start: 4, End: 8}, "the name is here").
		WithRelated(diag.NewSource("/w/y.md", ""), diag.NoSpan, "and this file").
		WithRelated(nil, diag.NoSpan, "and a thought")
	full.Strategy, full.Path, full.Provider, full.Duration = "user.x", "clipboard.text", "linux.atspi", 51_200*time.Microsecond
	bare := diag.Diagnostic{Severity: diag.Info, Code: diag.VisualUnavailable, Message: "no visible elements"}
	data, err := json.Marshal(diag.List{full, bare})
	if err != nil {
		t.Fatal(err)
	}
	var got []map[string]any
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	want := []map[string]any{
		{
			"severity": "error", "code": "strategy.invalid_id", "message": "`ä b` is not an id; write <b> & more", "hint": "write <b> & more",
			"strategy": "user.x", "file": "/w/x.strategy.md", "line": 3.0, "column": 5.0, "endLine": 3.0, "endColumn": 8.0,
			"path": "clipboard.text", "provider": "linux.atspi", "durationMs": 51.2,
			"related": []any{
				map[string]any{"file": "/w/x.strategy.md", "line": 2.0, "column": 1.0, "message": "the name is here"},
				map[string]any{"file": "/w/y.md", "message": "and this file"},
				map[string]any{"message": "and a thought"},
			},
		},
		{"severity": "info", "code": "visual.unavailable", "message": "no visible elements"}, // absent parts are left out
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestJSONOfNothing(t *testing.T) {
	for _, list := range []diag.List{nil, {}} {
		if data, err := json.Marshal(struct{ D diag.List }{list}); err != nil || string(data) != `{"D":[]}` {
			t.Errorf("%s, %v", data, err)
		}
	}
}

func TestGitHub(t *testing.T) {
	d := mark("a\nkey: value", "value").WithHint("%s", "100% sure\nnext")
	d.Message = "wrong: a,b\r"
	warning := diag.At(diag.NewSource("/w/a,b:c%\n.md", "x\ny\n"), diag.Span{Start: 0, End: 3}, diag.RuleEmpty, "two lines")
	list := diag.List{
		d, warning,
		diag.At(diag.NewSource("/w/z.md", ""), diag.NoSpan, diag.RuleEmpty, "whole"),
		{Severity: diag.Info, Code: diag.VisualUnavailable, Message: "no file"},
	}
	var b strings.Builder
	if err := diag.GitHub(&b, list, func(name string) string { return strings.TrimPrefix(name, "/w/") }); err != nil {
		t.Fatal(err)
	}
	want := `::error file=x.strategy.md,line=2,endLine=2,col=6,endColumn=11,title=strategy.invalid_field::wrong: a,b%0D; 100%25 sure next
::warning file=a%2Cb%3Ac%25%0A.md,line=1,endLine=2,title=rule.empty::two lines
::warning file=z.md,title=rule.empty::whole
::notice title=visual.unavailable::no file
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
	b.Reset()
	// The code may be the name of a rule, and so that of any file.
	hostile := diag.List{{Code: "a\x1b[31m\xff:b", Message: "m"}}
	if err := diag.GitHub(&b, hostile, nil); err != nil || !strings.Contains(b.String(), "title=a\uFFFD[31m\uFFFD%3Ab::") {
		t.Errorf("a hostile code: %q, %v", b.String(), err)
	}
	b.Reset()
	if err := diag.GitHub(&b, list[:1], nil); err != nil || !strings.Contains(b.String(), "file=/w/x.strategy.md,") {
		t.Errorf("without a way to name files: %q, %v", b.String(), err)
	}
}

// object walks a decoded JSON document; a missing part fails the test.
type object struct {
	t *testing.T
	v any
}

func (o object) at(keys ...any) object {
	o.t.Helper()
	for _, key := range keys {
		switch key := key.(type) {
		case string:
			m, _ := o.v.(map[string]any)
			value, ok := m[key]
			if !ok {
				o.t.Fatalf("there is no %q in %v", key, o.v)
			}
			o.v = value
		case int:
			list, _ := o.v.([]any)
			if key >= len(list) {
				o.t.Fatalf("there is no item %d in %v", key, o.v)
			}
			o.v = list[key]
		}
	}
	return o
}

func sarif(t *testing.T, list diag.List, opts diag.SARIFOptions) object {
	t.Helper()
	var b strings.Builder
	if err := diag.SARIF(&b, list, opts); err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal([]byte(b.String()), &v); err != nil {
		t.Fatal(err)
	}
	return object{t, v}
}

// TestSARIF checks what SARIF 2.1.0 requires: version and runs (§3.13), tool.driver.name (§3.18-19), result.message (§3.27.11),
// 1-based regions with an exclusive end (§3.30), rule indexes that fit (§3.27.6), base URIs with a final slash (§3.14.14).
func TestSARIF(t *testing.T) {
	d := mark("a\nkey: v😀x", "v😀x").WithHint("write another").
		WithRelated(diag.NewSource("/w/sub dir/y#1.md", "ab"), diag.Span{Start: 1, End: 2}, "see here").
		WithRelated(nil, diag.NoSpan, "no place")
	list := diag.List{
		d,
		{Severity: diag.Info, Code: diag.VisualUnavailable, Message: "no file"},
		diag.At(diag.NewSource("/elsewhere/ä.md", ""), diag.NoSpan, diag.RuleEmpty, "whole file"),
		d,
	}
	log := sarif(t, list, diag.SARIFOptions{Version: "1.2.3", Root: "/w"})
	for _, tt := range []struct {
		at   []any
		want any
	}{
		{[]any{"version"}, "2.1.0"},
		{[]any{"$schema"}, "https://json.schemastore.org/sarif-2.1.0.json"},
		{[]any{"runs", 0, "tool", "driver", "name"}, "pertain"},
		{[]any{"runs", 0, "tool", "driver", "version"}, "1.2.3"},
		{[]any{"runs", 0, "tool", "driver", "rules", 0, "id"}, "strategy.invalid_field"},
		{[]any{"runs", 0, "tool", "driver", "rules", 0, "defaultConfiguration", "level"}, "error"},
		{[]any{"runs", 0, "tool", "driver", "rules", 1, "defaultConfiguration", "level"}, "note"},
		{[]any{"runs", 0, "columnKind"}, "unicodeCodePoints"},
		{[]any{"runs", 0, "originalUriBaseIds", "ROOT", "uri"}, "file:///w/"},
		{[]any{"runs", 0, "invocations", 0, "executionSuccessful"}, true},
		{[]any{"runs", 0, "results", 0, "ruleId"}, "strategy.invalid_field"},
		{[]any{"runs", 0, "results", 0, "ruleIndex"}, 0.0},
		{[]any{"runs", 0, "results", 0, "level"}, "error"},
		{[]any{"runs", 0, "results", 0, "message", "text"}, "this is wrong; write another"},
		{[]any{"runs", 0, "results", 0, "locations", 0, "physicalLocation", "artifactLocation", "uri"}, "x.strategy.md"},
		{[]any{"runs", 0, "results", 0, "locations", 0, "physicalLocation", "artifactLocation", "uriBaseId"}, "ROOT"},
		{[]any{"runs", 0, "results", 0, "locations", 0, "physicalLocation", "region"}, map[string]any{"startLine": 2.0, "startColumn": 6.0, "endLine": 2.0, "endColumn": 9.0}},
		{[]any{"runs", 0, "results", 0, "relatedLocations", 0, "physicalLocation", "artifactLocation", "uri"}, "sub%20dir/y%231.md"},
		{[]any{"runs", 0, "results", 0, "relatedLocations", 0, "message", "text"}, "see here"},
		{[]any{"runs", 0, "results", 1, "level"}, "note"},
		{[]any{"runs", 0, "results", 2, "level"}, "warning"},
		{[]any{"runs", 0, "results", 2, "locations", 0, "physicalLocation"}, map[string]any{"artifactLocation": map[string]any{"uri": "file:///elsewhere/%C3%A4.md"}}},
		{[]any{"runs", 0, "results", 3, "ruleIndex"}, 0.0},
	} {
		if diff := cmp.Diff(tt.want, log.at(tt.at...).v); diff != "" {
			t.Errorf("%v: %s", tt.at, diff)
		}
	}
	for i, rule := range log.at("runs", 0, "tool", "driver", "rules").v.([]any) {
		if text := (object{t, rule}).at("shortDescription", "text").v; text == "" {
			t.Errorf("rule %d has no description", i)
		}
	}
	if n := len(log.at("runs", 0, "results", 0, "relatedLocations").v.([]any)); n != 1 {
		t.Errorf("%d related locations, want the one that has a place", n)
	}
}

// TestSARIFNotices: what is said of the run is no result (§3.20.21, §3.58).
func TestSARIFNotices(t *testing.T) {
	log := sarif(t, nil, diag.SARIFOptions{Root: "/w", Failed: true, Notices: []diag.SARIFNotice{
		{Severity: diag.Error, Message: "it cannot be read", File: "/w/a b"},
		{Severity: diag.Info, Message: "it was left out"},
	}})
	invocation := log.at("runs", 0, "invocations", 0)
	want := []any{
		map[string]any{
			"level": "error", "message": map[string]any{"text": "it cannot be read"},
			"locations": []any{map[string]any{"physicalLocation": map[string]any{"artifactLocation": map[string]any{"uri": "a%20b", "uriBaseId": "ROOT"}}}},
		},
		map[string]any{"level": "note", "message": map[string]any{"text": "it was left out"}},
	}
	if diff := cmp.Diff(want, invocation.at("toolExecutionNotifications").v); diff != "" {
		t.Error(diff)
	}
	if invocation.at("executionSuccessful").v != false || len(log.at("runs", 0, "results").v.([]any)) != 0 {
		t.Error("a run that failed is one that succeeded, or a notice is a result")
	}
}

func TestSARIFOfNothing(t *testing.T) {
	log := sarif(t, nil, diag.SARIFOptions{})
	if got := log.at("runs", 0, "results").v; cmp.Diff([]any{}, got) != "" {
		t.Errorf("results = %v, want an empty array", got)
	}
	if _, ok := log.at("runs", 0).v.(map[string]any)["originalUriBaseIds"]; ok {
		t.Error("a base without a root")
	}
}

func TestSARIFNames(t *testing.T) {
	for _, tt := range []struct{ root, name, uri, base string }{
		{"/w", "/w/a.md", "a.md", "ROOT"},
		{"/w/", "/w/a.md", "a.md", "ROOT"},
		{"/w", "/wide/a.md", "file:///wide/a.md", ""},
		{"/w", "/w/a:b.md", "./a:b.md", "ROOT"}, // without ./ the name would be a scheme
		{"/", "/w/a.md", "file:///w/a.md", ""},
		{"", "/w/a.md", "file:///w/a.md", ""},
		{"/w", "builtin/x.strategy.md", "builtin/x.strategy.md", ""},
		{"/w", "skill://my skill", "skill://my skill", ""},
		{"/w", "<stdin>", "%3Cstdin%3E", ""},
		{`C:\w`, `C:\w\sub\a b.md`, "sub/a%20b.md", "ROOT"},
		{`c:\W`, `C:\w\a.md`, "a.md", "ROOT"},
		{`C:\w`, `D:\x\a.md`, "file:///D:/x/a.md", ""},
		{`C:\w`, `\\server\share\a.md`, "file://server/share/a.md", ""},
	} {
		log := sarif(t, diag.List{diag.At(diag.NewSource(tt.name, ""), diag.NoSpan, diag.RuleEmpty, "x")}, diag.SARIFOptions{Root: tt.root})
		location := log.at("runs", 0, "results", 0, "locations", 0, "physicalLocation", "artifactLocation").v.(map[string]any)
		base, _ := location["uriBaseId"].(string)
		if location["uri"] != tt.uri || base != tt.base {
			t.Errorf("%s in %s: %v %q, want %q %q", tt.name, tt.root, location["uri"], base, tt.uri, tt.base)
		}
	}
	log := sarif(t, nil, diag.SARIFOptions{Root: `C:\w`})
	if got := log.at("runs", 0, "originalUriBaseIds", "ROOT", "uri").v; got != "file:///C:/w/" {
		t.Errorf("base = %v", got)
	}
}

// TestFormatsHideNothing: whatever a message or a file's name holds, every form of
// it can be read by a person.
func TestFormatsHideNothing(t *testing.T) {
	const odd = "a\x1b[31m\u009b\u202e\u2028\u200b\U000e0041\x7f"
	list := diag.List{diag.At(diag.NewSource("/w/"+odd, "x "+odd+" y\n"), diag.Span{Start: 0, End: 5}, diag.RuleEmpty, "about `%s`", odd).WithHint("not %s", odd).
		WithRelated(diag.NewSource(odd, ""), diag.NoSpan, odd)}
	for name, print := range map[string]func(io.Writer) error{
		"text":   func(w io.Writer) error { return diag.Text(w, list, diag.TextOptions{}) },
		"lines":  func(w io.Writer) error { return diag.Lines(w, list, diag.TextOptions{}) },
		"github": func(w io.Writer) error { return diag.GitHub(w, list, nil) },
		"sarif":  func(w io.Writer) error { return diag.SARIF(w, list, diag.SARIFOptions{Root: "/w"}) },
	} {
		var b strings.Builder
		if err := print(&b); err != nil {
			t.Fatal(err)
		}
		if strings.ContainsAny(b.String(), "\x1b\u009b\u202e\u2028\u200b\U000e0041\x7f") {
			t.Errorf("%s: %q", name, b.String())
		}
	}
}
