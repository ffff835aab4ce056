package toolcall

import "strings"

// script reads a command line by line and finds what it writes to files: here-documents, texts that it prints, and patches. What it cannot
// follow, it passes over: the command itself is watched anyway.
type script struct {
	reader  *Reader
	word    word // that is read
	goesOn  bool // the line goes on in the next one
	wrapped byte // of a script in quotes that a shell is given
	nests   []nest
	waiting []hereDocument
	command command
	line1   []hereDocument // of the pipeline that is read
	folders folders
	values  map[string]setting // of variables
	last    setting            // the last word of the command before, which is $_
	grown   int                // bytes that variables have added
	printed []string           // by the commands in nests, in no file
	copied  int                // bytes of here-documents that were added to files
	rest    int                // the segment for files beyond that, of which one is as good as another; 0: none yet
	output  []file             // where what the script prints goes, after `exec > F`
	scope   *scope             // of the call, which may name a folder
	leaving bool               // the script in quotes ends with the pipeline
}

// nest is what goes on after a shell in the one that is read, or after commands in braces.
type nest struct {
	prints  bool // what it prints is a part of the word
	brace   bool // it is the same shell
	printed int  // how much had been printed before
	word    word
	command command
	line1   []hereDocument
	output  []file
	inputs  inputs
}

// command is a pipeline as far as it matters here.
type command struct {
	words, texts []string            // of the command that is read, as names of files and as they are printed
	passes       bool                // a command of the pipeline passes on or writes what it reads
	patches      func(string) []file // or takes a patch, whose files are meant so; nil: it does not
	files        []file              // that it writes
	redirected   bool                // what it prints goes elsewhere than where that of the script goes
	inputs       inputs              // of the commands in it
	strings      []string            // that it is given instead of a file
	prints       *string             // what it prints; nil: that is not known
	sets         []assignment
	change       []string // the words of a command that changes the folder
	piped        bool     // there are several commands, each in a shell of its own
}

func newScript(r *Reader, scope *scope) *script {
	return &script{reader: r, scope: scope, folders: folders{at: spots{{}}, before: spots{{}}}}
}

func (s *script) line(text string, last bool) {
	if len(s.waiting) > 0 {
		s.document(text, last)
	} else {
		s.scan(text)
	}
	if last {
		for _, d := range s.waiting {
			d.close(s.reader)
		}
		s.waiting = nil
	}
}

// scan reads a line outside of here-documents.
func (s *script) scan(text string) {
	if at := strings.Index(text, "*** Begin Patch"); at >= 0 && s.word.quote == 0 { // apply_patch with the patch as its argument
		s.before(strings.TrimRight(text[:at], `'"`))
		p := s.patch(s.folders.at.files)
		p.line("*** Begin Patch", false)
		s.waiting = append(s.waiting, hereDocument{end: "*** End Patch", patch: p})
		return
	}
	s.tokens(text)
	if s.word.quote != 0 && !s.goesOn {
		s.word.add("\n")
	}
	if s.word.quote == 0 && !s.goesOn {
		chained := strings.HasSuffix(strings.TrimRight(text, " \t\r"), "&&")
		if s.pipeline(); !chained {
			s.folders.doubt()
		}
	}
}

func (s *script) tokens(text string) {
	s.goesOn = false
	for i := 0; i < len(text); {
		i = s.token(text, i)
	}
}

// before reads what stands before a patch that is an argument: the folder may be changed there.
func (s *script) before(text string) {
	s.tokens(text)
	if s.word.quote == 0 && len(s.line1) == 0 {
		s.command, s.word = command{}, word{}
	}
}

// patch is one whose files are meant in some way.
func (s *script) patch(meant func(string) []file) *patch {
	p := newPatch(s.reader, nil)
	p.meant, p.folder = meant, s.scope
	return p
}

// pipe goes on to the next command of a pipeline.
func (s *script) pipe() {
	s.next()
	s.command.piped = true
}

// list goes on to the next command of a list, which is run in any case.
func (s *script) list() {
	s.pipeline()
	s.folders.doubt()
}

