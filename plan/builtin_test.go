package plan_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/plan"
)

func TestBuiltins(t *testing.T) {
	const tree = `"visual": {"roots": [{"type": "TopLevel", "id": "w", "children": [
		{"type": "TextEdit", "id": "edit", "text": "typed", "states": ["focused"]},
		{"type": "TextEdit", "id": "secret", "text": "hunter2", "states": ["password"]},
		{"type": "Panel", "id": "panel", "name": "Group", "children": [{"type": "Label", "name": "One"}, {"type": "Label", "text": "Two"}]},
		{"type": "Button", "id": "save", "name": "Save"}, {"type": "Image", "id": "bare"}]}]}`
	for name, test := range map[string]struct {
		id, context string
		want        string // the prompt, or the code and path
	}{
		"selection":             {plan.SelectedText, `{"attachments": {"selection": {"text": "S"}}}`, "S"},
		"empty selection":       {plan.SelectedText, `{"attachments": {"selection": {"text": ""}}}`, ""},
		"no selection":          {plan.SelectedText, `{}`, "preprocessor.context_missing attachments.selection.text"},
		"null selection":        {plan.SelectedText, `{"attachments": {"selection": {"text": null}}}`, "preprocessor.context_missing attachments.selection.text"},
		"selection of a number": {plan.SelectedText, `{"attachments": {"selection": {"text": 5}}}`, "preprocessor.failed attachments.selection.text"},
		"clipboard":             {plan.ClipboardText, `{"clipboard": {"text": "C"}}`, "C"},
		"no clipboard":          {plan.ClipboardText, `{"clipboard": {"hasText": true}}`, "preprocessor.context_missing clipboard.text"},
		"no elements":           {plan.VisualElementText, `{}`, "preprocessor.context_missing visual"},
		"focused element":       {plan.VisualElementText, `{` + tree + `}`, "typed"},
		"primary element":       {plan.VisualElementText, `{"attachments": {"visual": {"primary": "save"}}, ` + tree + `}`, "Save"},
		"attached element":      {plan.VisualElementText, `{"attachments": {"visual": {"items": ["gone", "panel"]}}, ` + tree + `}`, "One\nTwo"},
		"password":              {plan.VisualElementText, `{"attachments": {"visual": {"primary": "secret"}}, ` + tree + `}`, "preprocessor.context_missing visual"},
		"around a password":     {plan.VisualElementText, `{"attachments": {"visual": {"primary": "w"}}, ` + tree + `}`, "typed\nOne\nTwo\nSave"},
		"without text":          {plan.VisualElementText, `{"attachments": {"visual": {"primary": "bare"}}, ` + tree + `}`, "preprocessor.context_missing visual"},
		"nothing attached":      {plan.VisualElementText, `{"visual": {"roots": []}}`, "preprocessor.context_missing attachments.visual.primary"},
		"not put in":            {plan.BrowserActivePage, `{}`, "preprocessor.failed "},
	} {
		t.Run(name, func(t *testing.T) {
			info, _ := plan.BuiltinInfo(test.id)
			s := strategyOf("{"+info.Variables[0]+"}", test.id)
			p, list := build(t, plan.Preprocessors(), plan.Execution{Strategy: s, Snapshot: snapshot(t, test.context)}, plan.Options{})
			var got string
			if p != nil {
				got = p.Prompt
			} else {
				got = codes(list)[0]
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
