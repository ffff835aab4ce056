package collect_test

import (
	"context"
	"encoding/json"
	"runtime"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/collect"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

func TestEnvironmentOfThisMachine(t *testing.T) {
	lookup := func(name string) string { return map[string]string{"LANG": "de_AT.UTF-8"}[name] }
	now := time.Date(2026, 11, 15, 0, 30, 0, 0, time.UTC)
	got := collect.Environment(lookup, now)
	for name, want := range map[string]string{"architecture": runtime.GOARCH, "locale": "de-AT", "timeZone": "UTC", "currentDate": "2026-11-15"} {
		if text := got.Field(name).Text(); text != want {
			t.Errorf("%s = %q, want %q", name, text, want)
		}
	}
	for _, f := range got.Fields() {
		if p, ok := facts.Lookup("environment." + f.Name); !ok || p.Kind != f.Value.Kind() {
			t.Errorf("environment.%s is not in the schema as %s", f.Name, f.Value.Kind())
		}
	}
	collect.Environment(lookup, time.Now()) // whatever this machine's zone is
}

func TestFillEnvironment(t *testing.T) {
	machine := facts.Fields(
		facts.Field{Name: "os", Value: facts.Text("linux")},
		facts.Field{Name: "locale", Value: facts.Text("de-DE")},
	)
	tests := []struct{ name, context, want string }{
		{"no environment", `{}`, `{"os":"linux","locale":"de-DE"}`},
		{"an empty context", ``, `{"os":"linux","locale":"de-DE"}`},
		{"an empty environment", `{"environment":{}}`, `{"os":"linux","locale":"de-DE"}`},
		{"a field is given", `{"environment":{"os":"windows"}}`, `{"os":"windows","locale":"de-DE"}`},
		{"an empty text is a value", `{"environment":{"os":""}}`, `{"os":"","locale":"de-DE"}`},
		{"a field is null", `{"environment":{"os":null}}`, `{"os":null,"locale":"de-DE"}`},
		{"all is null", `{"environment":null}`, `null`},
		{"all is given", `{"environment":{"locale":"en-US","os":"macos"}}`, `{"locale":"en-US","os":"macos"}`},
		{"another kind", `{"environment":"linux"}`, `"linux"`},
		{"what no schema knows", `{"environment":{"host":"h"}}`, `{"host":"h","os":"linux","locale":"de-DE"}`},
		{"YAML", "environment:\n  os: ~\n", `{"os":null,"locale":"de-DE"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, err := facts.Decode("context", []byte(tt.context))
			if err != nil {
				t.Fatal(err)
			}
			filled := collect.FillEnvironment(s, machine)
			got, err := json.Marshal(filled.Values().Field("environment"))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(got)); diff != "" {
				t.Error(diff)
			}
			p, _ := facts.Lookup("environment.os")
			if want := facts.Item(filled.Values(), "environment.os"); !filled.At(p).Equal(want) {
				t.Errorf("the path says %q", filled.At(p).Text())
			}
		})
	}
}

func TestFillEnvironmentKeepsTheRest(t *testing.T) {
	s := facts.NewSnapshot(facts.Parts{
		Values: facts.Part{}.With("clipboard.text", facts.Text("x")).Values,
		Tree:   facts.NewTree([]facts.Element{{ID: "e"}}, nil),
		Absent: map[string]facts.Absence{"extra.browser": {Code: diag.ExtraProviderTimeout}},
	})
	got := collect.FillEnvironment(s, facts.Fields(facts.Field{Name: "os", Value: facts.Text("linux")}))
	if diff := cmp.Diff([]string{"clipboard.text", "environment.os"}, got.Known()); diff != "" {
		t.Error(diff)
	}
	if got.Tree() != s.Tree() || got.WhyAbsent("extra.browser").Code != diag.ExtraProviderTimeout {
		t.Error("the tree or a reason was lost")
	}
}

// TestStandard holds for any row that the table gets.
func TestStandard(t *testing.T) {
	var all facts.Needs
	for _, p := range facts.Paths() {
		all.Add(p.Needs)
	}
	all.Add(facts.Visual)
	seen := map[string]bool{}
	for _, c := range collect.Standard(collect.Options{Env: withoutDesktop}) {
		info := c.Info()
		if info.ID == "" || seen[info.ID] || len(info.Serves) == 0 {
			t.Errorf("%+v: each collector has an id of its own and serves something", info)
		}
		seen[info.ID] = true
	}
	if len(seen) > 0 {
		return
	}
	out, err := facts.NewGatherer(collect.Standard(collect.Options{Env: withoutDesktop})...).Gather(context.Background(), all, facts.Parts{}, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range out.Parts {
		if why := out.Snapshot.WhyAbsent(p.Path); p.Available || why.Code != diag.ExtraProviderUnavailable {
			t.Errorf("%s: %+v", p.Path, why)
		}
	}
}
