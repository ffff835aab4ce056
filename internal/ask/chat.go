package ask

import (
	"context"
	"encoding/json"
	"net/http"
)

// chatMessage is one of Chat Completions.
type chatMessage struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// chatChunk is an event of an answer.
type chatChunk struct {
	Error json.RawMessage `json:"error"`
	Usage struct {
		Prompt     int64 `json:"prompt_tokens"`
		Completion int64 `json:"completion_tokens"`
	} `json:"usage"`
	Choices []struct {
		Delta struct {
			Content string `json:"content"`
			Refusal string `json:"refusal"`
		} `json:"delta"`
		Finish string `json:"finish_reason"`
	} `json:"choices"`
}

// chat asks in OpenAI's Chat Completions API, which Ollama and many others speak too.
func (o Options) chat(ctx context.Context, client *http.Client, asked request, to Listener) (answer Answer, err error) {
	header := http.Header{}
	if o.Key != "" {
		header.Set("Authorization", "Bearer "+o.Key)
	}
	var messages []chatMessage
	if asked.system != "" {
		messages = append(messages, chatMessage{"system", asked.system})
	}
	question := struct {
		Model    string        `json:"model"`
		Messages []chatMessage `json:"messages"`
		Stream   bool          `json:"stream"`
	}{o.Upstream.Model, append(messages, chatMessage{"user", asked.prompt}), true}
	err = post(ctx, client, "/v1/chat/completions", header, question, func(data []byte) error {
		if string(data) == "[DONE]" {
			return nil
		}
		var chunk chatChunk
		if err := json.Unmarshal(data, &chunk); err != nil {
			return err
		}
		if len(chunk.Error) > 0 && string(chunk.Error) != "null" {
			return &refusalError{0, string(data)}
		}
		if chunk.Usage.Completion > 0 {
			answer.Input, answer.Output = chunk.Usage.Prompt, chunk.Usage.Completion
		}
		for _, choice := range chunk.Choices {
			for _, text := range []string{choice.Delta.Content, choice.Delta.Refusal} {
				if err := tell(to, text); err != nil {
					return err
				}
			}
			if choice.Finish != "" {
				answer.Whole, answer.Stop, answer.Cut = true, choice.Finish, choice.Finish == "length"
			}
		}
		return nil
	})
	return answer, err
}
