package toolcall

import (
	"slices"
	"strings"
)

// Segment is a run of text that a call adds. A match of a rule never spans two.
type Segment struct {
	Kind Kind
	Path string // the file, as the call writes it; "": none, or not known yet
	// Others are further files that may be meant instead; see [Segment.Paths].
	Others []string
	// Base is how many bytes the earlier segments of the same path add.
	Base int
	Text string // all of it so far
	// Anywhere says that the folder of the file is not known, since there were too many that it may be: only the name at the end of
	// Path is. Where there were too many files, or texts, Path is empty: it may be any. Further texts follow each other in one segment.
	Anywhere bool
}

// Piece is text that has arrived.
type Piece struct {
	Segment int    // index among the segments of the call
	Text    string // may be empty: then only the segment's path is new, or its end
	End     bool   // nothing more comes to this segment
}

// Read reads a whole call. Arguments that are no JSON object are the bare input of
// a tool, such as a patch.
func Read(name, arguments string) []Segment {
	r := NewReader(name)
	r.whole = true
	r.Feed(arguments)
	r.End()
	return r.Segments()
}

// Reader reads a call whose arguments arrive in pieces. What it tells does not
// depend on where they were cut.
type Reader struct {
	kind     Kind
	looks    bool // the kind is Look
	served   bool // a server brings it
	queries  bool // it is one of a server's that looks, by its name
	decoder  decoder
	segments []*segment
	scopes   []*scope // objects and arrays that are open, outermost first
	current  value    // the text that is being read
	embedded *embedded
	held     []held // texts whose names say nothing
	holding  bool   // one of them is being read
	seen     bool   // a content, a patch or a command has come
	path     []byte
	tooLong  bool            // not all of it is there
	folders  map[string]bool // the arguments by which the tool is told where to run a command, where that is known
	blocks   bool            // its patches are blocks of SEARCH and REPLACE
	lenient  bool            // a text is read as a command that may be none: nothing is said of what is not followed
	keys     bool            // its commands are typed, with the names of keys
	scripted bool            // its bare input is a script that calls other tools
	anyFile  bool            // files were named in too many ways: each text may go to any
	looked   int             // see maxLocated
	free     map[Kind][]int  // segments for further texts; see further
	scratch  scratch
	out      []Piece
	whole    bool // nobody wants pieces: of a large call they take more memory than the call
	bare     bool // the arguments are no JSON object
	begun    bool
	lead     strings.Builder // white space before the first character
}

// segment is a Segment while it grows.
type segment struct {
	Segment
	own    strings.Builder
	text   *strings.Builder // its own, or that of another which gets the same
	scope  *scope           // whose paths are the segment's, beside its own; nil: they are not
	folder *scope           // that may name the folder of the path; nil: none does
	ended  bool
	// unnamed: nothing beside it says which file it is for; if nothing in the call does, it may be any.
	unnamed bool
	// further: it is for many texts, one after the other; held: a script goes on to use it; unused: nobody does.
	further, held, unused bool
}

// NewReader begins to read a call of a tool.
func NewReader(name string) *Reader {
	r := &Reader{kind: KindOf(name), served: isServed(name), folders: ownFolders(name), blocks: blockTools[Plain(name)], scripted: scriptTools[Plain(name)], keys: keyTools[Plain(name)]}
	r.queries = r.served && looking[Plain(name)]
	if r.looks = r.kind == Look; r.looks {
		r.kind = Other // its arguments are read like those of tools that are not known
	}
	r.decoder.sink = (*arguments)(r)
	return r
}

// Kind is what the tool does.
func (r *Reader) Kind() Kind {
	if r.looks {
		return Look
	}
	return r.kind
}

// Segments are what is known so far; the slice is the caller's.
func (r *Reader) Segments() []Segment {
	all := make([]Segment, len(r.segments))
	base := map[string]int{}
	for i, s := range r.segments {
		all[i] = s.Segment
		files, anyFile := r.files(s)
		all[i].Path, all[i].Others, all[i].Text = "", nil, s.text.String()
		if len(files) > 0 {
			all[i].Path = files[0]
		}
		if len(files) > 1 {
			all[i].Others = slices.Clone(files[1:])
		}
		if all[i].Anywhere = s.Anywhere || anyFile; all[i].Anywhere && all[i].Path == "" { // what follows what in such a file is not known
			continue
		}
		all[i].Base = base[all[i].Path]
		base[all[i].Path] += len(all[i].Text)
	}
	return all
}

// Path is the file of a segment, as far as it is known.
func (r *Reader) Path(segment int) string {
	if files, _ := r.files(r.segments[segment]); len(files) > 0 {
		return files[0]
	}
	return ""
}

// Paths are the files that a segment may be about, as far as they are known; see [Segment.Paths].
func (r *Reader) Paths(segment int) []string {
	files, _ := r.files(r.segments[segment])
	return slices.Clone(files)
}

// Anywhere says whether the folder of a segment's file is not known; see
// [Segment].
func (r *Reader) Anywhere(segment int) bool {
	_, anyFile := r.files(r.segments[segment])
	return anyFile || r.segments[segment].Anywhere
}

// KindOf is what a segment is: the file of a here-document is written, whatever
// the tool does.
func (r *Reader) KindOf(segment int) Kind { return r.segments[segment].Kind }

