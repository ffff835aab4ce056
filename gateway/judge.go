package gateway

import (
	"cmp"
	"context"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"
	"unsafe"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/stream"
	"github.com/pertain-dev/pertain/toolcall"
)

// judge watches one answer of the upstream.
type judge struct {
	x       *exchange
	watcher *stream.Watcher // nil: nothing is watched
	parts   []*spoken       // in the order in which they began
	byKey   map[partKey]*spoken
	last    *spoken // that was asked for: mostly it is again
	full    bool    // there are more parts than can be watched
	parted  []side  // those of partingSides on which something was said
}

// partKey tells parts apart. An upstream may say things of several kinds under one key, and each is watched as what it is.
type partKey struct {
	key  int64
	kind blockKind
	side side
}

// spoken is a text or a call of an answer.
type spoken struct {
	partKey

	source  stream.Source
	call    stream.Call
	watched bool
	fed     int64  // bytes that have come
	begin   int64  // from which on a match may be under way
	tail    []byte // the last of them
	ended   bool

	text  strings.Builder // all of it; of calls their arguments
	given int             // bytes of text that the client has got
	proof strings.Builder // the signature of what was thought
	raw   []byte          // see block
	calls []string        // names of a call

	// Of calls, see hearing:
	hearings []hearing
	readings int      // how many the watcher knows
	named    string   // by what it was named last
	spelled  string   // all its names in one
	versions []string // other arguments that it was told with

	said int  // how many things were said of it, without its end
	sent int  // of those, which the client has got
	told bool // see Release

	reopened int  // how often it went on after its end
	gone     bool // the client had got all of it, before more was said
}

func (x *exchange) newJudge() *judge {
	j := &judge{x: x, byKey: make(map[partKey]*spoken)}
	if x.workspace.rules() == 0 {
		return j
	}
	w, err := stream.NewWatcher(x.ctx(), x.workspace.Triggers, turnMemory{x}, x.workspace.Policy)
	if err == nil { // turnMemory never fails
		j.watcher = w
	}
	return j
}

// maxParts bounds the texts and calls of one answer.
const maxParts = 1 << 16

// blockKinds are what may be said under one key.
var blockKinds = [...]blockKind{callBlock, textBlock, thinkingBlock}

// kind is of what something is a piece; otherBlock: of whatever there is.
func (s *said) kind() blockKind {
	switch s.what {
	case textPiece:
		return textBlock
	case thinkingPiece, thinkingProof:
		return thinkingBlock
	case callBegin, callName, callPiece, callVersion:
		return callBlock
	case streamEnd:
	}
	return otherBlock
}

// known gives the part that something belongs to; nil: there is none.
func (j *judge) known(s *said) *spoken {
	key := partKey{s.key, s.kind(), s.side}
	if key.kind == otherBlock {
		for _, key.kind = range blockKinds {
			if p := j.byKey[key]; p != nil {
				return p
			}
		}
		return nil
	}
	if j.last == nil || j.last.partKey != key {
		p := j.byKey[key]
		if p == nil {
			return nil
		}
		j.last = p
	}
	return j.last
}

// part gives that of a key. It is made when it is first met.
func (j *judge) part(s *said) *spoken {
	p := j.known(s)
	if p != nil || s.what == streamEnd { // else it is the end of nothing
		return p
	}
	if len(j.parts) >= maxParts {
		j.full = true
		return nil
	}
	p = &spoken{partKey: partKey{s.key, s.kind(), s.side}}
	id := strconv.FormatInt(s.key, 10) + s.side.name()
	switch p.kind {
	case thinkingBlock:
		p.source = stream.Source{Kind: stream.Thinking, ID: id}
	case callBlock:
		named := j.x.workspace.files()
		p.call = stream.Call{Tool: s.tool, ID: id, Names: named.names, OwnNames: named.ownNames, Lost: named.lost}
		p.calls, p.named, p.spelled = strings.Fields(s.id), s.tool, s.tool
		p.watched = j.watcher != nil && s.tool == "" // it is held until it has a name
		j.hearing(p, s.tool, 0)
	case otherBlock, textBlock:
		p.source = stream.Source{Kind: stream.Text, ID: id}
	}
	if p.kind != callBlock {
		p.watched = j.watcher != nil && watches(j.x.workspace.Triggers, p.source)
	}
	j.byKey[p.partKey] = p
	j.parts = append(j.parts, p)
	return p
}