// nest begins a shell in the one that is read, unless there are too many.
func (s *script) nest(prints bool) bool {
	if len(s.nests) >= maxShells {
		return false
	}
	s.nests = append(s.nests, nest{prints: prints, printed: len(s.printed), word: s.word, command: s.command, line1: s.line1, output: s.output})
	s.word, s.command, s.line1, s.output = word{}, command{}, nil, nil
	s.folders.enter()
	return true
}

// commandBegins tells whether a command may begin with the next word.
func (s *script) commandBegins() bool {
	words, _ := stripped(s.command.words, nil)
	return s.word.role == argumentWord && len(words) == 0
}

// brace begins or ends commands that are run together.
func (s *script) brace(open bool) {
	s.list()
	last := len(s.nests) - 1
	switch {
	case open && last+1 < maxShells:
		s.nests = append(s.nests, nest{brace: true, printed: len(s.printed), output: s.output})
		s.output = nil
	case !open && last >= 0 && s.nests[last].brace:
		n := s.nests[last]
		s.command.prints = s.taken(n.printed)
		s.nests = s.nests[:last]
		s.command.take(n.inputs)
		if s.output == nil { // else it is the shell's from now on
			s.output = n.output
		}
	}
}

// taken is what was printed since, which goes to where all commands of a nest print. Nil: nothing.
func (s *script) taken(since int) *string {
	texts := s.printed[min(since, len(s.printed)):]
	s.printed = s.printed[:len(s.printed)-len(texts)]
	if len(texts) == 0 {
		return nil
	}
	text := strings.Join(texts, "") // one alone is not copied
	return &text
}

// unnest ends it.
func (s *script) unnest() {
	s.pipeline()
	last := len(s.nests) - 1
	for last >= 0 && s.nests[last].brace { // it was not ended
		last--
	}
	if last < 0 {
		return // a pattern of `case`, or nothing that is understood
	}
	s.folders.leave()
	n := s.nests[last]
	s.nests = s.nests[:last]
	s.word, s.command, s.line1, s.output = n.word, n.command, n.line1, n.output
	prints := s.taken(n.printed)
	switch {
	case !n.prints:
		s.command.prints = prints
		s.command.take(n.inputs)
	case prints == nil:
		s.word.add("$()") // nobody knows what it printed
	default:
		s.word.add("")
		s.word.name = append(s.word.name, "$()"...)
		s.word.text = append(s.word.text, strings.TrimRight(*prints, "\n")...)
	}
}

// wraps tells whether a script in quotes comes next, as after `bash -c`.
func (s *script) wraps() bool {
	w := s.command.words
	if s.wrapped != 0 || len(w) < 2 || s.word.role != argumentWord {
		return false
	}
	last := w[len(w)-1]
	return strings.HasPrefix(last, "-") && !strings.HasPrefix(last, "--") && strings.HasSuffix(last, "c") && isShell(w[0])
}

func isShell(name string) bool {
	switch base(name) {
	case "sh", "bash", "zsh", "dash", "ksh":
		return true
	}
	return false
}

// endWord ends the word that is read, if there is one.
func (s *script) endWord() {
	w := &s.word
	if !w.begun {
		return
	}
	name, text := w.named(), string(w.text)
	if name == text {
		text = name
	}
	role, raw := w.role, w.raw
	from := s.wordFolder(w)
	*w = word{name: w.name[:0], text: w.text[:0]}
	switch role {
	case argumentWord:
		s.set(name, text, from)
		s.command.words, s.command.texts = append(s.command.words, name), append(s.command.texts, text)
	case fileWord:
		s.command.redirected = true
		s.writes(name, s.folders.at)
	case outputWord:
		s.command.redirected = s.command.redirected || name != "1"
		if name != "-" && !isNumber(name) {
			s.writes(name, s.folders.at)
		}
	case markWord, tabsWord:
		s.line1 = append(s.line1, hereDocument{end: text, tabs: role == tabsWord, plain: raw})
	case stringWord:
		s.command.strings = append(s.command.strings, text+"\n")
	case aloneWord:
	}
}

func isNumber(word string) bool { return word != "" && strings.Trim(word, "0123456789") == "" }

