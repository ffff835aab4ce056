package strategy_test

import (
	"context"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/strategy"
)

func TestTitles(t *testing.T) {
	for _, tt := range []struct{ title, locale, want string }{
		{"Antworten", "en", "Antworten"},
		{"Antworten", "", "Antworten"},
		{"{en: Reply, de: Antworten}", "de-AT", "Antworten"},
		{"{en: Reply, de: Antworten, de-AT: Servus}", "de_AT.UTF-8", "Servus"},
		{"{de: Antworten, en: Reply}", "fr-FR", "Reply"},
		{"{de: Antworten, fr: Lire}", "ja", "Antworten"},
		{"{de: Antworten, fr: Lire}", "", "Antworten"},
		{"{zh-Hant: 回覆, zh: 回复}", "zh-Hant-TW", "回覆"},
		{"{PT-br: Responder, en: Reply}", "pt-BR", "Responder"},
		{"{en-GB: Whilst, fr: Lire}", "en", "Whilst"},
		{"{en-x-pirate: Ahoy, fr: Lire}", "en", "Ahoy"}, // one letter, but not the language
		{"null", "en", ""},
	} {
		s := normalize("---\nname: x\ntitle: " + tt.title + "\n---\n")
		if got := s.TitleFor(tt.locale); !s.Valid || got != tt.want || s.Name != "x" {
			t.Errorf("%s in %q: %q, want %q (%v)", tt.title, tt.locale, got, tt.want, s.Diagnostics)
		}
	}
	if s := normalize("---\nname: x\n---\n"); s.TitleFor("en") != "" {
		t.Error("a strategy without a title has one")
	}
	for _, title := range []string{"5", "[a]", "{}", "{en: 5}", "{en: null}", "{en: ''}", "''", "{'': a}", "{'-en': a}", "{'-': a}", "{_: a}", "{e n: a}", "{x: a}"} {
		s := normalize("---\nname: x\ntitle: " + title + "\n---\n")
		if s.Valid || len(s.Diagnostics) != 1 || s.Diagnostics[0].Code != diag.StrategyInvalidField {
			t.Errorf("title: %s: %v", title, s.Diagnostics)
		}
	}
}

func TestFolderFile(t *testing.T) {
	for path, want := range map[string]bool{
		"a.strategy.md": true, "A.STRATEGY.MD": true, "x/STRATEGY.md": true, `x\STRATEGY.md`: true, "/w/x/y/STRATEGY.md": true,
		"STRATEGY.md": false, "/STRATEGY.md": false, "x/strategy.md": false, "x/MY-STRATEGY.md": false, "x/notes.md": false,
	} {
		if got := strategy.IsFile(path); got != want {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
	s := normalizeAt("review/deep dive/STRATEGY.md", "---\nname: x\n---\n")
	if !s.Valid || s.ID != "user.review.deep-dive" {
		t.Errorf("%s %v", s.ID, s.Diagnostics)
	}
	if s := normalizeAt(strings.Repeat("long/", 300)+"STRATEGY.md", "---\nname: x\n---\n"); s.Valid {
		t.Errorf("an id of %d bytes is taken", len(s.ID))
	}
}

func normalizeAt(path, text string) *strategy.Strategy {
	return (&strategy.Normalizer{}).Normalize(context.Background(), "/s/"+path, []byte(text), user(path))
}
