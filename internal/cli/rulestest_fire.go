package cli

import (
	"fmt"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/rule"
	"github.com/pertain-dev/pertain/stream"
)

// testReport is the JSON form of `rules test` with a text.
type testReport struct {
	Enabled   bool            `json:"enabled"` // false: the settings let no rule watch
	Fired     []testFired     `json:"fired"`
	Silent    []testSilent    `json:"silent"`
	Undecided []testUndecided `json:"undecided"`
}

type testFired struct {
	Rule   string `json:"rule"`
	Offset int64  `json:"offset"` // bytes up to the end of the match, or to where it was decided
	Line   int    `json:"line"`   // of the character before
	Column int    `json:"column"`
	Start  int    `json:"start"` // bytes up to the beginning of the match
	// Interrupts is false where the settings let the rule only remind.
	Interrupts bool `json:"interrupts"`

	match   stream.Match // in the text, which is without a byte order mark
	reminds string
}

type testSilent struct {
	Rule string `json:"rule"`
	Why  string `json:"why"`
}

// testUndecided is a part of the text in which an expression was not tried to the
// end.
type testUndecided struct {
	Rule    string        `json:"rule"`
	Pattern int           `json:"pattern"` // from 1 on
	From    int64         `json:"from"`    // bytes
	To      int64         `json:"to"`
	Reason  stream.Reason `json:"reason"`
	Message string        `json:"message"`
	Hint    string        `json:"hint"`
}

// newTestUndecided is for a text before which so many bytes of its file were skipped.
func newTestUndecided(set *stream.Set, u stream.Undecided, skipped int) testUndecided {
	u.From += int64(skipped)
	u.To += int64(skipped)
	return testUndecided{set.Trigger(u.Trigger).Name, u.Pattern + 1, u.From, u.To, u.Reason, u.String(), set.Hint(u)}
}

// fire feeds the text to all triggers, and tells why others are silent.
func (t *triggerTest) fire(rules []*rule.Rule, root string, source stream.Source, given testText) error {
	text := given.text
	policy, err := t.app.streamPolicy()
	if err != nil {
		return err
	}
	triggers := stream.FromRules(rules, filepath.ToSlash(root))
	set, problems := stream.Compile(triggers, stream.Options{Documented: t.options.Documented})
	report := testReport{Enabled: !policy.Disabled, Fired: []testFired{}, Silent: []testSilent{}, Undecided: []testUndecided{}}
	told := map[int]bool{} // triggers that are not silent, and why is known
	watched := watch(set, source, text)
	for _, f := range watched.fired {
		told[f.Trigger] = true
		report.Fired = append(report.Fired, testFired{
			Rule: set.Trigger(f.Trigger).Name, Offset: f.Offset + int64(given.skipped), Line: f.at.Line, Column: f.at.Column,
			Start: f.match.Start + given.skipped, Interrupts: policy.Interrupts(set.Trigger(f.Trigger), source.Kind), match: f.match, reminds: remindedBy(set.Trigger(f.Trigger)),
		})
	}
	for _, u := range watched.undecided {
		told[u.Trigger] = true
		report.Undecided = append(report.Undecided, newTestUndecided(set, u, given.skipped))
	}
	for i := range triggers {
		if !told[i] {
			report.Silent = append(report.Silent, testSilent{triggers[i].Name, silence(set, i, source, watched.matched(i), problems)})
		}
	}
	report.Silent = append(report.Silent, withoutTrigger(rules)...)
	if t.app.json {
		return t.app.writeJSON(report)
	}
	return t.print(report, text)
}

// watchedText is what triggers found in a text, of those that watch it.
type watchedText struct {
	fired     []firing
	undecided []stream.Undecided
	matched   func(trigger int) bool // also of those that do not watch it
}

// firing is a trigger that fired.
type firing struct {
	stream.Firing
	at    diag.Position // of the last character of what decided it
	match stream.Match
}

// watch feeds a text to all triggers.
func watch(set *stream.Set, source stream.Source, text string) watchedText {
	return lookAt(set, text).by(set, source)
}

// lookedAt is what all triggers found in a text, whatever it is for.
type lookedAt struct {
	text   string
	stream *stream.Stream
	found  []firing
}

func lookAt(set *stream.Set, text string) *lookedAt {
	st := set.Stream()
	found := append([]stream.Firing(nil), st.Feed(text)...)
	found = append(found, st.End()...)
	out := &lookedAt{text: text, stream: st}
	matches := matchStarts(set, text, found)
	shown := diag.NewSource("text", text)
	for _, f := range found {
		_, size := utf8.DecodeLastRuneInString(text[:f.Offset])
		out.found = append(out.found, firing{f, shown.Position(int(f.Offset) - size), matches[f.Trigger]})
	}
	return out
}

// by is what those found that watch a source.
func (l *lookedAt) by(set *stream.Set, source stream.Source) watchedText {
	out := watchedText{matched: l.stream.Fired}
	for _, f := range l.found {
		if set.Applies(f.Trigger, source) {
			out.fired = append(out.fired, f)
		}
	}
	for _, u := range l.stream.Undecided() {
		if set.Applies(u.Trigger, source) {
			out.undecided = append(out.undecided, u)
		}
	}
	return out
}

// matchStarts gives the match by which each trigger fired, for people to see: the
// one that ends there or, where look-around decided later, the last one before.
func matchStarts(set *stream.Set, text string, found []stream.Firing) map[int]stream.Match {
	out := map[int]stream.Match{}
	if len(found) == 0 {
		return out
	}
	ends := map[int]int{}
	for _, f := range found {
		ends[f.Trigger] = int(f.Offset)
		out[f.Trigger] = stream.Match{Trigger: f.Trigger, Start: int(f.Offset), End: int(f.Offset)}
	}
	known := map[int]bool{}
	scanner := set.Scanner()
	scanner.Keep(maxScanFileFindings) // the one by which a trigger fired is among the first; where that was decided late, one of them is shown
	for _, m := range scanner.Scan(text) {
		if end, ok := ends[m.Trigger]; ok && m.End <= end && (!known[m.Trigger] || m.End >= out[m.Trigger].End) {
			out[m.Trigger], known[m.Trigger] = m, true
		}
	}
	return out
}

func (t *triggerTest) print(report testReport, text string) error {
	var b strings.Builder
	paint := t.app.painter(t.app.call.Stdout)
	for _, f := range report.Fired {
		reminds := ""
		if !f.Interrupts && report.Enabled {
			reminds = f.reminds
		}
		fmt.Fprintf(&b, "%s fires at line %d, column %d (byte %d)%s\n", paint.bold(clean(f.Rule)), f.Line, f.Column, f.Offset, reminds)
		b.WriteString(caret(text, f.match.Start, f.match.End))
	}
	b.WriteString(t.others(len(report.Fired), report.Undecided, report.Silent))
	if !report.Enabled {
		b.WriteString("but no rule watches a model, because the settings say `ttsr: {enabled: false}`\n")
	}
	_, err := fmt.Fprint(t.app.painted(t.app.call.Stdout), b.String())
	return err
}

// others is what is to be said beside the triggers that fire.
func (t *triggerTest) others(fired int, undecided []testUndecided, silent []testSilent) string {
	var b strings.Builder
	if fired == 0 {
		b.WriteString("no trigger fires\n")
	}
	paint := t.app.painter(t.app.call.Stdout)
	for _, u := range undecided {
		fmt.Fprintf(&b, "%s may have missed a match: %s; %s\n", paint.bold(clean(u.Rule)), clean(u.Message), u.Hint)
	}
	b.WriteString(t.silences(silent))
	return b.String()
}