// writes adds a file that the pipeline writes.
func (s *script) writes(name string, at spots) {
	for _, one := range alternatives(name) {
		switch {
		case one == "" || one == "/dev/null":
		case len(s.command.files) < maxFiles:
			s.command.files = append(s.command.files, at.files(one)...)
		case s.command.files[len(s.command.files)-1] != file{anywhere: true}: // too many to name each
			s.command.files = append(s.command.files, file{anywhere: true})
		}
	}
}

// wordFolder is the folder that a word counts from, if it says so.
func (s *script) wordFolder(w *word) *folder {
	if w.here == 0 {
		return nil
	}
	at := s.folders.at.known()
	return &at
}

// next ends a command of a pipeline.
func (s *script) next() {
	s.endWord()
	all := s.command.words
	s.assign(all)
	words, at := stripped(all, s.folders.at)
	texts := s.command.texts[len(all)-len(words):]
	s.command.words, s.command.texts = nil, nil
	if len(words) == 0 {
		if s.command.redirected && len(all) > 0 && base(all[len(all)-1]) == "exec" {
			s.output, s.command.files = s.command.files, nil
		}
		return
	}
	s.last = setting{name: words[len(words)-1], text: texts[len(texts)-1]}
	if len(s.last.name)+len(s.last.text) > maxValue {
		s.last = setting{name: "$_", text: "$_"}
	}
	if meant, ok := patched(words, at); ok {
		s.command.patches = meant
		return
	}
	switch base(words[0]) {
	case "cat":
		s.command.passes = true
	case "tee", "sponge":
		s.command.passes = true
		for _, word := range words[1:] {
			if !strings.HasPrefix(word, "-") {
				s.writes(word, at)
			}
		}
	case "dd":
		s.command.passes = true
		for _, word := range words[1:] {
			if name, isFile := strings.CutPrefix(word, "of="); isFile {
				s.writes(name, at)
			}
		}
	case "cp", "install":
		for _, name := range copiesOf(words[1:]) {
			s.command.passes = true
			s.writes(name, at)
		}
	case "for":
		s.loop(words)
	case "echo":
		s.command.prints = echoed(texts[1:])
	case "printf":
		s.command.prints = formatted(texts[1:])
	default:
		s.command.prints = nil
		s.command.change = words
		if len(words) > 2 && isShell(words[0]) && strings.HasSuffix(words[1], "c") { // the words of a list: bash -lc SCRIPT
			s.command.words, s.command.texts = words[2:], texts[2:]
			s.next()
		}
	}
}

// pipeline ends a pipeline: its here-documents are what follows.
func (s *script) pipeline() {
	s.next()
	for _, d := range s.line1 {
		switch {
		case s.command.patches != nil:
			d.patch = s.patch(s.command.patches)
		case s.command.passes:
			d.files = s.written(s.receivers())
			d.printed = s.passesAround()
		}
		s.waiting = append(s.waiting, d)
	}
	if s.command.passes {
		for _, text := range s.command.strings {
			s.put(s.receivers(), text, s.passesAround())
		}
	}
	if s.command.prints != nil {
		s.put(s.files(), *s.command.prints, s.printsAround())
	}
	if last := len(s.nests) - 1; last >= 0 && s.command.passes && len(s.line1)+len(s.command.strings) == 0 && s.command.prints == nil {
		s.nests[last].inputs.add(&s.command)
	}
	if len(s.command.change) > 0 && !s.command.piped {
		s.folders.change(s.command.change)
	}
	s.folders.instead = false
	if s.leaving {
		s.folders.leave()
	}
	s.line1, s.leaving = nil, false
	s.command = command{}
}

// put adds a text to files, or to what the commands around the pipeline print.
func (s *script) put(files []file, text string, around bool) {
	segments := s.written(files)
	if around {
		s.printed = append(s.printed, text)
	}
	s.fill(segments, text)
	for _, segment := range segments {
		s.reader.close(segment)
	}
}

// written are segments for files that the pipeline writes.
func (s *script) written(files []file) (segments []int) {
	s.rest = 0
	for _, f := range files {
		segments = append(segments, s.segment(f))
	}
	return segments
}

// segment begins one for a file.
func (s *script) segment(f file) int {
	segment := s.reader.open(Write, f.name, nil)
	s.reader.segments[segment].folder, s.reader.segments[segment].Anywhere = s.scope, f.anywhere
	return segment
}

// base is the name of a program without its folders.
func base(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }
