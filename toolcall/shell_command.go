package toolcall

import (
	"slices"
	"strings"
)

// maxCommands is how many commands of a script are followed; of the rest, the text alone counts.
const maxCommands = 256 << 10

// command is a pipeline as far as it matters here.
type command struct {
	words, texts []string            // of the command that is read, as names of files and as they are printed
	passes       bool                // a command of the pipeline passes on or writes what it reads
	patches      func(string) []file // or takes a patch, whose files are meant so; nil: it does not
	reversed     bool                // the other way round
	files        []file              // that it writes
	redirected   bool                // what it prints goes elsewhere than where that of the script goes
	inputs       inputs              // of the commands in it
	strings      []string            // that it is given instead of a file
	prints       *string             // what it prints; nil: that is not known
	more         []byte              // further words, with blanks between them
	named        bool                // a word of it is the name of a program
	sets         []assignment
	change       []string // the words of a command that changes the folder
	scripts      bool     // a shell reads what it is given as a script
	piped        bool     // there are several commands, each in a shell of its own
}

// endWord ends the word that is read, if there is one.
func (s *script) endWord() {
	w := &s.word
	if !w.begun {
		return
	}
	name := w.named()
	text := name // mostly
	if string(w.text) != name {
		text = string(w.text)
	}
	role, raw, descriptor := w.role, w.raw, w.descriptor
	from := s.wordFolder(w)
	*w = word{name: w.name[:0], text: w.text[:0]}
	switch role {
	case argumentWord:
		if !raw && s.compound(name) {
			return
		}
		s.set(name, text, from)
		s.argument(name, text)
	case fileWord:
		s.command.redirected = true
		s.writes(name, s.folders.at)
	case outputWord:
		s.command.redirected = s.command.redirected || name != "1"
		if files := s.opened[name]; isNumber(name) {
			s.command.files = append(s.command.files, files[:min(len(files), maxFiles)]...)
		} else if name != "-" {
			s.writes(name, s.folders.at)
		}
	case openWord:
		s.opens(descriptor, name)
	case markWord, tabsWord:
		if len(s.line1)+len(s.waiting) >= maxDocuments {
			s.lose()
			return
		}
		s.marks++
		s.line1 = append(s.line1, hereDocument{end: text, tabs: role == tabsWord, plain: raw, mark: s.marks})
	case stringWord:
		s.command.strings = append(s.command.strings, text+"\n")
	case aloneWord:
	}
}

// opens remembers what a number of the shell's stands for: `3> F >&3`, `exec 3> F`. A file that is opened later under the same number
// stands beside it.
func (s *script) opens(descriptor, name string) {
	if descriptor == "" || descriptor == "0" || len(s.opened[descriptor]) > maxFiles || len(s.opened) > maxShells {
		return
	}
	outer := s.command.files
	s.command.files = nil
	s.writes(name, s.folders.at)
	if s.opened == nil {
		s.opened = map[string][]file{}
	}
	s.opened[descriptor] = append(s.opened[descriptor], s.command.files...)
	s.command.files = outer
}

// maxWords is how many words of a command are told apart.
const maxWords = 16 << 10

// argument adds a word to the command.
func (s *script) argument(name, text string) {
	c := &s.command
	if len(c.words) < maxWords {
		c.words, c.texts = append(c.words, name), append(c.texts, text)
		return
	}
	s.lose()
	if c.more != nil {
		c.more = append(c.more, ' ')
	}
	c.more = append(c.more, text...)
}

// compound reads a word that begins or ends commands which are run together, and tells whether that is all that it is.
func (s *script) compound(word string) bool {
	closing, opens := compounds[word]
	if !opens && !isClosing(word) || !s.commandBegins() {
		return false
	}
	if !opens {
		s.ends(word)
		return true
	}
	s.begins(closing)
	return false
}

func isNumber(word string) bool { return word != "" && strings.Trim(word, "0123456789") == "" }

