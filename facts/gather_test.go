package facts_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

const limit = 200 * time.Millisecond

// gather runs one gathering and returns how long it took.
func gather(t *testing.T, g *facts.Gatherer, base facts.Parts, names ...string) (facts.Gathering, time.Duration) {
	t.Helper()
	start := time.Now()
	out, err := g.Gather(t.Context(), needs(names...), base, limit)
	if err != nil {
		t.Fatalf("gather: %v", err)
	}
	if len(out.Parts) != len(needs(names...).Names()) {
		t.Fatalf("%d reports for the needs %v", len(out.Parts), names)
	}
	return out, time.Since(start)
}

func textAt(t *testing.T, s *facts.Snapshot, name string) string {
	t.Helper()
	p, ok := facts.Lookup(name)
	if !ok {
		t.Fatalf("no path %s", name)
	}
	v := s.At(p)
	if v.IsAbsent() {
		return "(absent)"
	}
	return v.Text()
}

func codesOf(list diag.List) []string {
	var out []string
	for _, d := range list {
		out = append(out, d.Severity.String()+" "+string(d.Code)+" "+d.Path+" "+d.Provider)
	}
	return out
}

func TestGatherCallsOnlyWhatIsNeeded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		browser := &scripted{id: "a.browser", serves: []string{"extra.browser"}, part: tab("u")}
		clipboard := &scripted{
			id: "a.clipboard", serves: []string{"clipboard"},
			part: facts.Part{}.With("clipboard.text", facts.Text("x")).With("clipboard.hasImage", facts.Flag(false)).With("clipboard.hasText", facts.Flag(true)),
		}
		g := facts.NewGatherer(browser, clipboard)

		out, _ := gather(t, g, facts.Parts{})
		if out.Snapshot == nil || browser.asks()+clipboard.asks() > 0 {
			t.Error("a collector was asked although nothing is needed")
		}
		out, _ = gather(t, g, facts.Parts{}, "clipboard.text", "clipboard.hasImage")
		if diff := cmp.Diff([][]string{{"clipboard.hasImage", "clipboard.text"}}, clipboard.requests); diff != "" {
			t.Errorf("both leaves should come by one call:\n%s", diff)
		}
		if browser.asks() > 0 {
			t.Error("the browser was asked although nobody needs it")
		}
		if got := textAt(t, out.Snapshot, "clipboard.text"); got != "x" {
			t.Errorf("clipboard.text = %s", got)
		}
		if v := out.Snapshot.Values().Field("clipboard").Field("hasText"); !v.IsAbsent() {
			t.Error("what nobody asked for was kept")
		}
		if len(out.Diagnostics) > 0 {
			t.Errorf("diagnostics: %v", codesOf(out.Diagnostics))
		}
	})
}

func TestGatherKeepsTheBase(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		all := &scripted{id: "a.all", serves: []string{"clipboard", "assistant", "extra", "visual"}, part: tab("collected")}
		g := facts.NewGatherer(all)
		base := facts.Parts{
			Values: facts.Part{}.
				With("attachments.text", facts.Text("attached")).
				With("clipboard.text", facts.Text("given")).
				With("assistant", facts.Value{}).Values,
			Tree:   facts.NewTree(nil, nil),
			Absent: map[string]facts.Absence{"extra.workspace": {Code: diag.ExtraPermissionUnavailable, Reason: "switched off in the settings"}},
		}
		out, _ := gather(t, g, base, "assistant.name", "clipboard.text", "extra.browser", "extra.workspace", "visual")
		if diff := cmp.Diff([][]string{{"extra.browser"}}, all.requests); diff != "" {
			t.Errorf("only what the base does not know is collected:\n%s", diff)
		}
		for path, want := range map[string]string{"attachments.text": "attached", "clipboard.text": "given", "assistant.name": "(absent)", "extra.browser.active_tab.url": "collected"} {
			if got := textAt(t, out.Snapshot, path); got != want {
				t.Errorf("%s = %s, want %s", path, got, want)
			}
		}
		if diff := cmp.Diff([]string{"warning extra.permission_unavailable extra.workspace "}, codesOf(out.Diagnostics)); diff != "" {
			t.Error(diff)
		}
		if why := out.Snapshot.WhyAbsent("assistant.name"); why != (facts.Absence{}) {
			t.Errorf("a null of the caller got a reason: %+v", why)
		}
		if len(base.Absent) != 1 || base.Values.Field("extra").Kind() != facts.Absent {
			t.Error("the base was changed")
		}
	})
}

func TestGatherAsksAllRootsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := func(id, root string) *scripted {
			return &scripted{id: id, serves: []string{root}, takes: 100 * time.Millisecond, part: facts.Part{}.With(root, facts.Fields())}
		}
		g := facts.NewGatherer(slow("a", "extra.browser"), slow("b", "extra.workspace"), slow("c", "extra.file_manager"))
		out, took := gather(t, g, facts.Parts{}, "extra.browser", "extra.workspace", "extra.file_manager")
		if took != 100*time.Millisecond {
			t.Errorf("took %v: the roots were collected one after the other", took)
		}
		for _, p := range out.Parts {
			if !p.Available || p.Duration != 100*time.Millisecond {
				t.Errorf("%+v", p)
			}
		}
	})
}

func TestGatherChoosesByCanCollect(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		refusing := &scripted{id: "a", serves: []string{"extra.browser"}, refuses: true, part: tab("a")}
		second := &scripted{id: "b", serves: []string{"extra.browser"}, part: tab("b")}
		third := &scripted{id: "c", serves: []string{"extra.browser"}, part: tab("c")}
		out, _ := gather(t, facts.NewGatherer(refusing, second, third), facts.Parts{}, "extra.browser")
		if got := textAt(t, out.Snapshot, "extra.browser.active_tab.url"); got != "b" || out.Parts[0].Provider != "b" {
			t.Errorf("%s by %s, want b by b", got, out.Parts[0].Provider)
		}
		if refusing.calls() > 0 || third.asks() > 0 || len(out.Diagnostics) > 0 {
			t.Errorf("refusing was called %d times, the third asked %d times; %v", refusing.calls(), third.asks(), codesOf(out.Diagnostics))
		}

		out, _ = gather(t, facts.NewGatherer(refusing), facts.Parts{}, "extra.browser", "clipboard.text")
		want := []string{"info extra.provider_unavailable clipboard.text ", "info extra.provider_unavailable extra.browser "}
		if diff := cmp.Diff(want, codesOf(out.Diagnostics)); diff != "" {
			t.Error(diff)
		}
		if why := out.Snapshot.WhyAbsent("extra.browser"); why.Code != diag.ExtraProviderUnavailable || why.Reason == "" {
			t.Errorf("%+v", why)
		}
		if got := out.Diagnostics[0].Message; got != "`clipboard.text` is unknown: nothing on this machine can collect it now" {
			t.Error(got)
		}
	})
}

// secret stands for what a window, a clipboard or a foreign error may hold.
const secret = "hunter2"

func TestGatherFailures(t *testing.T) {
	tests := []struct {
		name  string
		err   error
		takes time.Duration
		ended error
		want  facts.Absence
		hint  string
	}{
		{
			"permission", facts.PermissionMissing("Finder may not be scripted", "allow it in System Settings"), 0, nil,
			facts.Absence{Code: diag.ExtraPermissionUnavailable, Reason: "Finder may not be scripted"},
			"allow it in System Settings",
		},
		{
			"permission without words", &facts.CollectError{Code: diag.ExtraPermissionUnavailable, Err: errors.New(secret)}, 0, nil,
			facts.Absence{Code: diag.ExtraPermissionUnavailable, Reason: "a permission is missing: access to accessibility"},
			"",
		},
		{
			"unavailable", facts.Unavailable("Chromium was started without accessibility", "start it again"), 0, nil,
			facts.Absence{Code: diag.ExtraProviderUnavailable, Reason: "Chromium was started without accessibility"},
			"start it again",
		},
		{
			"wrapped", errors.Join(errors.New(secret), facts.Unavailable("", "")), 0, nil,
			facts.Absence{Code: diag.ExtraProviderUnavailable, Reason: "it is not available now"},
			"",
		},
		{
			"another code", &facts.CollectError{Code: diag.RuleEmpty, Reason: "the bus is gone", Err: errors.New(secret)}, 0, nil,
			facts.Absence{Code: diag.ExtraProviderFailed, Reason: "the bus is gone"},
			"",
		},
		{
			"any error", errors.New("window " + secret + " not found"), 0, nil,
			facts.Absence{Code: diag.ExtraProviderFailed, Reason: "reading it failed"},
			"",
		},
		{
			"a deadline of its own", context.DeadlineExceeded, 0, nil,
			facts.Absence{Code: diag.ExtraProviderTimeout, Reason: "there was no answer in time"},
			"",
		},
		{
			"the limit", nil, time.Second, nil,
			facts.Absence{Code: diag.ExtraProviderTimeout, Reason: "there was no answer within 200ms"},
			"",
		},
		{
			"an error at the limit", nil, time.Second, errors.New("connection to " + secret + " closed"),
			facts.Absence{Code: diag.ExtraProviderTimeout, Reason: "there was no answer within 200ms"},
			"",
		},
		{
			"a known error at the limit", nil, time.Second, facts.PermissionMissing("not allowed", ""),
			facts.Absence{Code: diag.ExtraPermissionUnavailable, Reason: "not allowed"},
			"",
		},
		{
			"a cancellation of its own", context.Canceled, 0, nil,
			facts.Absence{Code: diag.ExtraProviderFailed, Reason: "reading it failed"},
			"",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := &scripted{id: "a", serves: []string{"extra.browser"}, permission: "access to accessibility", err: tt.err, takes: tt.takes, ended: tt.ended, part: tab(secret)}
				out, took := gather(t, facts.NewGatherer(c), facts.Parts{}, "extra.browser")
				tt.want.Provider = "a"
				if diff := cmp.Diff(tt.want, out.Snapshot.WhyAbsent("extra.browser")); diff != "" {
					t.Error(diff)
				}
				if got := textAt(t, out.Snapshot, "extra.browser.active_tab.url"); got != "(absent)" {
					t.Errorf("a part that came with an error was used: %s", got)
				}
				p := out.Parts[0]
				if p.Available || p.Provider != "a" || p.Summary != "" || p.Duration != took || len(p.Diagnostics) != 1 {
					t.Fatalf("%+v", p)
				}
				d := p.Diagnostics[0]
				if d.Code != tt.want.Code || d.Severity != tt.want.Code.Severity() || d.Hint != tt.hint || d.Path != "extra.browser" || d.Provider != "a" || d.Duration != took {
					t.Errorf("%+v", d)
				}
				mustNotHold(t, out, secret)
			})
		})
	}
}

