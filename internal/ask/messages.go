package ask

import (
	"context"
	"net/http"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
)

// messages asks in Anthropic's Messages API.
func (o Options) messages(ctx context.Context, client *http.Client, asked request, to Listener) (answer Answer, err error) {
	// A service and not a client: that reads variables of the environment.
	options := []option.RequestOption{option.WithBaseURL(inside), option.WithHTTPClient(client), option.WithMaxRetries(0), option.WithoutOpenTelemetry()}
	if o.Key != "" {
		options = append(options, option.WithAPIKey(o.Key))
	}
	params := anthropic.MessageNewParams{
		Model: o.Upstream.Model, MaxTokens: int64(o.Upstream.MaxTokens),
		Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock(asked.prompt))},
	}
	if asked.system != "" {
		params.System = []anthropic.TextBlockParam{{Text: asked.system}}
	}
	service := anthropic.NewMessageService(options...)
	events := service.NewStreaming(ctx, params)
	defer func() { _ = events.Close() }()
	said := false
	for events.Next() {
		e := events.Current()
		switch e.Type {
		case "content_block_start":
			if said && e.ContentBlock.Type == "text" { // texts of an answer stand below each other
				if err := to.Piece("\n\n"); err != nil {
					return answer, &heardError{err}
				}
			}
		case "message_start":
			answer.Input = e.Message.Usage.InputTokens
		case "content_block_delta":
			if e.Delta.Type == "text_delta" && e.Delta.Text != "" {
				said = true
				if err := to.Piece(e.Delta.Text); err != nil {
					return answer, &heardError{err}
				}
			}
		case "message_delta":
			answer.Stop, answer.Output = string(e.Delta.StopReason), e.Usage.OutputTokens
			answer.Cut = e.Delta.StopReason == anthropic.StopReasonMaxTokens
		case "message_stop":
			answer.Whole = true
		}
	}
	return answer, events.Err()
}
