package cli

import (
	"fmt"

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

// promptTokens counts what a prompt costs.
func promptTokens(e *tokens.Encoding, cost rule.Cost) tokenSum {
	var sum tokenSum
	for _, text := range cost.Texts {
		sum.Always += e.Count(text)
	}
	sum.Rulebook = e.Count(cost.Block)
	sum.Total = sum.Always + sum.Rulebook
	return sum
}

// String says it in words.
func (t tokenSum) String() string {
	return fmt.Sprintf("%s in every prompt: %d of rules that always apply, %d of the list of others", plural(t.Total, "token"), t.Always, t.Rulebook)
}

// countTokens counts the tokens of each rule, and of the prompt.
func countTokens(rows []ruleRow, book *pertain.Rulebook) (*tokenSum, error) {
	e, err := tokens.Load()
	if err != nil {
		return nil, err
	}
	for i := range rows {
		n := e.Count(rows[i].Content)
		rows[i].tokens = &n
	}
	sum := promptTokens(e, book.Cost(rule.PromptOptions{}))
	return &sum, nil
}
