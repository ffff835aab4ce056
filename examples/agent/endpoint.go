package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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

// event is one event of an answer.
type event struct {
	Choices []struct {
		Delta  Delta  `json:"delta"`
		Finish string `json:"finish_reason"`
	} `json:"choices"`
	Error failure `json:"error"`
}

// failure is how an endpoint says that something went wrong: an object with a message
// or, as some do, the message alone.
type failure json.RawMessage

// UnmarshalJSON keeps what was said; null is nothing.
func (f *failure) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		data = nil
	}
	return (*json.RawMessage)(f).UnmarshalJSON(data)
}

// errCutOff says that an answer stopped before its end: it must not be taken for
// whole, since a trigger may wait for what is missing.
var errCutOff = errors.New("the answer was cut off: the endpoint closed the connection before the end")

// Stream sends a conversation and gives the answer piece by piece. After an error
// nothing follows. Whoever stops listening ends the request.
func (e Endpoint) Stream(ctx context.Context, messages []Message) iter.Seq2[Delta, error] {
	return func(yield func(Delta, error) bool) {
		response, err := e.send(ctx, messages)
		if err != nil {
			yield(Delta{}, err)
			return
		}
		defer func() { _ = response.Body.Close() }()
		finished := false
		for event, err := range events(response.Body) {
			if err != nil {
				yield(Delta{}, err)
				return
			}
			for _, choice := range event.Choices {
				finished = finished || choice.Finish != ""
				if !yield(choice.Delta, nil) {
					return
				}
			}
			if event.Choices == nil { // [DONE]
				return
			}
		}
		if !finished {
			yield(Delta{}, errCutOff)
		}
	}
}

func (e Endpoint) send(ctx context.Context, messages []Message) (*http.Response, error) {
	body, err := json.Marshal(map[string]any{"model": e.Model, "messages": messages, "stream": true})
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, strings.TrimSuffix(e.URL, "/")+"/chat/completions", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "text/event-stream")
	if e.Key != "" {
		request.Header.Set("Authorization", "Bearer "+e.Key)
	}
	response, err := e.Client.Do(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode == http.StatusOK {
		return response, nil
	}
	defer func() { _ = response.Body.Close() }()
	var said event
	text, _ := io.ReadAll(io.LimitReader(response.Body, 64<<10)) // it is an error already
	if json.Unmarshal(text, &said) == nil && len(said.Error) > 0 {
		return nil, fmt.Errorf("the endpoint answers %s: %s", response.Status, said.Error)
	}
	return nil, fmt.Errorf("the endpoint answers %s", response.Status)
}

func (f failure) String() string {
	var message string
	var object struct {
		Message string `json:"message"`
	}
	if json.Unmarshal(f, &message) != nil && json.Unmarshal(f, &object) == nil {
		message = object.Message
	}
	return strings.Join(strings.Fields(cmp.Or(message, "it does not say why")), " ")
}

// events reads server-sent events until [DONE], which is the zero event, or the end.
func events(body io.Reader) iter.Seq2[event, error] {
	return func(yield func(event, error) bool) {
		lines := bufio.NewScanner(body)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			data, ok := strings.CutPrefix(lines.Text(), "data:")
			if data = strings.TrimSpace(data); !ok || data == "" {
				continue // a comment that keeps the connection alive, or another field
			}
			if data == "[DONE]" {
				yield(event{}, nil)
				return
			}
			next := event{}
			if err := json.Unmarshal([]byte(data), &next); err != nil {
				yield(event{}, fmt.Errorf("the endpoint sent an event that is no JSON: %w", err))
				return
			}
			if len(next.Error) > 0 {
				yield(event{}, fmt.Errorf("the endpoint broke off: %s", next.Error))
				return
			}
			if next.Choices != nil && !yield(next, nil) {
				return
			}
		}
		if err := lines.Err(); err != nil {
			yield(event{}, err)
		}
	}
}