func TestGatherTriesTheNextCollector(t *testing.T) {
	failing := func(id string, err error) *scripted {
		return &scripted{id: id, serves: []string{"extra.browser"}, takes: 10 * time.Millisecond, err: err}
	}
	tests := []struct {
		name       string
		collectors []*scripted
		url        string
		why        facts.Absence
		want       []string
	}{
		{
			"after a failure",
			[]*scripted{failing("a", errors.New(secret)), {id: "b", serves: []string{"extra"}, part: tab("u")}},
			"u",
			facts.Absence{},
			[]string{"info extra.provider_failed extra.browser a"},
		},
		{
			"after a missing permission",
			[]*scripted{failing("a", facts.PermissionMissing("no", "")), {id: "b", serves: []string{"extra"}, part: tab("u")}},
			"u",
			facts.Absence{},
			[]string{"info extra.permission_unavailable extra.browser a"},
		},
		{
			"after nothing",
			[]*scripted{{id: "a", serves: []string{"extra"}}, {id: "b", serves: []string{"extra.browser"}, part: tab("u")}},
			"u",
			facts.Absence{},
			nil,
		},
		{
			"not after a null",
			[]*scripted{{id: "a", serves: []string{"extra"}, part: facts.Part{}.With("extra.browser", facts.Value{})}, {id: "b", serves: []string{"extra.browser"}, part: tab("u")}},
			"(absent)",
			facts.Absence{Provider: "a", Reason: "there is none now"},
			nil,
		},
		{
			"nothing anywhere",
			[]*scripted{{id: "a", serves: []string{"extra"}}, {id: "b", serves: []string{"extra.browser"}}},
			"(absent)",
			facts.Absence{Code: diag.ExtraProviderUnavailable, Provider: "a", Reason: "it found nothing"},
			[]string{"info extra.provider_unavailable extra.browser a"},
		},
		{
			"all fail, the permission explains most",
			[]*scripted{failing("a", errors.New(secret)), failing("b", facts.PermissionMissing("no", "")), {id: "c", serves: []string{"extra"}}, failing("d", facts.Unavailable("gone", ""))},
			"(absent)",
			facts.Absence{Code: diag.ExtraPermissionUnavailable, Provider: "b", Reason: "no"},
			[]string{"warning extra.provider_failed extra.browser a", "warning extra.permission_unavailable extra.browser b", "info extra.provider_unavailable extra.browser d"},
		},
		{
			"not when the time is over",
			[]*scripted{{id: "a", serves: []string{"extra"}, takes: time.Second}, {id: "b", serves: []string{"extra.browser"}, part: tab("u")}},
			"(absent)",
			facts.Absence{Code: diag.ExtraProviderTimeout, Provider: "a", Reason: "there was no answer within 200ms"},
			[]string{"warning extra.provider_timeout extra.browser a"},
		},
		{
			"a late failure leaves no time",
			[]*scripted{{id: "a", serves: []string{"extra"}, deaf: true, takes: limit + patience/2, err: facts.Unavailable("gone", "")}, {id: "b", serves: []string{"extra.browser"}, part: tab("u")}},
			"(absent)",
			facts.Absence{Code: diag.ExtraProviderTimeout, Provider: "b", Reason: "there was no time left to ask it"},
			[]string{"info extra.provider_unavailable extra.browser a", "warning extra.provider_timeout extra.browser b"},
		},
		{
			"the next gets what is left of the time",
			[]*scripted{{id: "a", serves: []string{"extra"}, takes: 150 * time.Millisecond}, {id: "b", serves: []string{"extra.browser"}, takes: 60 * time.Millisecond, part: tab("u")}},
			"(absent)",
			facts.Absence{Code: diag.ExtraProviderTimeout, Provider: "b", Reason: "there was no answer within 200ms"},
			[]string{"warning extra.provider_timeout extra.browser b"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var collectors []facts.Collector
				for _, c := range tt.collectors {
					collectors = append(collectors, c)
				}
				out, took := gather(t, facts.NewGatherer(collectors...), facts.Parts{}, "extra.browser")
				if got := textAt(t, out.Snapshot, "extra.browser.active_tab.url"); got != tt.url {
					t.Errorf("url = %s, want %s", got, tt.url)
				}
				if diff := cmp.Diff(tt.why, out.Snapshot.WhyAbsent("extra.browser")); diff != "" {
					t.Error(diff)
				}
				if diff := cmp.Diff(tt.want, codesOf(out.Diagnostics)); diff != "" {
					t.Error(diff)
				}
				if took > limit+patience {
					t.Errorf("took %v", took)
				}
				mustNotHold(t, out, secret)
			})
		})
	}
}

func TestGatherPartialAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first := &scripted{
			id: "a", serves: []string{"clipboard"},
			part: facts.Part{}.With("clipboard.hasText", facts.Flag(false)).With("clipboard.text", facts.Value{}),
		}
		second := &scripted{id: "b", serves: []string{"clipboard"}, part: facts.Part{}.With("clipboard.files", facts.List())}
		out, _ := gather(t, facts.NewGatherer(first, second), facts.Parts{}, "clipboard.text", "clipboard.hasText", "clipboard.files", "clipboard.hasImage")
		if diff := cmp.Diff([][]string{{"clipboard.files", "clipboard.hasImage"}}, second.requests); diff != "" {
			t.Errorf("the next is asked for what the first did not know:\n%s", diff)
		}
		if diff := cmp.Diff([]string{"info extra.provider_unavailable clipboard.hasImage a"}, codesOf(out.Diagnostics)); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff([]string{"clipboard.files", "clipboard.files[].extension", "clipboard.files[].path", "clipboard.hasText"}, out.Snapshot.Known()); diff != "" {
			t.Error(diff)
		}

		// A field that a root lacks is missing data: no failure, nobody else is asked.
		browser := &scripted{id: "c", serves: []string{"extra.browser"}, part: tab("u")}
		other := &scripted{id: "d", serves: []string{"extra.browser"}, part: facts.Part{}.With("extra.browser.active_tab.title", facts.Text("t"))}
		out, _ = gather(t, facts.NewGatherer(browser, other), facts.Parts{}, "extra.browser")
		if got := textAt(t, out.Snapshot, "extra.browser.active_tab.title"); got != "(absent)" || other.asks() > 0 || len(out.Diagnostics) > 0 {
			t.Errorf("title %s, other asked %d times, %v", got, other.asks(), codesOf(out.Diagnostics))
		}
	})
}

