package hook

import (
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/stream"
	"github.com/pertain-dev/pertain/toolcall"
)

// hit is a trigger that fired.
type hit struct {
	trigger *stream.Trigger
	path    string // relative to the project, with slashes; empty: no file
	line    int    // of the text that is added, from 1
	key     string // tells where, in the memory
	said    bool   // in a message, not in a call
}

// touched is a part of a call: what it adds to which file.
type touched struct {
	toolcall.Segment
	*location
}

// location is where a call adds something.
type location struct {
	path  string   // relative to the project where it lies in it, with slashes; empty: no file
	names []string // the path, and where links really lead
	paths []string // absolute, as the call may mean it
	lost  bool     // nobody knows where they lead
	key   string   // tells calls of the same location apart from others
}

// locations are those of a call. It may have very many, so that each is looked at once, and only when somebody wants to know.
type locations struct {
	session *session
	namer   *files.Namer
	known   map[locationName]*location
}

// locationName is a location as a call names it.
type locationName struct {
	path string
	kind toolcall.Kind
}

func (s *session) locations() *locations {
	return &locations{s, files.NewNamer(s.root), map[locationName]*location{}}
}

// of is a part of the call with each location that it may have. Paths are relative to the folder that the agent works in.
func (p *locations) of(segment toolcall.Segment) iter.Seq[touched] {
	return func(yield func(touched) bool) {
		if !yield(touched{segment, p.at(segment.Path, segment.Kind)}) {
			return
		}
		for _, path := range segment.Others {
			if !yield(touched{segment, p.at(path, segment.Kind)}) {
				return
			}
		}
	}
}

func (p *locations) at(path string, kind toolcall.Kind) *location {
	at := locationName{path, kind}
	known := p.known[at]
	if known == nil {
		known = p.look(at)
		p.known[at] = known
	}
	return known
}

func (p *locations) look(at locationName) *location {
	var out location
	if isFile(at.path) {
		paths := files.Absolutes(p.session.dir, p.session.paths.Home, at.path)
		names, known := p.namer.FindAll(paths)
		out.names, out.path, out.lost = names, names[0], !known
		out.paths = paths
	}
	switch known := at.kind != toolcall.Other && at.kind != toolcall.Look; {
	case known && out.path != "":
		out.key = hash("path", out.path)
	case known:
		out.key = hash("kind", at.kind.String())
	default:
		out.key = hash("tool", toolcall.Plain(p.session.request.tool), out.path)
	}
	return &out
}

// textsOf are what a call adds.
func textsOf(parts []toolcall.Segment) []string {
	out := make([]string, len(parts))
	for i, part := range parts {
		out[i] = part.Text
	}
	return out
}

// meant are the clean, absolute paths that one of a call may mean.
func meant(path, dir, home string) []string {
	var out []string
	for _, path := range files.Absolutes(dir, home, path) {
		readings, _ := files.Readings(path) // what is not known is told by its location
		out = append(out, readings...)
	}
	return out
}

// isFile tells whether a path of a call can be one.
func isFile(path string) bool { return path != "" && !strings.ContainsRune(path, 0) }

// projectPath is what a file of a call is called in the project, with slashes; one that lies elsewhere stays absolute. Empty: there is
// no file.
func projectPath(path, dir, root string) string {
	if !isFile(path) {
		return ""
	}
	return files.Names(root, files.Absolute(dir, path))[0]
}

