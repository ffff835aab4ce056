package gateway

import (
	"strings"

	"github.com/pertain-dev/pertain/gateway/internal/jsontext"
)

// completionsAPI is the API before Chat, which servers of models still offer: a text that
// the model continues, without messages and without calls.
type completionsAPI struct{ chatAPI }

func (completionsAPI) name() string { return "completions" }

// asks takes prompts that are texts. To those that are numbers of tokens nothing can be
// added.
func (completionsAPI) asks(root jsontext.Value, _ string) *asked {
	prompt := root.Get("prompt")
	texts := prompt.Kind() == '"'
	for item := range prompt.Items() {
		if texts = item.Kind() == '"'; !texts {
			break
		}
	}
	if !texts {
		return nil
	}
	return &asked{root: root, prompt: prompt, model: root.Get("model").Text(), first: allText(prompt), stream: root.Get("stream").True(), usage: root.Get("stream_options", "include_usage").True()}
}

// Entries are texts here, as JSON.
func (completionsAPI) reminder(text string) []byte { return jsontext.Quote(text) }

func (completionsAPI) said(blocks []block) [][]byte {
	text := saidText(blocks)
	if text == "" {
		return nil
	}
	return [][]byte{jsontext.Quote(text)}
}

// promptWith adds texts to the end of a prompt, or of each of several.
func promptWith(prompt jsontext.Value, entries [][]byte) (edits []jsontext.Edit) {
	var more strings.Builder
	for _, entry := range entries {
		if v, ok := jsontext.Parse(entry); ok {
			more.WriteString("\n\n" + v.Text())
		}
	}
	more.WriteString("\n\n")
	if prompt.Kind() == '"' {
		return []jsontext.Edit{prompt.Replace(jsontext.Quote(prompt.Text() + more.String()))}
	}
	for item := range prompt.Items() {
		edits = append(edits, item.Replace(jsontext.Quote(item.Text()+more.String())))
	}
	return edits
}

func (completionsAPI) answers(a *asked) answers {
	return &chatAnswers{usage: a.usage, model: a.model, plain: true, several: a.root.Get("n").Int() > 1 || a.prompt.Len() > 1}
}
