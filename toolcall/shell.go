package toolcall

import "strings"

// script reads a command line by line and finds what it writes to files: here-documents, texts that it prints, and patches. What it cannot
// follow, it passes over: the command itself is watched anyway.
type script struct {
	reader  *Reader
	word    word // that is read
	goesOn  bool // the line goes on in the next one
	nests   []nest
	waiting []hereDocument
	command command
	line1   []hereDocument // of the pipeline that is read
	folders folders
	*followed
	last    setting  // the last word of the command before, which is $_
	printed []string // by the commands in nests, in no file
	rest    int      // the segment for files beyond that, of which one is as good as another; 0: none yet
	output  []file   // where what the script prints goes, after `exec > F`
	scope   *scope   // of the call, which may name a folder
	depth   int      // of scripts around it

	every *setting  // all of its arguments together
	args  []setting // its arguments, beginning with its name; nil: they are not known
}

// followed is what is known of a script, and how much was done for that.
type followed struct {
	values map[string]setting // of variables
	opened map[string][]file  // by the numbers of the shell's that they were opened as
	full   bool               // there were too many: one that is not known may hold anything
	grown  int                // bytes that variables have added
	ran    int                // bytes of scripts in it
	copied int                // bytes of texts that were added to files, as they are told in pieces
	named  int                // files that texts were added to, and names that braces stand for
	marks  int                // here-documents
	text   int                // the segment of the command
	from   int                // where in it the command begins
	ended  int                // commands that were read
	beyond int                // that of all files beyond those that are told apart; 0: none yet
	whole  int                // that of the command as the content of any file; 0: none
}

// lose is for where a script is more than is followed: what it says may come to be in any file.
func (s *script) lose() {
	if s.whole == 0 && !s.reader.lenient {
		s.whole = s.anyFile(func() int { return s.reader.further(Write) })
		s.reader.add(s.reader.segments[s.text].text.String()[s.from:], s.whole)
	}
}

// nest is what goes on after a shell in the one that is read, or after commands in braces.
type nest struct {
	prints  bool   // what it prints is a part of the word
	stands  byte   // it stands for a file: `<` for one that the command reads, `>` for one that it writes
	mark    int    // how many here-documents came before
	closing string // the word that ends it, where it is the same shell: a brace, `done`, `fi` or `esac`
	printed int    // how much had been printed before
	word    word
	command command
	line1   []hereDocument
	output  []file
	inputs  inputs
}

func newScript(r *Reader, scope *scope) *script {
	text := r.current.segment
	return &script{reader: r, scope: scope, folders: folders{at: spots{{}}, before: spots{{}}}, followed: &followed{text: text, from: r.segments[text].text.Len()}}
}

func (s *script) line(text string, last bool) {
	if s.reader.keys {
		for {
			before, after, pressed := strings.Cut(text, "{enter}")
			if text = before; !pressed {
				break
			}
			s.read(text)
			text = after
		}
	}
	if len(s.waiting) > 0 {
		s.document(text, last)
	} else {
		s.scan(text)
	}
	if last {
		s.finish()
		if s.whole != 0 {
			s.reader.close(s.whole)
		}
		if s.beyond != 0 {
			s.reader.segments[s.beyond].held = false
			s.reader.close(s.beyond)
		}
	}
}

// read reads a line of a script in another one.
func (s *script) read(text string) {
	if len(s.waiting) > 0 {
		s.document(text, false)
	} else {
		s.scan(text)
	}
}

// finish ends the here-documents that are open. Where there is one, or a quote, the script may have been misread: what it says may
// come to be in any file.
func (s *script) finish() {
	if s.word.quote != 0 || len(s.waiting) > 0 && s.waiting[0].patch == nil {
		s.lose()
	}
	for len(s.waiting) > 0 {
		s.endDocument()
	}
}

// scan reads a line outside of here-documents.
func (s *script) scan(text string) {
	if s.endless() {
		return
	}
	if at := strings.Index(text, "*** Begin Patch"); at >= 0 && s.word.quote == 0 { // apply_patch with the patch as its argument
		s.before(strings.TrimRight(text[:at], `'"`))
		p := s.patch(s.folders.at.files)
		p.line("*** Begin Patch", false)
		s.marks++
		s.wait(hereDocument{end: "*** End Patch", patch: p, mark: s.marks})
		return
	}
	s.tokens(text)
	if s.word.quote != 0 && !s.goesOn {
		s.word.add("\n")
	}
	if s.word.quote == 0 && !s.goesOn {
		if s.command.piped && len(s.command.words) == 0 && !s.word.begun && strings.HasSuffix(strings.TrimRight(text, " \t\r"), "|") {
			s.feedNext()
			return
		}
		chained := strings.HasSuffix(strings.TrimRight(text, " \t\r"), "&&")
		if s.pipeline(); !chained {
			s.folders.doubt()
		}
		s.feed()
	}
}

