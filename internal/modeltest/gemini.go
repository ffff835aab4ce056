package modeltest

// gemini writes an answer as Gemini's API does: a part at a time, calls whole.
func gemini(r *Request, a Answer) ([]event, any) {
	usage := map[string]any{"promptTokenCount": len(r.Body) / 4, "candidatesTokenCount": len(a.Text)/4 + 1, "totalTokenCount": len(r.Body)/4 + len(a.Text)/4 + 1}
	chunk := func(parts []any, reason string) map[string]any {
		candidate := map[string]any{"index": 0, "content": map[string]any{"role": "model", "parts": parts}}
		if reason != "" {
			candidate["finishReason"] = reason
		}
		return map[string]any{"candidates": []any{candidate}, "usageMetadata": usage, "modelVersion": r.Model, "responseId": "scripted"}
	}
	var events []event
	var all []any
	add := func(part map[string]any) {
		all = append(all, part)
		events = append(events, event{data: chunk([]any{part}, "")})
	}
	for _, piece := range a.pieces(a.Thinking) {
		add(map[string]any{"text": piece, "thought": true})
	}
	for _, piece := range a.pieces(a.Text) {
		add(map[string]any{"text": piece})
	}
	for i, call := range a.Calls {
		add(map[string]any{"functionCall": map[string]any{"id": call.ID(r.Number, i), "name": call.Name, "args": raw(call.Arguments)}})
	}
	events = append(events, event{data: chunk([]any{map[string]any{"text": ""}}, "STOP")})
	return events, chunk(joined(all), "STOP")
}

// joined makes one part of texts that follow each other, as in an answer that is
// not streamed.
func joined(parts []any) []any {
	var all []any
	for _, part := range parts {
		now, _ := part.(map[string]any)
		text, ok := now["text"].(string)
		if ok && len(all) > 0 {
			last, _ := all[len(all)-1].(map[string]any)
			before, same := last["text"].(string)
			if same && last["thought"] == now["thought"] {
				last["text"] = before + text
				continue
			}
		}
		copied := map[string]any{}
		for key, value := range now { // the events have the parts, too
			copied[key] = value
		}
		all = append(all, copied)
	}
	return all
}
