package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"strings"
)

// Message is one message of a conversation.
type Message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// Endpoint is an API that speaks as OpenAI's chat completions do.
type Endpoint struct {
	URL    string
	Model  string
	Key    string // "": none is sent
	Client *http.Client
}

// Delta is what an answer goes on with.
type Delta struct {
	Content   string `json:"content"`
	Reasoning string `json:"reasoning_content"`
	ToolCalls []struct {
		Index    int `json:"index"`
		Function struct {
			Name      string `json:"name"`
			Arguments string `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
}

// Stream sends a conversation and gives the answer piece by piece.
func (e Endpoint) Stream(ctx context.Context, messages []Message) iter.Seq2[Delta, error] {
	return func(yield func(Delta, error) bool) {
		body, err := json.Marshal(map[string]any{"model": e.Model, "messages": messages, "stream": true})
		if err != nil {
			yield(Delta{}, err)
			return
		}
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, strings.TrimSuffix(e.URL, "/")+"/chat/completions", bytes.NewReader(body))
		if err != nil {
			yield(Delta{}, err)
			return
		}
		request.Header.Set("Content-Type", "application/json")
		if e.Key != "" {
			request.Header.Set("Authorization", "Bearer "+e.Key)
		}
		response, err := e.Client.Do(request)
		if err != nil {
			yield(Delta{}, err)
			return
		}
		defer func() { _ = response.Body.Close() }()
		if response.StatusCode != http.StatusOK {
			yield(Delta{}, fmt.Errorf("the endpoint answers %s", response.Status))
			return
		}
		lines := bufio.NewScanner(response.Body)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			data, ok := strings.CutPrefix(lines.Text(), "data:")
			if data = strings.TrimSpace(data); !ok || data == "" {
				continue
			}
			if data == "[DONE]" {
				return
			}
			var event struct {
				Choices []struct {
					Delta Delta `json:"delta"`
				} `json:"choices"`
			}
			if err := json.Unmarshal([]byte(data), &event); err != nil {
				yield(Delta{}, fmt.Errorf("the endpoint sent an event that is no JSON: %w", err))
				return
			}
			for _, choice := range event.Choices {
				if !yield(choice.Delta, nil) {
					return
				}
			}
		}
		if err := lines.Err(); err != nil {
			yield(Delta{}, err)
		}
	}
}
