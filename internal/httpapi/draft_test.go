package httpapi_test

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/httpapi"
)

// draftSpace has a strategy made from a skill, beside a file that nobody names.
func draftSpace(t *testing.T) *served {
	t.Helper()
	space := newSpace(t)
	for name, text := range map[string]string{
		"strategies/polite/SKILL.md":           "---\nname: Polite\ndescription: d\n---\nBe polite.\n",
		"strategies/polite/polite.strategy.md": "---\nid: user.polite\nfrom: ./SKILL.md\nwhen:\n  attachments.selection.text:\n    length: { min: 1 }\n---\nNow: {attachments.selection.text}\n",
		"strategies/polite/other.md":           "OTHER-FILE\n",
	} {
		name = filepath.Join(space.dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := space.engine.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	return serveSpace(t, space, httpapi.Options{})
}

type triedAnswer struct {
	Strategy struct {
		ID     string
		Valid  bool
		Result *bool
	}
	Plan *struct {
		Prompt *string
		Reason string
	}
	Unread   []string
	Problems []struct {
		Diagnostic struct{ Code, Message, Hint string }
	}
}

func (s *served) try(t *testing.T, fields map[string]string) triedAnswer {
	t.Helper()
	body, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	status, text := s.ask(t, "POST", "/api/v1/try", string(body))
	if status != 200 {
		t.Fatalf("got %d: %s", status, text)
	}
	var out triedAnswer
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestDraftsPrompt(t *testing.T) {
	s := draftSpace(t)
	const selection = `{"attachments":{"selection":{"text":"hello"}}}`
	for _, tt := range []struct {
		name, source, context, input string
		want                         string // the prompt; empty: there is none
		unread                       string
	}{
		{"recommended", "---\nname: T\n---\nSay {attachments.selection.text}", selection, "", "Say hello", ""},
		{"with a request", "---\nname: T\n---\nSay {Argument}", selection, "it loud", "Say it loud", ""},
		{"not recommended", "---\nname: T\nwhen:\n  attachments.text:\n    equals: x\n---\nSay", `{"attachments":{"text":"y"}}`, "", "", ""},
		{"unknown", "---\nname: T\nwhen:\n  attachments.text:\n    equals: x\n---\nSay", "", "", "", ""},
		{"a preprocessor that reads the context", "---\nname: T\npreprocessors: [selected-text]\n---\nSay {preprocess.selection.text}", selection, "", "Say hello", ""},
		{
			"one that reads files", "---\nname: T\npreprocessors: [file-manager-selection]\n---\nSay {preprocess.file_manager.selection.text}",
			`{"extra":{"file_manager":{"selection":{"items":[{"path":"/etc/hostname","kind":"file"}]}}}}`, "",
			"Say ‹preprocess.file_manager.selection.text›", "file-manager-selection",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := s.try(t, map[string]string{"source": tt.source, "context": tt.context, "input": tt.input})
			prompt := ""
			if got.Plan != nil && got.Plan.Prompt != nil {
				prompt = *got.Plan.Prompt
			}
			if prompt != tt.want || strings.Join(got.Unread, " ") != tt.unread {
				t.Errorf("got %q, unread %v", prompt, got.Unread)
			}
		})
	}
}

func TestDraftsPreprocessorThatFails(t *testing.T) {
	s := draftSpace(t)
	got := s.try(t, map[string]string{"source": "---\nname: T\npreprocessors: [clipboard-text]\n---\nSay"})
	if got.Plan == nil || got.Plan.Prompt != nil || !strings.Contains(got.Plan.Reason, "no text on the clipboard") {
		t.Errorf("got %+v", got.Plan)
	}
}

// TestDraftsFrom holds that a draft reaches what its saved version reaches, and
// no other file.
func TestDraftsFrom(t *testing.T) {
	s := draftSpace(t)
	const context = `{"attachments":{"selection":{"text":"hello"}}}`
	status, text := s.ask(t, "GET", "/api/v1/strategies/text?id="+url.QueryEscape("user.polite"), "")
	if status != 200 {
		t.Fatal(text)
	}
	var saved struct {
		Text     string
		Includes []string
	}
	if err := json.Unmarshal([]byte(text), &saved); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(saved.Text, "---\nid: user.polite\nfrom: ./SKILL.md\n") || len(saved.Includes) != 1 || !strings.HasSuffix(saved.Includes[0], "SKILL.md") {
		t.Fatalf("got %+v", saved)
	}
	edited := strings.Replace(saved.Text, "Now:", "Later:", 1)
	got := s.try(t, map[string]string{"source": edited, "context": context, "like": "user.polite"})
	if got.Strategy.ID != "user.polite" || !got.Strategy.Valid || got.Plan == nil || !strings.Contains(*got.Plan.Prompt, "Later: hello") {
		t.Errorf("got %+v", got)
	}
	for _, refused := range []map[string]string{
		{"source": edited},
		{"source": edited, "like": "user.rewrite"},
		{"source": edited, "like": "user.gone"},
		{"source": strings.Replace(edited, "./SKILL.md", "./other.md", 1), "like": "user.polite"},
		{"source": strings.Replace(edited, "./SKILL.md", "/etc/hostname", 1), "like": "user.polite"},
		{"source": strings.Replace(edited, "./SKILL.md", "skill://claude.pdf", 1), "like": "user.polite"},
	} {
		refused["context"] = context
		got := s.try(t, refused)
		if got.Strategy.Valid || got.Plan != nil || len(got.Problems) == 0 {
			t.Errorf("%s: got %+v", refused["like"], got)
			continue
		}
		d := got.Problems[0].Diagnostic
		if d.Code != "strategy.invalid_from" || !strings.Contains(d.Message+d.Hint, "load it into the playground") {
			t.Errorf("got %+v", d)
		}
	}
}

// TestDraftOfAStranger holds that a version of a strategy of a workspace that is not
// trusted has no more time than the strategy itself.
func TestDraftOfAStranger(t *testing.T) {
	const slow = "---\nname: Slow\noptions: {matchingTimeout: 100000s, conditionTimeout: 100000s, regexTimeout: 100000s}\nwhen: {attachments.selection.text: {regex: '^(?:(a+)+\\1)+$'}}\n---\nx\n"
	of := newSpace(t)
	name := filepath.Join(of.dir, ".pertain", "strategies", "slow.strategy.md")
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(slow), 0o600); err != nil {
		t.Fatal(err)
	}
	of.env.Strategies = nil
	location, err := pertain.Locate(of.env)
	if err != nil {
		t.Fatal(err)
	}
	if of.engine, err = pertain.Open(t.Context(), location.Options); err != nil {
		t.Fatal(err)
	}
	s := serveSpace(t, of, httpapi.Options{Limits: httpapi.Limits{Time: time.Minute}})
	context := `{"attachments": {"selection": {"text": "` + strings.Repeat("a", 100) + `b"}}}`
	got := s.try(t, map[string]string{"source": slow, "like": "workspace.slow", "context": context})
	if got.Strategy.ID != "workspace.slow" || got.Strategy.Result != nil || len(got.Problems) == 0 {
		t.Errorf("%+v", got)
	}
}

func TestContextNow(t *testing.T) {
	s := serve(t, httpapi.Options{})
	s.mu.Lock()
	s.context = `{"attachments":{"selection":{"text":"` + secret + `"}},"visual":{"roots":[{"type":"TopLevel","process":"p","name":"` + secret +
		`","children":[{"type":"TextEdit","states":["password"],"text":"PASSWORD"},{"type":"Label","text":"seen"}]}]}}`
	s.mu.Unlock()
	status, text := s.ask(t, "GET", "/api/v1/context", "")
	if status != 200 || strings.Contains(text, secret) || strings.Contains(text, "seen") || !strings.Contains(text, "attachments.selection.text") {
		t.Errorf("got %d: %s", status, text)
	}
	status, text = s.ask(t, "GET", "/api/v1/context?showValues=true", "")
	if status != 200 || !strings.Contains(text, secret) || !strings.Contains(text, "seen") || strings.Contains(text, "PASSWORD") {
		t.Errorf("got %d: %s", status, text)
	}
	var answer struct{ Snapshot json.RawMessage }
	if err := json.Unmarshal([]byte(text), &answer); err != nil {
		t.Fatal(err)
	}
	again, err := s.Decode(answer.Snapshot)
	if err != nil || again.Tree().Len() != 3 || again.Tree().At(2).Process != "p" {
		t.Errorf("it cannot be read again: %v", err)
	}
	if status, text = s.ask(t, "GET", "/api/v1/context?id=user.gone", ""); status != 404 {
		t.Errorf("got %d: %s", status, text)
	}
	if strings.Contains(s.logs.String(), secret) {
		t.Error("values are in the log")
	}
}

// readingSpace has more in its context for who runs a strategy than for who
// matches.
type readingSpace struct{ *space }

func (s readingSpace) Snapshot(ctx context.Context, id string) (*facts.Snapshot, diag.List, error) {
	if id == "" {
		return s.space.Snapshot(ctx, "")
	}
	snapshot, err := s.Decode([]byte(`{"clipboard":{"text":"read"},"attachments":{"selection":{"text":"other"}},"visual":{"roots":[{"type":"Label","name":"found"}]}}`))
	return snapshot, nil, err
}

// TestContextOfAStrategy holds that the context for a strategy has what matching
// and what running reads, and matching's where both have something.
func TestContextOfAStrategy(t *testing.T) {
	server := httpapi.New(readingSpace{newSpace(t)}, httpapi.Options{Token: token})
	ask := func(path string) string {
		r := httptest.NewRequestWithContext(t.Context(), "GET", "http://localhost"+path, nil)
		r.Header.Set("Authorization", "Bearer "+token)
		w := httptest.NewRecorder()
		server.Handler().ServeHTTP(w, r)
		return w.Body.String()
	}
	both := ask("/api/v1/context?showValues=true&id=user.rewrite")
	if !strings.Contains(both, secret) || !strings.Contains(both, `"read"`) || !strings.Contains(both, `"found"`) || strings.Contains(both, "other") {
		t.Error(both)
	}
	if one := ask("/api/v1/context?showValues=true"); strings.Contains(one, `"read"`) {
		t.Error(one)
	}
}
