package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
)

// person is who sits at the terminal that the program was called from.
type person struct {
	in  *bufio.Reader
	out io.Writer
}

// person is nil where nobody can be asked: standard input or error is no terminal.
func (a *app) person() *person {
	in, isFile := a.call.Stdin.(*os.File)
	if !isFile || !isTerminal(in) || !onTerminal(a.call.Stderr) {
		return nil
	}
	return &person{bufio.NewReader(in), a.call.Stderr}
}

// ask puts a question. ok is false at the end of input: whoever was there has left.
func (p *person) ask(question string) (answer string, ok bool) {
	fmt.Fprint(p.out, question+" ")
	answer, err := p.in.ReadString('\n')
	if err != nil && answer == "" {
		fmt.Fprintln(p.out) // the question keeps its line
		return "", false
	}
	return strings.TrimSpace(answer), true
}

// agrees puts a question that only a yes answers with yes.
func (p *person) agrees(question string) bool {
	answer, ok := p.ask(question + " [y/N]")
	return ok && strings.HasPrefix(strings.ToLower(answer), "y")
}
