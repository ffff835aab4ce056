package atspi

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

// treeCache is what a GTK 2 or 3 application keeps of its elements and gives in
// one answer: everything but rectangles, texts and the cells of lists.
type treeCache struct {
	items    map[Node]*cacheItem
	children map[Node][]Node
}

// cacheItem is one element. The fields are exported for the D-Bus library alone.
type cacheItem struct {
	Ref, Application, Parent Node
	Index, Count             int32
	Interfaces               []string
	Name                     string
	Role                     uint32
	Description              string
	States                   []uint32
}

// Register says that somebody listens. Applications keep their cache only then;
// it ends with the connection.
func (a *Bus) Register(ctx context.Context) {
	a.mu.Lock()
	done := a.registered
	a.registered = true
	a.mu.Unlock()
	if !done {
		registrar := Node{registry.Name, "/org/a11y/atspi/registry"}
		<-a.Start(ctx, registrar, Prefix+"Registry.RegisterEvent", "object:state-changed:focused", []string{}, "").Done
	}
}

// cache reads an application's cache; nil where there is none, and everything
// has to be asked.
func (s Window) cache(ctx context.Context) *treeCache {
	if !s.Toolkit.caches() {
		return nil
	}
	items, err := Result[[]cacheItem](s.Start(ctx, Node{s.Top.Name, "/org/a11y/atspi/cache"}, Prefix+"Cache.GetItems"))
	if err != nil {
		return nil
	}
	c := &treeCache{items: make(map[Node]*cacheItem, len(items)), children: map[Node][]Node{}}
	for i := range items {
		c.items[items[i].Ref] = &items[i]
		c.children[items[i].Parent] = append(c.children[items[i].Parent], items[i].Ref)
	}
	for _, list := range c.children {
		slices.SortStableFunc(list, func(a, b Node) int { return cmp.Compare(c.items[a].Index, c.items[b].Index) })
	}
	if c.items[s.Top] == nil {
		return nil
	}
	return c
}

// caches tells whether the toolkit's cache is whole: that of GTK 4 has only what
// was asked for before, and that of Qt is empty.
func (t Toolkit) caches() bool {
	return t.Name == "GAIL" || strings.EqualFold(t.Name, "gtk") && strings.HasPrefix(t.Version, "3")
}

// fill takes an element from the cache.
func (c *treeCache) fill(v *Element) bool {
	if c == nil {
		return false
	}
	item, ok := c.items[v.Node]
	if !ok || item.Count < 0 { // lists do not say here how many cells they have
		return false
	}
	v.Role, v.Name, v.Count = item.Role, strings.TrimSpace(strings.ToValidUTF8(item.Name, "")), item.Count
	if len(item.States) > 0 {
		v.States = States(item.States[0])
	}
	if len(item.States) > 1 {
		v.States |= States(item.States[1]) << 32
	}
	return true
}

// below are the children of an element, if the cache has them all. A list makes
// its cells when they are asked for, and the cache has none of them.
func (c *treeCache) below(v *Element) ([]Node, bool) {
	if c == nil || v.States.Has(StateManagesDescendants) {
		return nil, false
	}
	list := c.children[v.Node]
	if v.Count <= 0 || len(list) != int(v.Count) {
		return nil, false
	}
	for i, child := range list {
		if c.items[child].Index != int32(i) { // the items of menus do not say where they stand
			return nil, false
		}
	}
	return list, true
}
