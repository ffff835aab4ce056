package toolcall

import "strings"

// inputs are what the commands in a nest do with the input that they are given together, which comes after them: `{ cat; } > F <<EOF`.
type inputs struct {
	passed bool   // one passes it on to where all print
	files  []file // that they write it to themselves
}

// add takes note of a pipeline that passes on what it reads.
func (i *inputs) add(c *command) {
	switch {
	case len(c.files) == 0:
		i.passed = i.passed || !c.redirected
	case len(i.files) < maxFiles:
		i.files = append(i.files, c.files...)
	case i.files[len(i.files)-1] != file{anywhere: true}:
		i.files = append(i.files, file{anywhere: true})
	}
}

// take makes them the inputs of the command that the nest is.
func (c *command) take(i inputs) {
	c.inputs = i
	c.passes = c.passes || i.passed || len(i.files) > 0
}

// files are those that the pipeline prints to: where it names none, those of the script.
func (s *script) files() []file {
	if len(s.command.files) == 0 && !s.command.redirected {
		return s.output
	}
	return s.command.files
}

// printsAround tells whether what the pipeline prints goes to where the commands around it print.
func (s *script) printsAround() bool {
	return len(s.nests) > 0 && len(s.files()) == 0 && !s.command.redirected
}

// receivers are the files that get what the pipeline is given.
func (s *script) receivers() []file {
	inner := s.command.inputs
	if len(inner.files) == 0 {
		return s.files()
	}
	if !inner.passed {
		return inner.files
	}
	return append(inner.files[:len(inner.files):len(inner.files)], s.files()...)
}

func (s *script) passesAround() bool {
	return s.printsAround() && (s.command.inputs.passed || len(s.command.inputs.files) == 0)
}

// copiesOf are the files that a program copies its input to.
func copiesOf(args []string) []string {
	var names []string
	into, reads := "", false
	for i := 0; i < len(args); i++ {
		word := args[i]
		switch {
		case word == "-t" || word == "--target-directory":
			if i++; i < len(args) {
				into = args[i]
			}
		case strings.HasPrefix(word, "--target-directory="):
			into = strings.TrimPrefix(word, "--target-directory=")
		case word == "-m" || word == "-o" || word == "-g" || word == "-S": // of install and cp, with their values
			i++
		case strings.HasPrefix(word, "-"):
		default:
			reads = reads || isInput(word)
			names = append(names, word)
		}
	}
	switch {
	case !reads:
		return nil
	case into != "":
		return []string{strings.TrimRight(into, "/") + "/stdin"}
	case len(names) < 2:
		return nil
	}
	to := names[len(names)-1]
	if strings.HasSuffix(to, "/") {
		to += "stdin"
	}
	return []string{to}
}

func isInput(name string) bool {
	switch name {
	case "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0", pipeName:
		return true
	}
	return false
}