// watches tells whether some trigger watches a source.
func watches(set *stream.Set, source stream.Source) bool {
	for i := range set.Len() {
		if set.Watches(i, source) {
			return true
		}
	}
	return false
}

// callFiles are the files of calls in a workspace. A call asks for them with every piece.
type callFiles struct {
	from  string // the folder that paths are relative to
	home  string
	namer *files.Namer
	known map[string]callFile
}

// callFile is what a file is called in the workspace, links followed.
type callFile struct {
	names []string
	own   []string // more of them, for the user's own rules alone
	lost  bool     // nobody knows where it is
}

func (w *Workspace) files() *callFiles {
	return &callFiles{cmp.Or(w.Cwd, w.Dir), w.Home, files.NewNamer(w.Dir), map[string]callFile{}}
}

func (c *callFiles) find(path string) callFile {
	found, known := c.known[path]
	if !known {
		name := filepath.FromSlash(strings.ReplaceAll(path, `\`, "/"))
		paths := files.Absolutes(c.from, c.home, name)
		names, sure := c.namer.FindAll(paths)
		found = callFile{names, c.namer.OwnNames(paths), !sure}
		c.known[path] = found
	}
	return found
}

func (c *callFiles) names(path string) []string    { return c.find(path).names }
func (c *callFiles) ownNames(path string) []string { return c.find(path).own }
func (c *callFiles) lost(path string) bool         { return c.find(path).lost }

// touched is the file of a source, as it may be written down; "": none. An argument that is called a path may be anything
// that the model writes: of tools that are not known, and with white space in it, it counts where there is such a file.
func (w *Workspace) touched(source stream.Source) string {
	if len(source.Paths) == 0 {
		return ""
	}
	name := source.Paths[0]
	switch source.Does {
	case toolcall.Other, toolcall.Look:
	default:
		if len(name) <= maxPath && !strings.ContainsFunc(name, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }) {
			return name
		}
	}
	path := filepath.FromSlash(name)
	if !filepath.IsAbs(path) {
		path = filepath.Join(w.Dir, path)
	}
	if _, err := files.OS().Stat(path); err != nil {
		return ""
	}
	return name
}

// maxPath bounds a path that is written down, in bytes.
const maxPath = 1 << 10

// take watches one thing that was said. limit is how much of a text is looked back at.
func (j *judge) take(ctx context.Context, s *said, limit int) (verdict stream.Verdict) {
	if s.side&partingSides != 0 {
		verdict = j.parting(ctx, s, limit)
	}
	p := j.part(s)
	if p == nil {
		return verdict
	}
	if s.raw != nil {
		p.raw = s.raw
	}
	if p.said == 0 && s.side&partSides != 0 && !s.all {
		verdict = together(verdict, j.joins(ctx, p, partSides, limit))
	}
	p.gone = p.gone || s.what != streamEnd && p.whole()
	if p.ended && s.text != "" && s.goesOn() {
		verdict = together(verdict, j.reopen(ctx, p, limit))
	}
	return together(verdict, j.takes(ctx, p, s, limit))
}

// goesOn tells whether it is more of what may have ended.
func (s *said) goesOn() bool {
	return s.what == textPiece || s.what == thinkingPiece || s.what == callPiece
}

// takes watches one thing that was said of a part.
func (j *judge) takes(ctx context.Context, p *spoken, s *said, limit int) (verdict stream.Verdict) {
	if s.what == textPiece || s.what == thinkingPiece {
		p.add(s)
	} else if s.what != streamEnd {
		p.said++
	}
	switch s.what {
	case textPiece, thinkingPiece:
		if !p.watched {
			p.begin = p.fed
		}
		if !p.watched || s.text == "" { // an empty piece ends nothing that is under way
			return verdict
		}
		verdict, _ = j.watcher.Feed(ctx, p.source, s.text)
		p.look(j.watcher, s.text, p.fed, limit)
	case thinkingProof:
		p.proof.WriteString(s.text)
	case callPiece:
		verdict = j.callPiece(ctx, p, s.text)
	case callName:
		verdict = j.named(ctx, p, s.tool)
	case callVersion:
		verdict = j.again(ctx, p, s)
	case streamEnd:
		if s.id != "" {
			p.calls = strings.Fields(s.id)
		}
		verdict = j.ends(ctx, s)
	case callBegin:
		verdict = j.begins(ctx, p, s)
	}
	return verdict
}

// look finds from where on a match may be under way, when the text has been watched up to the end of a piece.
func (p *spoken) look(w *stream.Watcher, piece string, end int64, limit int) {
	tail := piece // mostly all that is needed: nothing was under way before
	if p.begin < end-int64(len(piece)) || len(p.tail) > 0 && len(piece) > 0 && piece[0]&0xC0 == 0x80 {
		p.tail = append(p.tail, piece...)
		tail = unsafe.String(unsafe.SliceData(p.tail), len(p.tail)) // it is not kept
	}
	from := max(len(tail)-limit, int(p.begin-(end-int64(len(tail)))), 0)
	tail = tail[boundary(tail, from):]
	p.begin = end - int64(len(tail)) + int64(w.Begin(p.source, tail))
	p.tail = append(p.tail[:0], tail...)
}

// boundary gives the beginning of the character that an offset of a text lies in.
func boundary(text string, at int) int {
	for at > 0 && at < len(text) && text[at]&0xC0 == 0x80 {
		at--
	}
	return at
}

// end ends a text or a call.
func (j *judge) end(ctx context.Context, p *spoken) (verdict stream.Verdict) {
	if p.ended {
		return verdict
	}
	if p.watched && p.kind == callBlock {
		verdict = j.endCall(ctx, p)
	} else if p.watched {
		verdict, _ = j.watcher.End(ctx, p.source)
	}
	p.ended, p.begin, p.tail = true, p.fed, nil
	return verdict
}

// ends ends all that was said under a key.
func (j *judge) ends(ctx context.Context, s *said) (verdict stream.Verdict) {
	for _, kind := range blockKinds {
		if p := j.byKey[partKey{s.key, kind, s.side}]; p != nil {
			verdict = together(verdict, j.end(ctx, p))
		}
	}
	return verdict
}

// finish ends everything that has not ended.
func (j *judge) finish(ctx context.Context) (verdict stream.Verdict) {
	for _, p := range j.parts {
		verdict = together(verdict, j.end(ctx, p))
	}
	return verdict
}

// together is what two verdicts say together.
func together(a, b stream.Verdict) stream.Verdict {
	a.Fired = append(a.Fired, b.Fired...)
	a.Interrupt, a.Discard = a.Interrupt || b.Interrupt, a.Discard || b.Discard
	return a
}

// giving takes note of what the client gets.
func (j *judge) giving(list []said) {
	for i := range list {
		s := &list[i]
		p := j.known(s)
		if p == nil {
			continue
		}
		if s.what != streamEnd {
			p.sent++
		}
		if s.what == textPiece || s.what == thinkingPiece {
			p.given += len(s.text)
		}
	}
}

// whole tells whether the client has got all of it.
func (p *spoken) whole() bool { return p.ended && p.sent == p.said }

// released are the parts that the client has got something of, and the names of the
// calls among them.
func (j *judge) released() (blocks []block, calls []string) {
	for _, p := range j.parts {
		switch {
		case p.side != plainSide:
		case p.kind == callBlock && (p.gone || p.whole()):
			calls = append(calls, p.calls...)
		case p.kind != callBlock && (p.given > 0 || p.proof.Len() > 0 && p.whole()):
			b := block{kind: p.kind, text: p.text.String()[:p.given], raw: p.raw, partial: p.kind == thinkingBlock && !p.whole()}
			if p.kind == thinkingBlock && b.raw == nil && !b.partial {
				b.raw = p.proven()
			}
			if b.text == "" { // nobody may read what was thought
				b.text = p.proof.String()
			}
			blocks = append(blocks, b)
		}
	}
	return blocks, calls
}

// all are the names of all calls, and all text.
func (j *judge) all() (calls []string, text string) {
	var b strings.Builder
	for _, p := range j.parts {
		if p.side != plainSide {
			continue
		}
		switch p.kind {
		case callBlock:
			calls = append(calls, p.calls...)
		case textBlock:
			b.WriteString(p.text.String())
		case otherBlock, thinkingBlock:
		}
	}
	return calls, b.String()
}
