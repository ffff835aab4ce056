package modeltest

import "fmt"

// messages writes an answer as Anthropic's Messages API does.
func messages(r *Request, a Answer) ([]event, any) {
	usage := map[string]any{"input_tokens": len(r.Body) / 4, "output_tokens": 1}
	head := map[string]any{
		"id": fmt.Sprintf("msg_%d", r.Number), "type": "message", "role": "assistant", "model": r.Model,
		"content": []any{}, "stop_reason": nil, "stop_sequence": nil, "usage": usage,
	}
	events := []event{{"message_start", map[string]any{"type": "message_start", "message": head}}, {"ping", map[string]any{"type": "ping"}}}
	var content []any
	block := func(start map[string]any, whole map[string]any, deltas ...map[string]any) {
		index := len(content)
		content = append(content, whole)
		events = append(events, event{"content_block_start", map[string]any{"type": "content_block_start", "index": index, "content_block": start}})
		for _, delta := range deltas {
			events = append(events, event{"content_block_delta", map[string]any{"type": "content_block_delta", "index": index, "delta": delta}})
		}
		events = append(events, event{"content_block_stop", map[string]any{"type": "content_block_stop", "index": index}})
	}
	if a.Thinking != "" {
		var deltas []map[string]any
		for _, piece := range a.pieces(a.Thinking) {
			deltas = append(deltas, map[string]any{"type": "thinking_delta", "thinking": piece})
		}
		deltas = append(deltas, map[string]any{"type": "signature_delta", "signature": signature})
		block(map[string]any{"type": "thinking", "thinking": "", "signature": ""}, map[string]any{"type": "thinking", "thinking": a.Thinking, "signature": signature}, deltas...)
	}
	if a.Text != "" {
		var deltas []map[string]any
		for _, piece := range a.pieces(a.Text) {
			deltas = append(deltas, map[string]any{"type": "text_delta", "text": piece})
		}
		block(map[string]any{"type": "text", "text": ""}, map[string]any{"type": "text", "text": a.Text}, deltas...)
	}
	for i, call := range a.Calls {
		var deltas []map[string]any
		for _, piece := range a.pieces(call.Arguments) {
			deltas = append(deltas, map[string]any{"type": "input_json_delta", "partial_json": piece})
		}
		head := map[string]any{"type": "tool_use", "id": call.ID(r.Number, i), "name": call.Name, "input": map[string]any{}}
		block(head, map[string]any{"type": "tool_use", "id": call.ID(r.Number, i), "name": call.Name, "input": raw(call.Arguments)}, deltas...)
	}
	reason := "end_turn"
	if len(a.Calls) > 0 {
		reason = "tool_use"
	}
	spent := (len(a.Thinking) + len(a.Text)) / 4
	events = append(events,
		event{"message_delta", map[string]any{"type": "message_delta", "delta": map[string]any{"stop_reason": reason, "stop_sequence": nil}, "usage": map[string]any{"output_tokens": spent + 1}}},
		event{"message_stop", map[string]any{"type": "message_stop"}})
	whole := map[string]any{
		"id": head["id"], "type": "message", "role": "assistant", "model": r.Model, "content": content,
		"stop_reason": reason, "stop_sequence": nil, "usage": map[string]any{"input_tokens": usage["input_tokens"], "output_tokens": spent + 1},
	}
	return events, whole
}

// signature stands for what a provider signs its thinking with.
const signature = "c2lnbmVk"
