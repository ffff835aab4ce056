package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
	"github.com/pertain-dev/pertain/stream"
	"github.com/pertain-dev/pertain/toolcall"
)

// callReport is the JSON form of `rules test` with a tool call.
type callReport struct {
	Enabled   bool            `json:"enabled"` // false: the settings let no rule watch
	Calls     []testedCall    `json:"calls"`
	Fired     []callFired     `json:"fired"`
	Silent    []testSilent    `json:"silent"`
	Undecided []testUndecided `json:"undecided"`
}

// testedCall is what a call adds to a file.
type testedCall struct {
	Path  *string `json:"path"` // relative to the project; null: no file
	Kind  string  `json:"kind"`
	Added int     `json:"added"` // bytes
}

type callFired struct {
	Rule   string  `json:"rule"`
	Path   *string `json:"path"`
	Offset int64   `json:"offset"` // bytes of what is added to the path, up to the end of the match
	Line   int     `json:"line"`   // of the text in which it matched
	Column int     `json:"column"`
	// Interrupts is false where the settings let the rule only remind.
	Interrupts bool `json:"interrupts"`

	text    string
	match   stream.Match
	reminds string
}

// arguments are those of the call that is tested.
func (t *triggerTest) arguments() (string, error) {
	if t.argsGiven && t.args != "-" {
		return t.args, checkArguments(t.args)
	}
	data, err := io.ReadAll(io.LimitReader(t.app.call.Stdin, maxTestText+1))
	if len(data) > maxTestText {
		return "", usage("standard input is larger than 64 MiB")
	}
	if err == nil {
		err = checkArguments(string(data))
	}
	return string(data), err
}

// checkArguments refuses an object that is broken: of a call that no agent can make,
// no answer means anything. What is no object is the bare input of a tool.
func checkArguments(text string) error {
	if !strings.HasPrefix(strings.TrimSpace(text), "{") || json.Valid([]byte(text)) {
		return nil
	}
	return usage("the arguments of the call begin as a JSON object and are not valid JSON; quote them for the shell: --args '{\"path\": \"a.ts\", \"content\": \"...\"}'")
}

// call feeds what a tool call adds to all triggers.
func (t *triggerTest) call(rules []*rule.Rule, root, arguments string) error {
	policy, err := t.app.streamPolicy()
	if err != nil {
		return err
	}
	set, problems := stream.Compile(stream.FromRules(rules, filepath.ToSlash(root)), stream.Options{Documented: t.options.Documented})
	report := callReport{Enabled: !policy.Disabled, Calls: []testedCall{}, Fired: []callFired{}, Silent: []testSilent{}, Undecided: []testUndecided{}}
	at := map[string]int{} // where in Calls
	fired := map[string]bool{}
	quiet := newSilences(set, problems)
	namer := files.NewNamer(root)
	var looked *lookedAt // one call may give the same text to very many files: it is looked at once
	for _, segment := range toolcall.Read(t.tool, arguments) {
		var path *string         // relative to the project where it lies in it
		var each []stream.Source // of the files that may be meant
		var all stream.Source
		for _, file := range segment.Paths() {
			names, own, known := t.called(namer, file)
			each = append(each, stream.Source{Paths: names, OwnPaths: own})
			all.Paths, all.OwnPaths = append(all.Paths, names...), append(all.OwnPaths, own...)
			segment.Anywhere = segment.Anywhere || !known
		}
		if len(all.Paths) > 0 {
			path = &all.Paths[0]
		}
		key := segment.Kind.String() + " " + segment.Path
		if _, ok := at[key]; !ok {
			at[key] = len(report.Calls)
			report.Calls = append(report.Calls, testedCall{Path: path, Kind: segment.Kind.String()})
		}
		if segment.Kind != toolcall.Look {
			report.Calls[at[key]].Added += len(segment.Text)
		}
		source := stream.Source{Kind: stream.Tool, Tool: t.tool, Does: segment.Kind, Paths: all.Paths, OwnPaths: all.OwnPaths, Anywhere: segment.Anywhere}
		if looked == nil || looked.text != segment.Text {
			looked = lookAt(set, segment.Text)
		}
		watched := looked.by(set, source)
		quiet.add(source, watched)
		for _, f := range watched.fired {
			name := set.Trigger(f.Trigger).Name
			if once := name + "\x00" + segment.Path; !fired[once] {
				fired[once] = true
				path := path
				for _, file := range each { // the first that the rule is for
					if source.Paths, source.OwnPaths = file.Paths, file.OwnPaths; len(file.Paths) > 0 && set.Applies(f.Trigger, source) {
						path = &file.Paths[0]
						break
					}
				}
				report.Fired = append(report.Fired, callFired{
					Rule: name, Path: path, Offset: f.Offset + int64(segment.Base), Line: f.at.Line, Column: f.at.Column,
					Interrupts: policy.Interrupts(set.Trigger(f.Trigger), stream.Tool), text: segment.Text, match: f.match, reminds: remindedBy(set.Trigger(f.Trigger)),
				})
			}
		}
		for _, u := range watched.undecided {
			report.Undecided = append(report.Undecided, newTestUndecided(set, u, 0))
		}
	}
	report.Silent = append(quiet.told(), withoutTrigger(rules)...)
	if t.app.json {
		return t.app.writeJSON(report)
	}
	return t.printCall(report)
}

// called is what a file of a call is called in the project, links followed, and what more for the user's own rules; nil: it names none. known
// is false if nobody knows where it is.
func (t *triggerTest) called(namer *files.Namer, path string) (names, own []string, known bool) {
	if path == "" {
		return nil, nil, true
	}
	paths := files.Absolutes(t.app.dir(), t.app.paths().Home, path)
	names, known = namer.FindAll(paths)
	return names, namer.OwnNames(paths), known
}

func (t *triggerTest) printCall(report callReport) error {
	var b strings.Builder
	paint := t.app.painter(t.app.call.Stdout)
	for _, c := range report.Calls {
		fmt.Fprintf(&b, "%s %s: %d bytes added\n", c.Kind, clean(calledName(c.Path)), c.Added)
	}
	for _, f := range report.Fired {
		reminds := ""
		if !f.Interrupts && report.Enabled {
			reminds = f.reminds
		}
		fmt.Fprintf(&b, "%s fires in %s at line %d, column %d (byte %d)%s\n", paint.bold(clean(f.Rule)), clean(calledName(f.Path)), f.Line, f.Column, f.Offset, reminds)
		b.WriteString(caret(f.text, f.match.Start, f.match.End))
	}
	b.WriteString(t.others(len(report.Fired), report.Undecided, report.Silent))
	if !report.Enabled {
		b.WriteString("by the settings, no rule watches\n")
	}
	_, err := io.WriteString(t.app.painted(t.app.call.Stdout), b.String())
	return err
}

func calledName(path *string) string {
	if path == nil {
		return "(no file)"
	}
	return *path
}