func TestGatherVisual(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tree := func() *facts.Tree {
			return facts.NewTree([]facts.Element{{ID: "w", Parent: -1}, {ID: "e", Parent: 0}, {ID: "f", Parent: 0}}, nil)
		}
		nothing := &scripted{id: "a", serves: []string{"visual"}}
		screen := &scripted{id: "b", serves: []string{"visual"}, part: facts.Part{Tree: tree()}.With("attachments.visual.primary", facts.Text("e")).With("attachments.text", facts.Text(secret))}
		g := facts.NewGatherer(nothing, screen)
		out, _ := gather(t, g, facts.Parts{}, "visual")
		if i, ok := out.Snapshot.Primary(); !ok || i != 1 {
			t.Errorf("primary = %d, %v", i, ok)
		}
		if got := textAt(t, out.Snapshot, "attachments.text"); got != "(absent)" {
			t.Error("a collector of the screen attached a text")
		}
		if got := out.Parts[0].Summary; got != "3 elements" {
			t.Errorf("summary %q", got)
		}
		out, _ = gather(t, g, facts.Parts{Values: facts.Part{}.With("attachments.visual.primary", facts.Text("f")).Values}, "visual")
		if i, _ := out.Snapshot.Primary(); i != 2 {
			t.Errorf("the user's element should stay primary, not %d", i)
		}

		none := &scripted{id: "c", serves: []string{"visual"}, part: facts.Part{}.With("visual", facts.Value{})}
		out, _ = gather(t, facts.NewGatherer(none, screen), facts.Parts{}, "visual")
		if out.Snapshot.Tree() != nil || out.Snapshot.WhyAbsent("visual").Provider != "c" {
			t.Error("a null settles that there is no tree")
		}
	})
}

// TestGatherTellsWhatWasLeftOut: a tree that was cut is used, and it is said that it was.
func TestGatherTellsWhatWasLeftOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tree := facts.NewTree([]facts.Element{{ID: "w", Parent: -1, Cut: true}}, nil).MarkPartial("the time was over")
		out, _ := gather(t, facts.NewGatherer(&scripted{id: "a.visual", serves: []string{"visual"}, part: facts.Part{Tree: tree}}), facts.Parts{}, "visual")
		if out.Snapshot.Tree() != tree || out.Parts[0].Summary != "1 element; the time was over" || !out.Parts[0].Available {
			t.Errorf("%+v", out.Parts[0])
		}
		if diff := cmp.Diff([]string{"info visual.unavailable visual a.visual"}, codesOf(out.Diagnostics)); diff != "" {
			t.Error(diff)
		}
	})
}

// TestGatherCostlyParts: what is costly is asked for by name alone, and where it cannot be had, that is told at its own path.
func TestGatherCostlyParts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const page = "extra.browser.active_tab.html"
		part := tab("u")
		part.Lacks = []facts.Lack{{Path: page, Reason: "it is not told", Remedy: "ask"}, {Path: "clipboard.text", Reason: "of another need"}}
		asked := &scripted{id: "a.browser", serves: []string{"extra.browser"}, part: part}
		g := facts.NewGatherer(asked)
		out, _ := gather(t, g, facts.Parts{}, page)
		if diff := cmp.Diff([]string{"info extra.provider_unavailable " + page + " a.browser"}, codesOf(out.Diagnostics)); diff != "" {
			t.Error(diff)
		}
		if d := out.Diagnostics[0]; d.Hint != "ask" || !out.Parts[0].Available || out.Parts[0].Path != "extra.browser" {
			t.Errorf("%+v of %+v", d, out.Parts[0])
		}
		if why := out.Snapshot.WhyAbsent(page); why.Reason != "it is not told" || why.Provider != "a.browser" {
			t.Errorf("the page is absent because %+v", why)
		}
		if why := out.Snapshot.WhyAbsent("extra.browser.active_tab.title"); why.Reason != "" {
			t.Errorf("the title is absent because %+v", why)
		}
	})
	var needs, more facts.Needs
	needs.Add("extra.browser")
	if needs.Wants("extra.browser.active_tab.html") {
		t.Error("the page is read without being asked for")
	}
	more.AddPath("extra.browser.active_tab.html")
	needs.Merge(more)
	if !needs.Wants("extra.browser.active_tab.html") || !cmp.Equal(needs.Names(), []string{"extra.browser"}) {
		t.Errorf("after merging: %v", needs.Names())
	}
}

// TestGatherReasonsAreTheirOwn: of two needs that a collector has nothing for, each gets the reason that was given for it.
func TestGatherReasonsAreTheirOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		part := facts.Part{Lacks: []facts.Lack{{Path: "extra.browser", Reason: "no browser runs", Remedy: "start one"}, {Path: "clipboard.text", Reason: "of another need"}}}
		g := facts.NewGatherer(&scripted{id: "a", serves: []string{"extra.browser", "extra.workspace"}, part: part})
		out, _ := gather(t, g, facts.Parts{}, "extra.browser", "extra.workspace")
		if why := out.Snapshot.WhyAbsent("extra.browser"); why.Reason != "no browser runs" {
			t.Errorf("the browser is absent because %+v", why)
		}
		if why := out.Snapshot.WhyAbsent("extra.workspace"); why.Reason == "no browser runs" || why.Reason == "of another need" {
			t.Errorf("the workspace is absent because %+v", why)
		}
	})
}
