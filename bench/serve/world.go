package serve

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

const (
	strategyCount = 1_000
	contextCount  = 16
)

var (
	topics = strings.Fields(`invoice report paper meeting contract ticket draft recipe budget thesis poster survey agenda memo letter manual
		schema patch release incident query table chart figure proof lemma grant visa tax rent travel hotel flight museum garden`)
	labels     = append(strings.Fields("Save Open Print Close Reply Send Search Back Next Share Bold Italic Undo Redo Help Settings Filter Sort"), topics[:3]...)
	programs   = strings.Fields(`code firefox nautilus thunderbird slack excel figma gimp blender terminal vlc obsidian zotero evince dolphin xcode goland dbeaver docker zoom`)
	extensions = strings.Fields(`.pdf .docx .txt .md .png .jpg .svg .go .rs .py .ts .json .yaml .csv .xlsx .pptx .zip .mp4 .eml .sql .tex .ipynb`)
)

func pick(r *rand.Rand, list []string) string { return list[r.IntN(len(list))] }

// writeStrategies puts the strategies into a folder. About two in a hundred are
// true in a context; most are about something that is not there.
func writeStrategies(dir string) error {
	r := rand.New(rand.NewPCG(5, 8))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for i := range strategyCount {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("strategy-%04d.strategy.md", i)), []byte(strategyText(r, i)), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func strategyText(r *rand.Rand, i int) string {
	topic, other := pick(r, topics), pick(r, topics)
	var when string
	switch i % 5 {
	case 0:
		when = fmt.Sprintf("    - extra.browser.active_tab.url:\n        startsWith: \"https://%s.example/%s\"\n    - extra.browser.active_tab.title:\n        regex: '\\b(%s|%s)s?\\b'\n", topic, other, topic, other)
	case 1:
		when = fmt.Sprintf("    - attachments.files:\n        any:\n          extension:\n            in: [%q, %q]\n    - attachments.selection.text:\n        contains: \"%s %s\"\n", pick(r, extensions), pick(r, extensions), topic, other)
	case 2:
		when = fmt.Sprintf("    - attachments.selection.text:\n        length:\n          min: %d\n    - clipboard.text:\n        contains: \"%s%d\"\n", 1+r.IntN(40), topic, r.IntN(40))
	case 3:
		when = fmt.Sprintf("    - visual.match:\n        query: \"//TopLevel/@process\"\n        equals: %s\n    - extra.file_manager.selection.items:\n        any:\n          extension:\n            equals: %q\n", pick(r, programs), pick(r, extensions))
	case 4:
		when = fmt.Sprintf("    - visual.exists:\n        query: \"//Button[@name='%s']\"\n    - none:\n        - clipboard.text:\n            contains: %s\n", topic, other)
	}
	return fmt.Sprintf("---\nname: \"Handle the %s (%d)\"\ndescription: \"What to do with a %s that is about a %s\"\nicon: FileText\npriority: %d\nwhen:\n  all:\n%s---\n\nLook at this %s:\n\n{attachments.selection.text}\n",
		topic, i, topic, other, r.IntN(100), when, topic)
}

// contexts are what clients send: a page, attached and selected files, texts of
// 0.5 to 2 KB and three windows of 88 elements in all, some 9 KB of JSON.
func contexts() [][]byte {
	r := rand.New(rand.NewPCG(2, 4))
	out := make([][]byte, contextCount)
	for i := range out {
		text, err := json.Marshal(context(r))
		if err != nil {
			panic(err) // made of maps, lists and strings
		}
		out[i] = text
	}
	return out
}

type object = map[string]any

func context(r *rand.Rand) object {
	topic, other := pick(r, topics), pick(r, topics)
	file := func() object {
		extension := pick(r, extensions)
		return object{"path": "/home/u/Documents/" + pick(r, topics) + extension, "extension": extension}
	}
	item := func() object {
		extension := pick(r, extensions)
		return object{"path": "/work/" + pick(r, topics) + extension, "kind": "file", "extension": extension, "size": r.IntN(3_000_000)}
	}
	return object{
		"attachments": object{
			"files": []object{file(), file()}, "selection": object{"text": prose(r, 300)}, "text": prose(r, 80),
		},
		"clipboard":   object{"text": prose(r, 120), "hasText": true, "hasImage": false},
		"assistant":   object{"name": "writer", "model": object{"id": "large-1", "modalities": []string{"text", "image"}, "supportsToolCall": true}},
		"environment": object{"os": "linux", "architecture": "amd64", "locale": "en-US", "timeZone": "Europe/Berlin", "currentDate": "2026-11-15"},
		"extra": object{
			"file_manager": object{"current_folder": object{"path": "/work"}, "selection": object{"items": []object{item(), item(), item()}}},
			"browser":      object{"active_tab": object{"url": fmt.Sprintf("https://%s.example/%s/%d", topic, other, r.IntN(999)), "title": topic + " and " + other, "domain": topic + ".example"}},
			"workspace":    object{"root": "/work", "name": "work", "git": object{"branch": "main", "hasChanges": true}},
		},
		"visual": object{"roots": []object{desktop(r)}},
	}
}

func prose(r *rand.Rand, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(pick(r, topics))
		if i%11 == 10 {
			fmt.Fprint(&b, r.IntN(40))
		}
		b.WriteByte(' ')
	}
	return b.String()
}

func desktop(r *rand.Rand) object {
	var windows []object
	for range 3 {
		var panels []object
		for range 4 {
			var buttons []object
			for range 6 {
				buttons = append(buttons, object{"type": "Button", "name": pick(r, labels)})
			}
			panels = append(panels, object{"type": "Panel", "children": buttons})
		}
		windows = append(windows, object{"type": "TopLevel", "name": prose(r, 4), "process": pick(r, programs), "children": panels})
	}
	return object{"type": "Screen", "children": windows}
}
