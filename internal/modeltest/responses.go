package modeltest

import "fmt"

// reply of Responses while it is written.
type response struct {
	request *Request
	events  []event
	output  []any
	serial  int
}

// responses writes an answer as OpenAI's Responses API does.
func responses(r *Request, a Answer) ([]event, any) {
	w := &response{request: r}
	w.emit("response.created", map[string]any{"response": w.whole("in_progress")})
	w.emit("response.in_progress", map[string]any{"response": w.whole("in_progress")})
	if a.Thinking != "" {
		item := map[string]any{"id": w.id("rs"), "type": "reasoning", "summary": []any{map[string]any{"type": "summary_text", "text": a.Thinking}}, "encrypted_content": signature}
		w.item(map[string]any{"id": item["id"], "type": "reasoning", "summary": []any{}}, item, nil)
	}
	if a.Text != "" {
		w.message(a)
	}
	for i, call := range a.Calls {
		w.call(a, call, i)
	}
	done := w.whole("completed")
	done["usage"] = map[string]any{
		"input_tokens": len(r.Body) / 4, "output_tokens": len(a.Text)/4 + 1, "total_tokens": len(r.Body)/4 + len(a.Text)/4 + 1,
		"input_tokens_details": map[string]any{"cached_tokens": 0}, "output_tokens_details": map[string]any{"reasoning_tokens": 0},
	}
	w.emit("response.completed", map[string]any{"response": done})
	return w.events, done
}

func (w *response) id(kind string) string {
	return fmt.Sprintf("%s_%d_%d", kind, w.request.Number, len(w.output))
}

func (w *response) emit(name string, data map[string]any) {
	data["type"], data["sequence_number"] = name, w.serial
	w.serial++
	w.events = append(w.events, event{name, data})
}

func (w *response) whole(status string) map[string]any {
	return map[string]any{
		"id": fmt.Sprintf("resp_%d", w.request.Number), "object": "response", "created_at": 1_700_000_000, "status": status, "model": w.request.Model,
		"output": append([]any{}, w.output...), "error": nil, "incomplete_details": nil, "parallel_tool_calls": true, "tools": []any{},
	}
}

// item writes an item: its beginning, what is inside, its end.
func (w *response) item(start, whole map[string]any, inside func(at int)) {
	at := len(w.output)
	w.emit("response.output_item.added", map[string]any{"output_index": at, "item": start})
	if inside != nil {
		inside(at)
	}
	w.output = append(w.output, whole)
	w.emit("response.output_item.done", map[string]any{"output_index": at, "item": whole})
}

func (w *response) message(a Answer) {
	id := w.id("msg")
	part := map[string]any{"type": "output_text", "text": a.Text, "annotations": []any{}}
	w.item(map[string]any{"id": id, "type": "message", "role": "assistant", "status": "in_progress", "content": []any{}},
		map[string]any{"id": id, "type": "message", "role": "assistant", "status": "completed", "content": []any{part}},
		func(at int) {
			w.emit("response.content_part.added", map[string]any{"item_id": id, "output_index": at, "content_index": 0, "part": map[string]any{"type": "output_text", "text": "", "annotations": []any{}}})
			for _, piece := range a.pieces(a.Text) {
				w.emit("response.output_text.delta", map[string]any{"item_id": id, "output_index": at, "content_index": 0, "delta": piece})
			}
			w.emit("response.output_text.done", map[string]any{"item_id": id, "output_index": at, "content_index": 0, "text": a.Text})
			w.emit("response.content_part.done", map[string]any{"item_id": id, "output_index": at, "content_index": 0, "part": part})
		})
}

func (w *response) call(a Answer, call Call, i int) {
	kind, field, event := "function_call", "arguments", "response.function_call_arguments"
	if call.Custom {
		kind, field, event = "custom_tool_call", "input", "response.custom_tool_call_input"
	}
	id := w.id("fc")
	item := func(status, text string) map[string]any {
		out := map[string]any{"id": id, "type": kind, "status": status, "call_id": call.ID(w.request.Number, i), "name": call.Name, field: text}
		if space := w.request.Spaces[call.Name]; space != "" {
			out["namespace"] = space
		}
		return out
	}
	w.item(item("in_progress", ""), item("completed", call.Arguments), func(at int) {
		for _, piece := range a.pieces(call.Arguments) {
			w.emit(event+".delta", map[string]any{"item_id": id, "output_index": at, "delta": piece})
		}
		w.emit(event+".done", map[string]any{"item_id": id, "output_index": at, field: call.Arguments})
	})
}
