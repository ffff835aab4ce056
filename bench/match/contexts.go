package match

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/glob"
)

// situation is one context: as Pertain gets it from collectors, and as peers
// get it, by variable and already folded.
type situation struct {
	values   facts.Value
	elements []facts.Element
	folded   map[string]any // string, []string, []int64 or bool
}

// snapshot makes a snapshot that nothing has looked at yet.
func (s situation) snapshot() *facts.Snapshot {
	elements := append([]facts.Element(nil), s.elements...)
	return facts.NewSnapshot(facts.Parts{Values: s.values, Tree: facts.NewTree(elements, nil)})
}

// situations makes contexts in which everything is present.
func situations(v vocabulary, n int) []situation {
	r := rand.New(rand.NewPCG(11, 3))
	out := make([]situation, n)
	for i := range out {
		out[i] = newSituation(v, r)
	}
	return out
}

func newSituation(v vocabulary, r *rand.Rand) situation {
	host := pick(r, v.domains)
	file := func() facts.Value {
		name := pick(r, extensions)
		return facts.Fields(
			facts.Field{Name: "path", Value: facts.Text("/home/u/Documents/" + ascii(pick(r, v.words)) + name)},
			facts.Field{Name: "mimeType", Value: facts.Text(pick(r, mimeKinds) + "x" + name[1:])},
			facts.Field{Name: "extension", Value: facts.Text(strings.ToUpper(name))},
		)
	}
	item := func() facts.Value {
		return facts.Fields(
			facts.Field{Name: "path", Value: facts.Text("/work/" + ascii(pick(r, v.words)))},
			facts.Field{Name: "kind", Value: facts.Text(pick(r, itemKinds[:2]))},
			facts.Field{Name: "extension", Value: facts.Text(pick(r, extensions))},
			facts.Field{Name: "size", Value: facts.Num(float64(r.IntN(3000000)))},
		)
	}
	s := situation{values: object(map[string]facts.Value{
		url.path:                             facts.Text("https://" + host + "/" + ascii(pick(r, v.words)) + "/" + ascii(pick(r, v.words)) + "/" + fmt.Sprint(r.IntN(9999))),
		title.path:                           facts.Text(prose(v, r, 8)),
		domain.path:                          facts.Text(host),
		clipboard.path:                       facts.Text(prose(v, r, 120)),
		selection.path:                       facts.Text(prose(v, r, 300)),
		attached.path:                        facts.Text(prose(v, r, 80)),
		files.path:                           facts.List(file(), file()),
		"extra.file_manager.selection.items": facts.List(item(), item(), item()),
		folder.path:                          facts.Text("/work/" + ascii(pick(r, v.words))),
		system.path:                          facts.Text(pick(r, systems)),
		architecture.path:                    facts.Text(pick(r, chips)),
		locale.path:                          facts.Text(pick(r, locales[:4])[:3] + "US"),
		zone.path:                            facts.Text(pick(r, []string{"Europe/Berlin", "America/New_York", "Asia/Tokyo"})),
		date.path:                            facts.Text(fmt.Sprintf("2026-%02d-15", 1+r.IntN(12))),
		modalities.path:                      facts.Texts("text", pick(r, senses[1:])),
		model.path:                           facts.Text(pick(r, models)),
		assistant.path:                       facts.Text(pick(r, assistants)),
		toolCalls.path:                       facts.Flag(r.IntN(2) == 0),
		hasText.path:                         facts.Flag(true),
		hasImage.path:                        facts.Flag(false),
		workspace.path:                       facts.Text(strings.ToUpper(pick(r, v.workspaces))),
		branch.path:                          facts.Text(pick(r, branches) + "x"),
		hasChanges.path:                      facts.Flag(r.IntN(2) == 0),
	})}
	s.desktop(v, r)
	s.fold()
	return s
}

// prose is text with upper-case letters, a URL now and then and some digits.
func prose(v vocabulary, r *rand.Rand, n int) string {
	var b strings.Builder
	for i := range n {
		word := pick(r, v.words)
		switch {
		case i%9 == 0:
			word = strings.ToUpper(word)
		case i%31 == 30:
			word = fmt.Sprint(r.IntN(10000))
		case i%67 == 66:
			word = "https://" + pick(r, v.domains)
		}
		b.WriteString(word)
		b.WriteByte(' ')
	}
	return b.String()
}

// desktop is a screen with three windows of a few elements.
func (s *situation) desktop(v vocabulary, r *rand.Rand) {
	add := func(parent int, kind, name, process string) int {
		t, _ := facts.ParseElementType(kind)
		s.elements = append(s.elements, facts.Element{
			ID: fmt.Sprint("e", len(s.elements)), Type: t, Name: name, HasName: name != "", Process: process, Parent: parent,
		})
		return len(s.elements) - 1
	}
	screen := add(-1, "Screen", "", "")
	for range 3 {
		window := add(screen, "TopLevel", prose(v, r, 4), strings.ToUpper(pick(r, processes)))
		for range 4 {
			panel := add(window, "Panel", "", "")
			for range 6 {
				add(panel, "Button", pick(r, v.words), "")
			}
		}
	}
}

// fold makes what peers get.
func (s *situation) fold() {
	s.folded = map[string]any{}
	snapshot := s.snapshot()
	for _, f := range []field{
		url, title, domain, clipboard, selection, attached, extension, mime, selected, kinds, itemSizes, folder, system, architecture, locale, zone,
		date, modalities, model, assistant, toolCalls, hasText, hasImage, workspace, branch, hasChanges,
	} {
		path, _ := facts.Lookup(f.path)
		s.folded[f.name] = native(snapshot.At(path))
	}
	var names []string
	for _, e := range s.elements {
		if e.Type.String() == "TopLevel" {
			names = append(names, glob.Fold(e.Process))
		}
	}
	s.folded[process.name] = names
}

func native(v facts.Value) any {
	switch v.Kind() {
	case facts.String:
		return glob.Fold(v.Text())
	case facts.Bool:
		return v.Bool()
	}
	if items := v.Items(); len(items) > 0 && items[0].Kind() == facts.Number {
		out := make([]int64, len(items))
		for i, item := range items {
			out[i] = int64(item.Number())
		}
		return out
	}
	out := make([]string, len(v.Items()))
	for i, item := range v.Items() {
		out[i] = glob.Fold(item.Text())
	}
	return out
}

// object nests values by path.
func object(values map[string]facts.Value) facts.Value {
	s := facts.NewSnapshot(facts.Parts{Values: facts.Fields()})
	for _, path := range facts.Paths() { // in a fixed order
		if v, ok := values[path.Name]; ok {
			s = s.With(path.Name, v)
		}
	}
	return s.Values()
}
