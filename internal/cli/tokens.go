package cli

import (
	"fmt"
	"io"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/internal/tokens"
	"github.com/pertain-dev/pertain/rule"
)

// tokenSum is what the rules of a prompt cost.
type tokenSum struct {
	Always   int `json:"always"`   // the texts that are placed whole
	Rulebook int `json:"rulebook"` // the block that lists rules
	Total    int `json:"total"`
}

// tokenHelp is what a count is worth.
const tokenHelp = `Tokens are counted by the encoding o200k_base: exact for OpenAI's models, an
estimate for others.`

// maxLongWords is how many bytes of words as no language has them are counted. They are data, and a stranger's.
const maxLongWords = 1 << 20

// tokenCounter counts tokens, and what it left out.
type tokenCounter struct {
	*tokens.Counter
	counted map[string]*int // texts, which stand in the prompt as well
	left    int             // texts that are not counted
}

func newTokenCounter() (*tokenCounter, error) {
	e, err := tokens.Load()
	if err != nil {
		return nil, err
	}
	return &tokenCounter{Counter: e.Counter(maxLongWords), counted: map[string]*int{}}, nil
}

// count gives nil for what it leaves out.
func (c *tokenCounter) count(text string) *int {
	if n, known := c.counted[text]; known {
		return n
	}
	n, ok := c.Count(text)
	if !ok {
		c.left++
		c.counted[text] = nil
		return nil
	}
	c.counted[text] = &n
	return &n
}

// prompt counts what a prompt costs.
func (c *tokenCounter) prompt(cost rule.Cost) tokenSum {
	var sum tokenSum
	for _, text := range cost.Texts {
		if n := c.count(text); n != nil {
			sum.Always += *n
		}
	}
	if n := c.count(cost.Block); n != nil {
		sum.Rulebook = *n
	}
	sum.Total = sum.Always + sum.Rulebook
	return sum
}

// tell says what is not counted.
func (c *tokenCounter) tell(to io.Writer) {
	if c.left > 0 {
		fmt.Fprintf(to, "pertain: the tokens of %s are not counted: with those before, there is more than 1 MiB of words of %d KiB and more, which are data\n", plural(c.left, "text"), tokens.LongWord>>10)
	}
}

// String says it in words.
func (t tokenSum) String() string {
	return fmt.Sprintf("%s in every prompt: %d of rules that always apply, %d of the list of others", plural(t.Total, "token"), t.Always, t.Rulebook)
}

// countTokens counts the tokens of each rule, and of the prompt.
func (a *app) countTokens(rows []ruleRow, book *pertain.Rulebook) (*tokenSum, error) {
	c, err := newTokenCounter()
	if err != nil {
		return nil, err
	}
	for i := range rows {
		rows[i].tokens = c.count(rows[i].Content)
	}
	sum := c.prompt(book.Cost(rule.PromptOptions{}))
	c.tell(a.call.Stderr)
	return &sum, nil
}
