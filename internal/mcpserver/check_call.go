package mcpserver

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/visible"
	"github.com/pertain-dev/pertain/rule"
	"github.com/pertain-dev/pertain/stream"
)

// A short command with braces adds to thousands of files, and a stranger's repository may have a rule for each letter. So each text
// is looked at once by all triggers, as hooks do it, where a file is only matters once something fires, and what is told is bounded.
const (
	maxBrokenFiles = 200       // that are told of a rule; the others are counted
	maxBroken      = 192 << 10 // bytes of what is told, for each kind of [brokenKind]
	maxBrokenName  = 1024      // characters of a file's name that are told
	maxCompared    = 1 << 20   // bytes of names of files that are compared with globs of others than the user
)

// callCheck looks for rules that a tool call breaks.
type callCheck struct {
	spaces []Workspace
	policy stream.Policy
	books  *rulebooks
	notes  noteList

	found    []broken
	rules    map[string]*brokenFiles // by their files: rules of two roots may share a name
	taken    map[brokenKind]int      // bytes
	unfit    int                     // rules that are broken and did not fit
	compared int                     // bytes of names
	passed   int                     // parts of the call that not all globs were compared with
}

// brokenKind says which limit on an answer a broken rule counts against: rules of a repository must not push out those of the user,
// nor many files of one rule the other rules.
type brokenKind struct {
	own   bool // a rule of the user's own
	again bool // it was told before, of another file
}

// brokenFiles is where a rule was broken.
type brokenFiles struct {
	told  map[string]bool
	first int  // in found
	full  bool // no more are told
}

// checkCall looks at what a call adds. disabled: there are rules for it, and the settings switch them off.
func (c *session) checkCall(ctx context.Context, texts []checkedText, policy stream.Policy) (check *callCheck, disabled bool, err error) {
	spaces, err := c.workspaces(ctx)
	if err != nil {
		return nil, false, err
	}
	check = &callCheck{spaces: spaces, policy: policy, books: newRulebooks(), rules: map[string]*brokenFiles{}, taken: map[brokenKind]int{}}
	for i := range texts {
		if err := ctx.Err(); err != nil { // a call may add any number of files
			return nil, false, err
		}
		if disabled, err := check.look(ctx, &texts[i]); disabled || err != nil {
			return nil, disabled, err
		}
	}
	check.tellLimits()
	return check, false, nil
}

// look looks at one part of the call. A file outside of the workspaces counts for the rules of the first one.
func (k *callCheck) look(ctx context.Context, text *checkedText) (disabled bool, err error) {
	asked, doubt, path, written := k.spaces, "", "", ""
	if text.file != "" {
		asked = k.spaces[:1]
		written = files.Absolute(asked[0].Root(), filepath.FromSlash(text.file))
		if named, err := find(k.spaces, []string{text.file}); err == nil {
			asked, doubt, path, written = named.spaces, named.doubt, named.paths[0], named.written[0]
		}
	}
	at := &callPart{checkedText: text, path: path, written: written, source: stream.Source{Kind: stream.Tool, Tool: text.tool, Does: text.does, Anywhere: text.anywhere}}
	unread := 0
	for _, w := range asked {
		rules, err := k.books.open(ctx, w, path)
		if err != nil {
			return false, err
		}
		unread += rules.unread
		if k.policy.Disabled {
			if k.watched(rules, at, w) {
				return true, nil
			}
			continue
		}
		if err := k.judge(ctx, rules, at, w); err != nil {
			return false, err
		}
	}
	if at.passed {
		k.passed++
	}
	k.notes.add(joinNotes(doubt, leftOut(unread)))
	return false, nil
}

// callPart is what a call adds to one file, or to none.
type callPart struct {
	*checkedText
	path    string // absolute; empty: it is in no workspace, or there is none
	written string // absolute, as it is written, wherever it is
	source  stream.Source
	passed  bool // not all globs were compared with it
}

// watched tells whether any trigger is for a part of the call.
func (k *callCheck) watched(rules *readRules, at *callPart, w Workspace) bool {
	for i := range rules.set.Len() {
		if k.applies(rules, i, at, w) {
			return true
		}
	}
	return false
}

