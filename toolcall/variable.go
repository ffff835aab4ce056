package toolcall

import "strconv"

// setting is what a script sets a variable to.
type setting struct {
	name, text string
	from       *folder // that the name counts from; nil: it is as it stands
}

// Limits of what is followed of variables.
const (
	maxValue  = 4 << 10 // bytes of one
	maxValues = 1000
	maxGrown  = 1 << 20 // bytes that their values may add to a script
)

// assignment sets a variable.
type assignment struct {
	name string
	setting
}

// leading is how many words stand before a command and only say when it is run.
func leading(words []string) int {
	for i, word := range words {
		if !keywords[word] {
			return i
		}
	}
	return len(words)
}

// keywords are such words.
var keywords = names("if then else elif while until do ! time")

// setters are commands that set variables.
var setters = names("export local readonly declare typeset")

// set takes note of a variable that a word may set.
func (s *script) set(word, text string, from *folder) {
	size := nameSize(word)
	if size == 0 || size == len(word) || word[size] != '=' {
		return
	}
	if len(s.command.sets) >= maxValues {
		s.full = true
		s.lose()
		return
	}
	before := s.command.words[leading(s.command.words):]
	if len(s.command.sets) == len(before) || len(s.command.sets) == len(before)-1 && setters[before[0]] { // else it is an argument
		s.command.sets = append(s.command.sets, assignment{word[:size], setting{word[size+1:], text[min(len(text), size+1):], from}})
	}
}

// assign sets the variables of a command that does nothing else: before another command they are set for that alone.
func (s *script) assign(words []string) {
	sets := s.command.sets
	s.command.sets = nil
	words = words[leading(words):]
	if len(words) > 0 && words[0] == "alias" {
		s.lose() // what commands are called from here on is not followed
	}
	if len(sets) == 0 || len(sets) < len(words) && !setters[words[0]] {
		return
	}
	for _, a := range sets {
		s.keep(a.name, a.setting)
	}
}

// keep remembers what a variable holds. What is more than is followed may name any file.
func (s *script) keep(name string, v setting) {
	if s.values == nil {
		s.values = map[string]setting{}
	}
	if _, known := s.values[name]; !known && len(s.values) >= maxValues || len(name) > maxValue {
		s.full = true
		s.lose()
		return
	}
	if len(v.name) > maxValue {
		v.name, v.from = anyName, nil
	}
	if len(v.text) > maxValue {
		v.text = "$" + name
		s.lose()
	}
	s.values[name] = v
}

// isPositional tells the name of an argument of the script, or of all of them.
func isPositional(name string) bool { return isNumber(name) || name == "@" || name == "*" }

// together are all arguments but the name of the script. Very long ones may be any file.
func together(args []setting) *setting {
	out := &setting{}
	for i, one := range args[min(1, len(args)):] {
		if i > 0 {
			out.name, out.text = out.name+" ", out.text+" "
		}
		if out.name, out.text = out.name+one.name, out.text+one.text; len(out.name)+len(out.text) > maxValue {
			return &setting{name: anyName, text: "$@"}
		}
	}
	return out
}

// positional is an argument that a script was given.
func (s *script) positional(name string) setting {
	var out setting
	switch n, err := strconv.Atoi(name); {
	case err != nil:
		return *s.every
	case n < len(s.args):
		out = s.args[n]
	}
	return out
}

// variable puts what a variable holds into the word, as far as it is known.
func (s *script) variable(name, written string) {
	w := &s.word
	w.begun = true
	v, known := s.values[name]
	switch {
	case name == "PWD":
		s.here(written)
		return
	case name == "_":
		v, known = s.last, true
	case s.args != nil && isPositional(name):
		v, known = s.positional(name), true
	}
	if known && s.grown+len(v.name)+len(v.text) > maxGrown || !known && s.full { // it is not known what it holds
		s.lose()
		w.text, w.name = append(w.text, written...), append(w.name, anyName...)
		return
	}
	switch {
	case known:
	case name == "HOME":
		w.text, w.name = append(w.text, written...), append(w.name, '~')
		return
	default:
		w.add(written)
		return
	}
	s.grown += len(v.name) + len(v.text)
	w.text = append(w.text, v.text...)
	if v.from == nil {
		w.name = append(w.name, v.name...)
		return
	}
	w.name = append(w.name, s.folders.at.known().reach(*v.from, v.name, written)...)
}
