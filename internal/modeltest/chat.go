package modeltest

import "fmt"

// chat writes an answer as OpenAI's Chat Completions API does.
func chat(r *Request, a Answer) ([]event, any) {
	id := fmt.Sprintf("chatcmpl-%d", r.Number)
	chunk := func(delta map[string]any, finish any) event {
		return event{data: map[string]any{
			"id": id, "object": "chat.completion.chunk", "created": 1_700_000_000, "model": r.Model,
			"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}},
		}}
	}
	events := []event{chunk(map[string]any{"role": "assistant", "content": ""}, nil)}
	for _, piece := range a.pieces(a.Thinking) {
		events = append(events, chunk(map[string]any{"reasoning_content": piece}, nil))
	}
	for _, piece := range a.pieces(a.Text) {
		events = append(events, chunk(map[string]any{"content": piece}, nil))
	}
	var calls []any
	for i, call := range a.Calls {
		function := map[string]any{"name": call.Name, "arguments": ""}
		events = append(events, chunk(map[string]any{"tool_calls": []any{map[string]any{"index": i, "id": call.ID(r.Number, i), "type": "function", "function": function}}}, nil))
		for _, piece := range a.pieces(call.Arguments) {
			events = append(events, chunk(map[string]any{"tool_calls": []any{map[string]any{"index": i, "function": map[string]any{"arguments": piece}}}}, nil))
		}
		calls = append(calls, map[string]any{"id": call.ID(r.Number, i), "type": "function", "function": map[string]any{"name": call.Name, "arguments": call.Arguments}})
	}
	reason := "stop"
	message := map[string]any{"role": "assistant", "content": a.Text}
	if len(calls) > 0 {
		reason, message["tool_calls"] = "tool_calls", calls
	}
	spent := (len(a.Thinking)+len(a.Text))/4 + 1
	usage := map[string]any{"prompt_tokens": len(r.Body) / 4, "completion_tokens": spent, "total_tokens": len(r.Body)/4 + spent}
	events = append(events, chunk(map[string]any{}, reason),
		event{data: map[string]any{"id": id, "object": "chat.completion.chunk", "created": 1_700_000_000, "model": r.Model, "choices": []any{}, "usage": usage}},
		event{data: "[DONE]"})
	whole := map[string]any{
		"id": id, "object": "chat.completion", "created": 1_700_000_000, "model": r.Model,
		"choices": []any{map[string]any{"index": 0, "message": message, "finish_reason": reason}}, "usage": usage,
	}
	return events, whole
}
