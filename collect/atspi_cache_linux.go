package collect

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

// treeCache is what a GTK 2 or 3 application keeps of its elements and gives in
// one answer: everything but rectangles, texts and the cells of lists.
type treeCache struct {
	items    map[node]*cacheItem
	children map[node][]node
}

// cacheItem is one element. The fields are exported for the D-Bus library alone.
type cacheItem struct {
	Ref, Application, Parent node
	Index, Count             int32
	Interfaces               []string
	Name                     string
	Role                     uint32
	Description              string
	States                   []uint32
}

// register says that somebody listens. Applications keep their cache only then;
// it ends with the connection.
func (a *accessibility) register(ctx context.Context) {
	a.mu.Lock()
	done := a.registered
	a.registered = true
	a.mu.Unlock()
	if !done {
		registrar := node{registry.Name, "/org/a11y/atspi/registry"}
		<-a.start(ctx, registrar, atspi+"Registry.RegisterEvent", "object:state-changed:focused", []string{}, "").Done
	}
}

// cache reads an application's cache; nil where there is none, and everything
// has to be asked.
func (s scene) cache(ctx context.Context) *treeCache {
	if !s.toolkit.caches() {
		return nil
	}
	items, err := result[[]cacheItem](s.start(ctx, node{s.top.Name, "/org/a11y/atspi/cache"}, atspi+"Cache.GetItems"))
	if err != nil {
		return nil
	}
	c := &treeCache{items: make(map[node]*cacheItem, len(items)), children: map[node][]node{}}
	for i := range items {
		c.items[items[i].Ref] = &items[i]
		c.children[items[i].Parent] = append(c.children[items[i].Parent], items[i].Ref)
	}
	for _, list := range c.children {
		slices.SortStableFunc(list, func(a, b node) int { return cmp.Compare(c.items[a].Index, c.items[b].Index) })
	}
	if c.items[s.top] == nil {
		return nil
	}
	return c
}

// caches tells whether the toolkit's cache is whole: that of GTK 4 has only what
// was asked for before, and that of Qt is empty.
func (t toolkit) caches() bool {
	return t.name == "GAIL" || strings.EqualFold(t.name, "gtk") && strings.HasPrefix(t.version, "3")
}

// fill takes an element from the cache.
func (c *treeCache) fill(v *visited) bool {
	if c == nil {
		return false
	}
	item, ok := c.items[v.node]
	if !ok || item.Count < 0 { // lists do not say here how many cells they have
		return false
	}
	v.role, v.name, v.count = item.Role, strings.TrimSpace(strings.ToValidUTF8(item.Name, "")), item.Count
	if len(item.States) > 0 {
		v.states = states(item.States[0])
	}
	if len(item.States) > 1 {
		v.states |= states(item.States[1]) << 32
	}
	return true
}

// below are the children of an element, if the cache has them all. A list makes
// its cells when they are asked for, and the cache has none of them.
func (c *treeCache) below(v *visited) ([]node, bool) {
	if c == nil || v.states.has(stateManagesDescendants) {
		return nil, false
	}
	list := c.children[v.node]
	if v.count <= 0 || len(list) != int(v.count) {
		return nil, false
	}
	for i, child := range list {
		if c.items[child].Index != int32(i) { // the items of menus do not say where they stand
			return nil, false
		}
	}
	return list, true
}
