package atspi

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"
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

// cacheTime is how long an application may take to give its cache. All of it, hidden
// elements too, comes in one answer, for which a program with very many stands still.
const cacheTime = 60 * time.Millisecond

// inBackground marks a context; see [InBackground].
type inBackground struct{}

// InBackground says that nobody waits for what is read: caches may be used.
func InBackground(ctx context.Context) context.Context {
	return context.WithValue(ctx, inBackground{}, true)
}

// cache reads an application's cache; nil where there is none, or where it must not be
// asked for: in the middle of a question, and where it took long before. Then everything
// has to be asked, piece by piece. Applications make one when somebody begins to listen,
// which takes those with many elements as long again: so nobody listens for one question.
func (s Window) cache(ctx context.Context) *treeCache {
	s.mu.Lock()
	slow := s.slow[s.Top.Name]
	s.mu.Unlock()
	if slow || ctx.Value(inBackground{}) == nil || !s.Toolkit.caches() {
		return nil
	}
	began := time.Now()
	items, err := Result[[]cacheItem](s.Start(ctx, Node{s.Top.Name, "/org/a11y/atspi/cache"}, Prefix+"Cache.GetItems"))
	if time.Since(began) > cacheTime {
		s.mu.Lock()
		s.slow[s.Top.Name] = true
		s.mu.Unlock()
	}
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