func (s *script) tokens(text string) {
	s.goesOn = false
	for i := 0; i < len(text) && !s.endless(); {
		i = s.token(text, i)
	}
}

// endless tells whether a script has too many commands for more of them to be followed.
func (s *script) endless() bool {
	if s.ended <= maxCommands {
		return false
	}
	s.lose()
	return true
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
		s.lose()
		return false
	}
	s.nests = append(s.nests, nest{prints: prints, mark: s.marks, printed: len(s.printed), word: s.word, command: s.command, line1: s.line1, output: s.output})
	s.word, s.command, s.line1, s.output = word{}, command{}, nil, nil
	s.folders.enter()
	return true
}

// commandBegins tells whether a command may begin with the next word.
func (s *script) commandBegins() bool {
	if s.word.role != argumentWord || s.command.named {
		return false
	}
	words, _ := stripped(s.command.words, nil)
	s.command.named = len(words) > 0
	return !s.command.named
}

// compounds are the words that begin commands which are run together, and those that end them.
var compounds = map[string]string{"for": "done", "select": "done", "while": "done", "until": "done", "if": "fi", "case": "esac"}

// isClosing tells a word that ends such commands.
func isClosing(word string) bool { return word == "done" || word == "fi" || word == "esac" }

// begins begins commands that are run together, in the same shell.
func (s *script) begins(closing string) {
	given := s.given()
	if len(s.nests) >= maxShells {
		s.lose()
		return
	}
	s.nests = append(s.nests, nest{closing: closing, mark: s.marks, printed: len(s.printed), command: given, line1: s.line1, output: s.output})
	s.line1, s.output = nil, nil
}

// ends ends them.
func (s *script) ends(closing string) {
	s.list()
	last := len(s.nests) - 1
	for last >= 0 && s.nests[last].closing != closing {
		if s.nests[last].closing == "" {
			return
		}
		last-- // it was not ended
	}
	if last < 0 {
		return
	}
	n := s.nests[last]
	prints := s.taken(n.printed)
	s.nests = s.nests[:last]
	s.command, s.line1 = n.command, n.line1
	s.prints(n.mark, true)
	s.together(prints, n.inputs)
	if s.output == nil { // else it is the shell's from now on
		s.output = n.output
	}
}

// given is the pipeline whose last command is what begins next, if there is one.
func (s *script) given() command {
	out := command{}
	if s.command.piped && len(s.command.words) == 0 {
		out, s.command = s.command, command{}
		return out
	}
	s.pipeline()
	return out
}

// together is what commands that are run together come to: what they print, and what becomes of what they are given.
func (s *script) together(prints *string, in inputs) {
	c := &s.command
	if c.prints != nil && len(in.files) > 0 {
		s.put(in.files, *c.prints, false)
	}
	switch {
	case c.prints == nil || !in.passed:
		c.prints = prints
	case prints != nil:
		text := s.both(*c.prints, *prints)
		c.prints = &text
	}
	c.take(in)
}

// both are two texts that commands of a pipeline print, one after the other. The first may come through very many of them.
func (s *script) both(first, second string) string {
	if s.grown += len(first); s.grown > maxGrown {
		s.lose()
		return second
	}
	return first + second
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
	for last >= 0 && s.nests[last].closing != "" {
		if s.nests[last].closing == "esac" {
			return // a pattern
		}
		last-- // it was not ended
	}
	if last < 0 {
		return // nothing that is understood
	}
	s.folders.leave()
	n := s.nests[last]
	s.nests = s.nests[:last]
	s.word, s.command, s.line1, s.output = n.word, n.command, n.line1, n.output
	prints := s.taken(n.printed)
	switch {
	case n.stands != 0:
		s.standsFor(&n, prints)
	case !n.prints:
		s.prints(n.mark, true)
		s.together(prints, n.inputs)
	case prints == nil:
		s.word.add("$()") // nobody knows what it printed
	default:
		s.word.add("")
		s.word.name = append(s.word.name, "$()"...)
		s.word.text = append(s.word.text, strings.TrimRight(*prints, "\n")...)
	}
}

// prints makes documents that commands in a nest print those of the command that it is.
func (s *script) prints(mark int, source bool) {
	for _, d := range s.printedSince(mark) {
		d.source = source
		s.line1 = append(s.line1, d)
	}
}

// pipeName is how a shell calls a file that stands for other commands.
const pipeName = "/dev/fd/63"

// standsFor makes commands a file of the command that they stand in: what they print is read, or what is written they write to files.
func (s *script) standsFor(n *nest, prints *string) {
	s.word.add(pipeName)
	c := &s.command
	if n.stands == '>' {
		c.files = append(c.files, n.inputs.files[:min(len(n.inputs.files), maxFiles)]...)
		return
	}
	s.prints(n.mark, false)
	if prints != nil {
		c.strings = append(c.strings, *prints)
	}
}

func isShell(name string) bool {
	switch base(name) {
	case "sh", "bash", "zsh", "dash", "ash", "ksh", "mksh":
		return true
	}
	return false
}
