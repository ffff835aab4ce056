package facts

import (
	"slices"
	"strings"
)

// Needs is what must be collected before a condition can be decided (docs/reference/paths.md):
// names such as clipboard.text, extra.browser, assistant.model.id and visual,
// sorted and distinct. Attachments and environment need no collection and are
// not listed. The zero value needs nothing.
type Needs struct {
	names []string
	parts []string // paths that come with a need only when they are asked for by name; see [Needs.Wants]
}

// Visual is the name under which the tree of visible elements is needed.
const Visual = "visual"

// ActiveProcess is the name under which the program in front is needed.
const ActiveProcess = "activeProcess"

// needOf is the name under which a path is collected, or "". It also answers
// for paths that no schema knows, by their form.
func needOf(path string) string {
	if p, ok := Find(path); ok {
		return p.Needs
	}
	segments := strings.Split(withoutPicks(path), ".")
	switch {
	case segments[0] == "extra" && len(segments) > 1:
		return "extra." + strings.TrimSuffix(segments[1], "[]")
	case segments[0] == "clipboard" && len(segments) > 1:
		return "clipboard." + strings.TrimSuffix(segments[1], "[]")
	case segments[0] == "assistant" && len(segments) > 1:
		return strings.ReplaceAll(withoutPicks(path), "[]", "")
	case segments[0] == ActiveProcess:
		return ActiveProcess
	}
	return ""
}

// Add puts in needs by their names; empty names are ignored. The name of a
// path that is costly to collect puts in the need that it belongs to, and says
// that this path is wanted, too.
func (n *Needs) Add(names ...string) {
	for _, name := range names {
		if p, ok := theSchema.byName[name]; ok && p.costly {
			n.parts = insert(n.parts, name)
			name = p.Needs
		}
		if name != "" {
			n.names = insert(n.names, name)
		}
	}
}

func insert(sorted []string, name string) []string {
	if at, found := slices.BinarySearch(sorted, name); !found {
		return slices.Insert(sorted, at, name)
	}
	return sorted
}

// AddPath puts in what must be collected for a path.
func (n *Needs) AddPath(path string) {
	if p, ok := theSchema.byName[path]; ok && p.costly {
		n.Add(path)
		return
	}
	n.Add(needOf(path))
}

// Merge puts in everything that others need.
func (n *Needs) Merge(other Needs) {
	n.Add(other.names...)
	n.Add(other.parts...)
}

// Wants tells whether somebody asked for a path that is costly to collect, such
// as extra.browser.active_tab.html. Collectors leave it out otherwise.
func (n Needs) Wants(path string) bool {
	_, found := slices.BinarySearch(n.parts, path)
	return found
}

// partsOf are the costly paths that are wanted below a need.
func (n Needs) partsOf(need string) []string {
	var out []string
	for _, path := range n.parts {
		if strings.HasPrefix(path, need+".") {
			out = append(out, path)
		}
	}
	return out
}

// Names are the needs, sorted.
func (n Needs) Names() []string { return slices.Clone(n.names) }

// Has tells whether the name is needed.
func (n Needs) Has(name string) bool {
	_, found := slices.BinarySearch(n.names, name)
	return found
}

// Permissions are the sentences that tell a user what is read, without repeats.
func (n Needs) Permissions() []string {
	var out []string
	add := func(name string) {
		if s := permission(name); s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	for _, name := range n.names {
		add(name)
		for _, path := range n.partsOf(name) { // who agrees to an address has not agreed to the page
			add(path)
		}
	}
	return out
}