// judge looks for triggers in a part of the call, as in a turn of its own.
func (k *callCheck) judge(ctx context.Context, rules *readRules, at *callPart, w Workspace) error {
	if err := rules.feed(ctx, at.text); err != nil {
		return err
	}
	for _, f := range rules.fired {
		if k.applies(rules, f.Trigger, at, w) {
			k.tell(rules, f, at, w)
		}
	}
	undecided := 0
	for _, u := range rules.undecided {
		if k.applies(rules, u.Trigger, at, w) {
			undecided++
		}
	}
	if undecided > 0 {
		k.notes.add(fmt.Sprintf("%d patterns took too long and could not be decided", undecided))
	}
	if rules.unwatched > 0 {
		k.notes.add(fmt.Sprintf("%d patterns are too large together with the others and were not checked", rules.unwatched))
	}
	return nil
}

// applies tells whether a trigger is for a part of the call.
func (k *callCheck) applies(rules *readRules, trigger int, at *callPart, w Workspace) bool {
	if !rules.narrowed[trigger] {
		return rules.anywhere(trigger, &at.source)
	}
	if at.source.Paths == nil && at.file != "" {
		names, known := k.books.namer(w.Root()).Find(at.written)
		at.source.Paths, at.source.Anywhere = names, at.source.Anywhere || !known
		if at.path == "" {
			at.source.Paths = append([]string{filepath.ToSlash(at.file)}, names...)
		}
		for _, name := range at.source.Paths {
			k.compared += len(name)
		}
	}
	if k.compared > maxCompared && !rules.set.Trigger(trigger).Own {
		at.passed = true
		return false
	}
	if applies := rules.set.Applies(trigger, at.source); applies || at.file == "" || !rules.set.Trigger(trigger).Own {
		return applies
	}
	own := at.source
	own.OwnPaths = k.books.namer(w.Root()).OwnNames([]string{at.written})
	return rules.set.Applies(trigger, own)
}

// tell takes down that a rule is broken, or where that does not fit, counts it.
func (k *callCheck) tell(rules *readRules, f stream.Firing, at *callPart, w Workspace) {
	r := rules.rules[f.Trigger]
	in := rules.broken[f.Trigger]
	if in == nil {
		if in = k.rules[r.Path]; in == nil {
			in = &brokenFiles{told: map[string]bool{}, first: -1}
			k.rules[r.Path] = in
		}
		rules.broken[f.Trigger] = in
	}
	switch {
	case in.told[at.file]:
		return
	case in.full:
		if in.first >= 0 {
			k.found[in.first].broken.More++
		}
		return
	}
	trigger := rules.set.Trigger(f.Trigger)
	b := brokenRule{
		Name: visible.Strip(r.Name), URI: addressIn(k.spaces, w, address(r.Name)), Path: fileIn(k.spaces, r.Path),
		File: shorten(visible.Strip(at.file), maxBrokenName), Line: lineOf(at.text, f.Offset), Reminder: !k.policy.Interrupts(trigger, stream.Tool),
	}
	kind := brokenKind{r.Level == rule.User, in.first >= 0}
	size := len(b.Name) + 2*len(b.URI) + len(b.Path) + len(b.File) + 140 // with a note that says where its text is
	if k.taken[kind]+size > maxBroken || len(in.told) == maxBrokenFiles {
		in.full = true
		if in.first < 0 {
			k.unfit++
			return
		}
		k.found[in.first].broken.More++
		return
	}
	k.taken[kind] += size
	in.told[at.file] = true
	if in.first < 0 {
		in.first = len(k.found)
	}
	k.found = append(k.found, broken{b, r})
}

// tellLimits tells what was not looked at, or is not told, since it would be too much.
func (k *callCheck) tellLimits() {
	if k.unfit > 0 {
		k.notes.add(fmt.Sprintf("%d more rules are broken than there is room to name", k.unfit))
	}
	if k.passed > 0 {
		k.notes.add(fmt.Sprintf("the call adds to so many files that in %d places not all globs of the repository's rules were compared; check it in parts", k.passed))
	}
	if k.books.passed > 0 {
		k.notes.add(fmt.Sprintf("the call adds to files in more than %d folders; rules of the others were not looked for in %d places; check it in parts", maxRuleFolders, k.books.passed))
	}
}

// noteList are notes, each once, as far as somebody reads on.
type noteList struct {
	list []string
	more int
}

const maxNotes = 20

func (n *noteList) add(note string) {
	switch {
	case note == "" || slices.Contains(n.list, note):
	case len(n.list) < maxNotes:
		n.list = append(n.list, note)
	default:
		n.more++
	}
}

func (n *noteList) String() string {
	out := joinNotes(slices.Clone(n.list)...)
	if n.more > 0 {
		out += "; and more of this kind"
	}
	return out
}