// writes adds a file that the pipeline writes.
func (s *script) writes(name string, at spots) {
	if s.named > maxNamed {
		name = anyName
	}
	names := alternatives(name)
	s.named += len(names) - 1
	for _, one := range names {
		switch {
		case one == "" || one == "/dev/null" || one == pipeName:
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
	s.ended++
	if more := string(s.command.more); more != "" { // as the command would print them
		s.command.words, s.command.texts = append(s.command.words, more), append(s.command.texts, more)
	}
	all := s.command.words
	s.assign(all)
	words, at := stripped(all, s.folders.at)
	texts := s.command.texts[len(all)-len(words):]
	s.command.words, s.command.texts, s.command.more, s.command.named = nil, nil, nil, false
	if len(words) == 0 {
		if s.command.redirected && len(all) > 0 && base(all[len(all)-1]) == "exec" {
			s.output, s.command.files = s.command.files, nil
		}
		return
	}
	s.last = setting{name: words[len(words)-1], text: texts[len(texts)-1]}
	if len(s.last.name)+len(s.last.text) > maxValue {
		s.last = setting{name: anyName, text: "$_"}
	}
	if meant, ok := patched(words, at); ok {
		s.command.patches, s.command.reversed = meant, slices.ContainsFunc(words[1:], isReverse)
		if slices.ContainsFunc(words[1:], isDry) {
			s.command.patches = func(string) []file { return nil }
		}
		return
	}
	switch base(words[0]) {
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
		s.other(words, texts)
	}
}

// filters are programs that print what they read, or some of it, or something made of it: most of that is the same.
var filters = names("cat read mapfile readarray sed awk gawk mawk nawk tr envsubst head tail sort shuf uniq grep egrep fgrep cut fold fmt expand unexpand nl tac iconv dos2unix unix2dos column paste pr jq yq m4 cpp pv")

// other ends a command that does nothing by itself that is known.
func (s *script) other(words, texts []string) {
	switch {
	case filters[base(words[0])]:
		s.command.passes = true
	case (words[0] == "source" || words[0] == ".") && len(words) > 1 && isInput(words[1]):
		s.command.scripts = true
	case base(words[0]) == "eval":
		s.command.prints = nil
		s.eval(strings.Join(texts[1:], " "))
	case isShell(words[0]):
		s.shell(words, texts)
	case runners[base(words[0])]:
		s.started(words, texts)
	case len(words) == 1 && strings.ContainsAny(texts[0], " \t\n;"): // no program is called so: a script in a variable, as in bash -c "$S"
		s.command.prints = nil
		s.run(texts[0])
	default:
		s.command.prints = nil
		s.command.change = words
	}
}

// pipeline ends a pipeline: its here-documents are what follows.
func (s *script) pipeline() {
	s.next()
	for _, d := range s.line1 {
		switch {
		case s.command.scripts && s.depth >= maxRuns:
			s.lose()
		case s.command.scripts:
			d.script, d.printed = s.inner(s.files()), s.printsAround()
		case s.command.patches != nil:
			d.patch = s.patch(s.command.patches)
			d.patch.reversed = s.command.reversed
		case s.command.passes:
			d.files = append(d.files, s.written(s.receivers())...)
			d.printed = s.passesAround()
		case d.source:
			d.files = append(d.files, s.written(s.files())...)
			d.printed = s.printsAround()
		}
		s.wait(d)
	}
	if s.command.scripts {
		for _, text := range s.command.strings {
			s.run(text)
		}
	}
	if s.command.patches != nil {
		if s.command.prints != nil {
			s.command.strings = append(s.command.strings, *s.command.prints)
			s.command.prints = nil
		}
		for _, text := range s.command.strings {
			s.patchText(text)
		}
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
	s.line1 = nil
	s.command = command{}
}

// patchText reads a patch that the pipeline takes.
func (s *script) patchText(text string) {
	p := s.patch(s.command.patches)
	p.reversed = s.command.reversed
	for line := range strings.SplitSeq(text, "\n") {
		p.line(line, false)
	}
	p.line("", true)
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

// anyFile begins a segment of a text that may go to any file.
func (s *script) anyFile(further func() int) int {
	return s.reader.openFiles(Write, []file{{anywhere: true}}, nil, s.scope, further)[0]
}

// further is the segment for all texts of the script that are too many: they come one after the other.
func (s *script) further() int {
	if s.beyond == 0 {
		s.beyond = s.reader.further(Write)
		s.reader.segments[s.beyond].held = true
	}
	s.reader.breaks(s.beyond)
	return s.beyond
}

// base is the name of a program without its folders.
func base(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }
