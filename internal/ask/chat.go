package ask

import (
	"context"
	"net/http"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
)

// chat asks in OpenAI's Chat Completions API, which Ollama and many others speak too.
func (o Options) chat(ctx context.Context, client *http.Client, asked request, to Listener) (answer Answer, err error) {
	// A service and not a client: that reads variables of the environment.
	options := []option.RequestOption{option.WithBaseURL(inside + "/v1/"), option.WithHTTPClient(client), option.WithMaxRetries(0)}
	if o.Key != "" {
		options = append(options, option.WithAPIKey(o.Key))
	}
	params := openai.ChatCompletionNewParams{Model: o.Upstream.Model}
	if asked.system != "" {
		params.Messages = append(params.Messages, openai.SystemMessage(asked.system))
	}
	params.Messages = append(params.Messages, openai.UserMessage(asked.prompt))
	service := openai.NewChatCompletionService(options...)
	events := service.NewStreaming(ctx, params)
	defer func() { _ = events.Close() }()
	for events.Next() {
		chunk := events.Current()
		if chunk.Usage.CompletionTokens > 0 {
			answer.Input, answer.Output = chunk.Usage.PromptTokens, chunk.Usage.CompletionTokens
		}
		for _, choice := range chunk.Choices {
			for _, text := range []string{choice.Delta.Content, choice.Delta.Refusal} {
				if text == "" {
					continue
				}
				if err := to.Piece(text); err != nil {
					return answer, &heardError{err}
				}
			}
			if choice.FinishReason != "" {
				answer.Whole, answer.Stop, answer.Cut = true, choice.FinishReason, choice.FinishReason == "length"
			}
		}
	}
	return answer, events.Err()
}
