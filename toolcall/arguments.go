package toolcall

import "bytes"

// arguments is the Reader as a sink of JSON.
type arguments Reader

// scope is an object or an array of the arguments.
type scope struct {
	outer  *scope
	array  bool
	name   string // of the value that is read next
	paths  named  // the files that the object is about
	dirs   named  // the folders that a command may be run in
	ownDir bool   // one of them is that of the argument that the tool has for it
	words  *value // the array is a command, of which words have come; nil: it is none
	first  int    // how many segments there were before it: none of them is inside
	part   role   // what a text in it is whose name says nothing: it is inside of a content, a patch or a command; else ignored
}

// field is the name of the value that is read: in an array, that of the array.
func (s *scope) field() string {
	for s != nil && s.array {
		s = s.outer
	}
	if s == nil {
		return ""
	}
	return s.name
}

// within tells whether an object is another, or in it.
func (s *scope) within(other *scope) bool {
	for ; s != nil; s = s.outer {
		if s == other {
			return true
		}
	}
	return false
}

// value is how a text is read.
type value struct {
	role    role
	segment int    // where it goes, with contentRole, commandRole and textRole, and where counts is set
	counts  bool   // the text of a path counts as well
	lines   *lines // of a patch
	command *commandText
	code    *code
}

func (a *arguments) top() *scope {
	if len(a.scopes) == 0 {
		return nil
	}
	return a.scopes[len(a.scopes)-1]
}

func (a *arguments) open(array bool) {
	next := &scope{outer: a.top(), array: array, first: len(a.segments), part: a.part()}
	if next.outer.mapsFiles() {
		next.paths.add(spellings(next.outer.name)...)
	}
	a.scopes = append(a.scopes, next)
}

// mapsFiles tells an object whose names are files: `"files": {"a.ts": …}`.
func (s *scope) mapsFiles() bool {
	return s != nil && !s.array && s.outer != nil && !s.outer.array && Plain(s.outer.name) == "files"
}

// part is what an object or array that begins is a part of.
func (a *arguments) part() role {
	top := a.top()
	if top == nil {
		return ignored
	}
	switch role := a.roleOf(top); {
	case role == commandRole && top.array: // among words
		return ignored
	case role == contentRole, role == patchRole, role == commandRole:
		return role
	}
	return top.part
}

// roleOf is what the value that comes next is, by its name.
func (a *arguments) roleOf(top *scope) role {
	if a.served {
		return servedRole(a.kind, a.queries, top.field())
	}
	return roleOf(a.kind, top.field())
}

// partRole is the same of a text that stands in a content, a patch or a command which is no text itself: all that is in it counts.
func partRole(role, part role, name string) role {
	switch {
	case part == ignored || part == commandRole && remarkNames[Plain(name)]:
		return role
	case role == ignored, role == oldRole && part == contentRole:
		return part
	}
	return role
}

func (a *arguments) shut(bool) {
	r := (*Reader)(a)
	if words := a.top().words; words != nil {
		words.command.end()
		r.close(words.segment)
	}
	a.scopes = a.scopes[:len(a.scopes)-1]
}

func (a *arguments) key(name string) { a.top().name = name }

// beneath begins a text so deep inside that the names around it are not followed: whatever it is, it counts, for any file.
func (a *arguments) beneath() {
	r := (*Reader)(a)
	r.current = value{role: textRole, segment: r.open(r.kind, "", nil)}
	r.segments[r.current.segment].Anywhere = true
}

func (a *arguments) begin() {
	r, top := (*Reader)(a), a.top()
	role := a.roleOf(top)
	if top != nil {
		role = partRole(role, top.part, top.field())
	}
	if role == commandRole && top != nil && top.array && !top.isScripts() {
		a.word(top)
		return
	}
	if (role == ignored || role == textRole) && top.mapsFiles() {
		r.begin(contentRole, top)
		r.segments[r.current.segment].Path = top.name
		return
	}
	if role == ignored && a.embeds(top.field()) {
		a.embedded = &embedded{decoder: decoder{sink: a}, scopes: len(a.scopes)}
	}
	if role == ignored && a.holds(top.field()) {
		a.hold(top)
	}
	r.begin(role, top)
}

// isScripts tells a list of which each is a command of its own.
func (s *scope) isScripts() bool {
	return Plain(s.field()) == "commands" && (s.outer == nil || !s.outer.array)
}

// word begins a word of a command that is a list. The words are one text, with
// blanks between them, as a person would write it; a script that a shell is given
// stands there as it is.
func (a *arguments) word(top *scope) {
	r := (*Reader)(a)
	if top.words == nil {
		r.begin(commandRole, top)
		words := r.current
		top.words = &words
		return
	}
	r.current = *top.words // something else may have stood between them
	r.write(" ")
}

func (a *arguments) text(fragment string) {
	if a.holding && (a.embedded == nil || !a.embedded.busy) {
		a.held[len(a.held)-1].text.WriteString(fragment)
	}
	if in := a.embedded; in != nil && !in.busy {
		if !in.feed(fragment) {
			a.embedded = nil
		}
		return
	}
	(*Reader)(a).write(fragment)
}

func (a *arguments) end() {
	r := (*Reader)(a)
	if in := a.embedded; in != nil && !in.busy {
		in.end(a)
	}
	a.holding = a.holding && a.embedded != nil
	switch r.current.role {
	case pathRole:
		if top := a.object(); top != nil && a.names(&top.paths, spellings) {
			a.located(top, func(s *segment) bool { return s.scope.within(top) })
		}
		if r.current.counts {
			r.close(r.current.segment)
		}
	case folderRole:
		if top := a.object(); top != nil && len(r.path) > 0 {
			own := !top.ownDir && r.folders[Plain(top.field())]
			top.ownDir = top.ownDir || own
			if a.names(&top.dirs, func(path string) []string { return []string{path} }) || own {
				a.located(top, func(s *segment) bool { return s.Path != "" && s.folder.within(top) })
			}
		}
	case contentRole, textRole, queryRole:
		r.close(r.current.segment)
	case patchRole:
		r.current.lines.end()
	case commandRole:
		if top := a.top(); top != nil && top.words != nil {
			break // the next word belongs to it
		}
		r.current.command.end()
		r.close(r.current.segment)
	case codeRole:
		r.current.code.finish(r.current.segment)
		r.close(r.current.segment)
	case ignored, oldRole:
	}
	r.current = value{}
}

// object is the one whose value is read, in a list or not.
func (a *arguments) object() *scope {
	top := a.top()
	for top != nil && top.array && top.outer != nil {
		top = top.outer
	}
	return top
}

// names takes in the path that was read, and tells whether it says anything new.
func (a *arguments) names(list *named, meant func(string) []string) bool {
	if a.tooLong || bytes.IndexByte(a.path, 0) >= 0 { // nobody knows what becomes of such a path
		return list.addAny()
	}
	return list.add(meant(string(a.path))...)
}

// located tells the segments of an object whose path has become known, or of which there is one more.
func (a *arguments) located(at *scope, concerns func(*segment) bool) {
	r := (*Reader)(a)
	if r.anyFile {
		return
	}
	from := at.first
	if r.looked += len(r.segments) - from; r.looked > maxLocated {
		r.anyFile, from = true, 0
		concerns = func(s *segment) bool { return s.scope != nil || s.folder != nil }
	}
	for i, s := range r.segments[from:] {
		if concerns(s) {
			r.tell(Piece{Segment: from + i})
		}
	}
}
