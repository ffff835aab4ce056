package ask

import (
	"context"
	"encoding/json"
	"net/http"
)

// anthropicVersion is of the API, not of a model.
const anthropicVersion = "2023-06-01"

// messageText is a block of text of Messages.
type messageText struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// message is one of Messages.
type message struct {
	Role    string        `json:"role"`
	Content []messageText `json:"content"`
}

// messageEvent is an event of an answer.
type messageEvent struct {
	Type    string `json:"type"`
	Message struct {
		Usage struct {
			Input int64 `json:"input_tokens"`
		} `json:"usage"`
	} `json:"message"`
	Block struct {
		Type string `json:"type"`
	} `json:"content_block"`
	Delta struct {
		Type string `json:"type"`
		Text string `json:"text"`
		Stop string `json:"stop_reason"`
	} `json:"delta"`
	Usage struct {
		Output int64 `json:"output_tokens"`
	} `json:"usage"`
}

// messages asks in Anthropic's Messages API.
func (o Options) messages(ctx context.Context, client *http.Client, asked request, to Listener) (answer Answer, err error) {
	header := http.Header{"Anthropic-Version": {anthropicVersion}}
	if o.Key != "" {
		header.Set("X-Api-Key", o.Key)
	}
	question := struct {
		Model     string        `json:"model"`
		MaxTokens int           `json:"max_tokens"`
		System    []messageText `json:"system,omitempty"`
		Messages  []message     `json:"messages"`
		Stream    bool          `json:"stream"`
	}{Model: o.Upstream.Model, MaxTokens: o.Upstream.MaxTokens, Messages: []message{{"user", []messageText{{"text", asked.prompt}}}}, Stream: true}
	if asked.system != "" {
		question.System = []messageText{{"text", asked.system}}
	}
	said := false
	err = post(ctx, client, "/v1/messages", header, question, func(data []byte) error {
		var e messageEvent
		if err := json.Unmarshal(data, &e); err != nil {
			return err
		}
		switch e.Type {
		case "error":
			return &refusalError{0, string(data)}
		case "message_start":
			answer.Input = e.Message.Usage.Input
		case "content_block_start":
			if said && e.Block.Type == "text" { // texts of an answer stand below each other
				return tell(to, "\n\n")
			}
		case "content_block_delta":
			if e.Delta.Type == "text_delta" {
				said = said || e.Delta.Text != ""
				return tell(to, e.Delta.Text)
			}
		case "message_delta":
			answer.Stop, answer.Output, answer.Cut = e.Delta.Stop, e.Usage.Output, e.Delta.Stop == "max_tokens"
		case "message_stop":
			answer.Whole = true
		}
		return nil
	})
	return answer, err
}