// Feed takes the next piece of the arguments and tells what it adds. The slice is
// good until the next call.
func (r *Reader) Feed(piece string) []Piece {
	r.out = r.out[:0]
	if !r.begun {
		trimmed := strings.TrimLeft(piece, " \t\r\n\ufeff")
		r.lead.WriteString(piece[:len(piece)-len(trimmed)])
		if trimmed == "" {
			return nil
		}
		r.begun = true
		r.bare = trimmed[0] != '{'
		if piece = trimmed; r.bare {
			piece = r.lead.String() + trimmed
			r.input()
		}
	}
	if r.bare {
		r.write(piece)
		return r.out
	}
	if rest := r.decoder.feed(piece); rest != "" { // no JSON from here on: it is watched as it stands
		r.bare = true
		r.current = value{role: textRole, segment: r.open(Other, "", nil)}
		r.segments[r.current.segment].Anywhere = true
		r.write(rest)
	}
	return r.out
}

// End says that the arguments have ended, complete or not.
func (r *Reader) End() []Piece {
	r.out = r.out[:0]
	if !r.bare {
		r.decoder.finish()
	} else {
		(*arguments)(r).end()
	}
	for len(r.scopes) > 0 { // a list of words may not have ended
		(*arguments)(r).shut(true)
	}
	(*arguments)(r).release()
	for i, s := range r.segments {
		if s.unnamed && !s.Anywhere {
			if files, _ := r.files(s); len(files) == 0 {
				s.Anywhere = true
				r.tell(Piece{Segment: i})
			}
		}
		if !s.ended {
			s.ended = true
			r.tell(Piece{Segment: i, End: true})
		}
	}
	return r.out
}

// input begins the bare input of a tool.
func (r *Reader) input() {
	switch r.kind {
	case Patch:
		r.begin(patchRole, nil)
	case Shell:
		if r.scripted {
			r.begin(codeRole, nil)
		} else {
			r.begin(commandRole, nil)
		}
	case Write, Edit:
		r.begin(contentRole, nil)
	case Other:
		r.begin(textRole, nil)
	}
}

// begin begins a text.
func (r *Reader) begin(role role, scope *scope) {
	r.current = value{role: role}
	r.seen = r.seen || role == contentRole || role == patchRole || role == commandRole
	switch role {
	case pathRole, folderRole:
		r.path, r.tooLong = r.path[:0], false
		inContent := scope != nil && scope.part == contentRole
		if r.current.counts = r.kind == Other || inContent; r.current.counts {
			kind := r.kind
			if r.queries {
				kind = Look
			}
			r.current.segment = r.open(kind, "", scope)
		}
	case queryRole:
		r.current.segment = r.open(Look, "", scope)
	case contentRole, textRole:
		r.current.segment = r.open(r.kind, "", scope)
	case patchRole:
		r.current.lines = &lines{line: newPatch(r, scope).line}
	case commandRole:
		r.current.segment = r.open(Shell, "", nil)
		r.current.command = newCommandText(newScript(r, scope))
	case codeRole:
		r.current.segment = r.open(Shell, "", nil)
		r.current.code = &code{reader: r}
	case ignored, oldRole:
	}
}

// write takes a part of the text that is read.
func (r *Reader) write(text string) {
	switch r.current.role {
	case pathRole, folderRole:
		if r.tooLong = r.tooLong || len(r.path)+len(text) > maxPath; !r.tooLong {
			r.path = append(r.path, text...)
		}
		if r.current.counts {
			r.add(text, r.current.segment)
		}
	case contentRole, textRole, queryRole:
		r.add(text, r.current.segment)
	case patchRole:
		r.current.lines.write(text)
	case commandRole:
		r.current.command.write(text)
	case codeRole:
		r.add(text, r.current.segment)
		r.current.code.write(text)
	case ignored, oldRole:
	}
}

// open makes a segment.
func (r *Reader) open(kind Kind, path string, scope *scope) int {
	if r.looks && kind == Other {
		kind = Look
	}
	if len(r.segments) >= maxSegments {
		return r.further(kind)
	}
	return r.append(&segment{Segment: Segment{Kind: kind, Path: path}, scope: scope})
}

func (r *Reader) append(s *segment) int {
	s.text = &s.own
	r.segments = append(r.segments, s)
	return len(r.segments) - 1
}

// join makes segments that have no text yet have one text from now on, which is kept once.
func (r *Reader) join(segments []int) {
	for _, segment := range segments {
		if s := r.segments[segment]; !s.further {
			s.text = r.segments[segments[0]].text
		}
	}
}

// add adds text to a segment, or to some, of which those are together that were joined.
func (r *Reader) add(text string, segments ...int) {
	if text == "" {
		return
	}
	var last *strings.Builder
	for _, segment := range segments {
		if own := r.segments[segment].text; own != last {
			own.WriteString(text)
			last = own
		}
	}
	if !r.whole && !r.grow(len(text), segments) {
		for _, segment := range segments {
			r.out = append(r.out, Piece{Segment: segment, Text: text})
		}
	}
}

// grow makes the last pieces longer by what was added, and tells whether they are of the same segments: what is told of a text, not
// how many pieces it came in, is what costs.
func (r *Reader) grow(by int, segments []int) bool {
	if len(segments) > len(r.out) {
		return false
	}
	last := r.out[len(r.out)-len(segments):]
	for i, segment := range segments {
		if last[i].Segment != segment || last[i].End || last[i].Text == "" {
			return false
		}
	}
	for i, segment := range segments {
		all := r.segments[segment].text.String()
		last[i].Text = all[len(all)-len(last[i].Text)-by:]
	}
	return true
}

func (r *Reader) tell(p Piece) {
	if !r.whole {
		r.out = append(r.out, p)
	}
}

// close ends a segment, or the text in one that goes on with others.
func (r *Reader) close(segment int) {
	switch s := r.segments[segment]; {
	case s.held:
	case s.further:
		r.release(segment)
	case !s.ended:
		s.ended = true
		r.tell(Piece{Segment: segment, End: true})
	}
}
