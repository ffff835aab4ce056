package collect

import (
	"context"
	"errors"

	"github.com/pertain-dev/pertain/facts"
)

func (s selection) Collect(ctx context.Context, _ *facts.Snapshot, _ facts.Request) (facts.Part, error) {
	none := selected("")
	w, err := s.front(ctx)
	if errors.Is(err, errNoWindow) {
		return none, nil
	}
	if err != nil {
		return s.unowned(ctx, err)
	}
	// Programs that show the selection to everybody give it here at once; the
	// accessibility bus knows those that keep it to themselves.
	if text, ok := s.primary(ctx, w); ok {
		return facts.Part{}.With(selectedText, facts.Text(text)), nil
	}
	focus, err := s.focused(ctx, w)
	if err != nil && focus.scene.accessibility == nil {
		return s.unowned(ctx, err)
	}
	if err != nil {
		return facts.Part{}, err
	}
	if focus.node.none() || focus.role == rolePassword {
		return none, nil
	}
	if text, ok := focus.scene.selection(ctx, focus.node); ok {
		return facts.Part{}.With(selectedText, facts.Text(text)), nil
	}
	return none, nil
}

// focused is the element of a window that has the keyboard. With an error, the
// scene tells whether the window was found at all.
func (s selection) focused(ctx context.Context, w window) (keptFocus, error) {
	warm := s.warm.Load()
	if kept, ok := warm.focusOf(ctx, w); ok {
		return kept, nil
	}
	since, _ := warm.now()
	scene, err := s.sceneOf(ctx, w)
	if err != nil {
		return keptFocus{}, err
	}
	n, role, err := scene.focus(ctx)
	if err != nil {
		return keptFocus{scene: scene}, hung(ctx, err)
	}
	warm.keepFocus(since, scene, n, role)
	return keptFocus{scene: scene, node: n, role: role}, nil
}

// unowned takes Wayland's primary selection where nobody can say which window is
// in front: a compositor tells whose it is to no one. failed is why, and the
// answer where there is no selection either. A window that must not be read, or
// lists of such windows, which could not be checked, rule it out.
func (s selection) unowned(ctx context.Context, failed error) (facts.Part, error) {
	if !s.wayland() || len(s.options.Private.Applications)+len(s.options.Private.Titles) > 0 {
		return facts.Part{}, failed
	}
	source, err := s.dataControl(ctx)
	if err != nil {
		return facts.Part{}, failed
	}
	defer source.close()
	targets, err := source.targets(ctx, primarySelection)
	target := textTarget(targets)
	if err != nil || target == "" || secret(targets) {
		return facts.Part{}, failed
	}
	data, err := source.read(ctx, primarySelection, target)
	if err != nil || len(data) == 0 {
		return facts.Part{}, failed
	}
	return facts.Part{}.With(selectedText, facts.Text(decodeText(target, data))), nil
}

// primary is X's primary selection, if it belongs to the window in front: it
// stays where it was made when the user goes on to another program.
func (s selection) primary(ctx context.Context, w window) (string, bool) {
	if w.id == 0 {
		return "", false
	}
	e, err := s.exchange()
	if err != nil {
		return "", false
	}
	defer e.close()
	owner, err := e.owner(primarySelection)
	if err != nil || owner == 0 || !e.sameClient(owner, w.xid()) {
		return "", false
	}
	targets, err := e.targets(ctx, primarySelection)
	if err != nil {
		return "", false
	}
	target := textTarget(targets)
	if target == "" || secret(targets) {
		return "", false
	}
	data, err := e.read(ctx, primarySelection, target)
	if err != nil || len(data) == 0 {
		return "", false
	}
	return decodeText(target, data), true
}

// focus is the element that has the keyboard; none if there is none.
func (s scene) focus(ctx context.Context) (node, uint32, error) {
	if s.toolkit.matches() {
		count := 1 // GTK stops looking at the first, which spares it thousands of cells
		if s.toolkit.name == "Chromium" || s.toolkit.name == "Gecko" {
			count = 8
		}
		hits, err := s.match(ctx, s.top, 1<<stateFocused, nil, count)
		if err == nil && len(hits) > 0 {
			last := hits[len(hits)-1] // in document order, so the deepest of a chain
			role, err := result[uint32](s.role(ctx, last))
			return last, role, err
		}
		if ctx.Err() != nil {
			return node{}, 0, ctx.Err()
		}
	}
	elements, _, err := s.walk(ctx)
	if err != nil {
		return node{}, 0, err
	}
	if at, ok := focusedElement(elements); ok {
		return elements[at].node, elements[at].role, nil
	}
	return node{}, 0, nil
}