func below(root, path string) (string, bool) {
	rel, err := filepath.Rel(root, path)
	if err != nil || rel == "." || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

// watchCall gives the triggers that fire in what a call adds, each rule once a file and in so many files as are remembered, in order
// of precedence, and those that are undecided in some of it.
func watchCall(set *stream.Set, tool string, parts []toolcall.Segment, locations *locations) (out []hit, open []*stream.Trigger) {
	seen := map[string]bool{}
	count := map[string]int{}
	doubtful := map[int]bool{}
	looked := look{set: set}
	for _, segment := range parts {
		found := looked.at(segment.Text)
		for _, f := range found.fired {
			t := set.Trigger(f.Trigger)
			if count[t.Name] >= maxPaths {
				continue
			}
			part, ok := watchedPart(set, f.Trigger, tool, segment, locations)
			if ok && !seen[t.Name+"\x00"+part.key] {
				seen[t.Name+"\x00"+part.key] = true
				count[t.Name]++
				out = append(out, hit{trigger: t, path: part.path, line: lineAt(part.Text, f.Offset), key: part.key})
			}
		}
		for _, u := range found.undecided {
			if doubtful[u.Trigger] {
				continue
			}
			if _, ok := watchedPart(set, u.Trigger, tool, segment, locations); ok {
				doubtful[u.Trigger] = true
				open = append(open, set.Trigger(u.Trigger))
			}
		}
	}
	order := map[*stream.Trigger]int{}
	for i := range set.Len() {
		order[set.Trigger(i)] = i
	}
	slices.SortStableFunc(out, func(a, b hit) int { return order[a.trigger] - order[b.trigger] })
	return out, open
}

// watchedPart is a part of a call with the first of its locations that a trigger is for.
func watchedPart(set *stream.Set, trigger int, tool string, segment toolcall.Segment, locations *locations) (touched, bool) {
	for part := range locations.of(segment) {
		source := stream.Source{Kind: stream.Tool, Tool: tool, Does: part.Kind, Paths: part.names, Anywhere: part.Anywhere || part.lost}
		if set.Applies(trigger, source) {
			return part, true
		}
		if !set.Trigger(trigger).Own || part.paths == nil {
			continue
		}
		if source.OwnPaths = locations.namer.OwnNames(part.paths); source.OwnPaths != nil && set.Applies(trigger, source) {
			return part, true
		}
	}
	return touched{}, false
}

// watchText gives the triggers that fire in what the model said, and those that are undecided in it.
func watchText(set *stream.Set, text string) (out []hit, open []*stream.Trigger) {
	found, source := findIn(set, text), stream.Source{Kind: stream.Text}
	for _, f := range found.fired {
		if set.Applies(f.Trigger, source) {
			out = append(out, hit{trigger: set.Trigger(f.Trigger), line: lineAt(text, f.Offset), said: true})
		}
	}
	for i, u := range found.undecided { // by trigger; one may have several patterns
		if (i == 0 || found.undecided[i-1].Trigger != u.Trigger) && set.Applies(u.Trigger, source) {
			open = append(open, set.Trigger(u.Trigger))
		}
	}
	return out, open
}

// look is what is found in a text. One call may give the same text to very many files, one after the other: it is looked at once.
type look struct {
	set   *stream.Set
	text  string
	found findings
	count int // of texts that were looked at
}

func (l *look) at(text string) findings {
	if l.count == 0 || text != l.text { // one that is kept once is compared in no time
		l.text, l.found = text, findIn(l.set, text)
		l.count++
	}
	return l.found
}

// findings are what triggers find in a text, whatever it is for.
type findings struct {
	fired     []stream.Firing
	undecided []stream.Undecided // nobody knows whether these fire
}

// findIn feeds a text to all triggers.
func findIn(set *stream.Set, text string) findings {
	st := set.Stream()
	found := slices.Clone(st.Feed(text))
	found = append(found, st.End()...)
	slices.SortStableFunc(found, func(a, b stream.Firing) int { return a.Trigger - b.Trigger })
	return findings{found, st.Undecided()}
}

// lineAt is the line in which the last character before an offset stands.
func lineAt(text string, offset int64) int {
	before := text[:min(int(offset), len(text))]
	_, size := utf8.DecodeLastRuneInString(before)
	return strings.Count(before[:len(before)-size], "\n") + 1
}

// Limits of what is looked for in a command.
const (
	maxWords = 40
	maxFiles = 20
)

// filesOf are the files that a call read or wrote, absolute: those that it names and, for commands and tools that are not
// known, what in their texts is a file of the project.
func filesOf(parts []toolcall.Segment, dir, home, root string) []string {
	var out []string
	add := func(path string) {
		if len(out) < maxFiles && !slices.Contains(out, path) {
			out = append(out, path)
		}
	}
	words := 0
	for _, part := range parts {
		if part.Path != "" {
			for _, path := range part.Paths() {
				if isFile(path) {
					for _, file := range meant(path, dir, home) {
						add(file)
					}
				}
			}
			if len(out) == maxFiles {
				break
			}
			continue
		}
		if part.Kind != toolcall.Shell && part.Kind != toolcall.Other && part.Kind != toolcall.Look {
			continue
		}
		for word := range strings.FieldsFuncSeq(part.Text, func(r rune) bool { return strings.ContainsRune(" \t\r\n'\"`;|&<>()=", r) }) {
			if words++; words > maxWords {
				break
			}
			if len(word) > 1024 || strings.HasPrefix(word, "-") {
				continue
			}
			path := filepath.Clean(files.Absolute(dir, word))
			if _, inside := below(root, path); !inside {
				continue
			}
			if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
				add(path)
			}
		}
	}
	return out
}
