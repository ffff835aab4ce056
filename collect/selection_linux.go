package collect

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/pertain-dev/pertain/collect/internal/atspi"
	"github.com/pertain-dev/pertain/collect/internal/browser"
	"github.com/pertain-dev/pertain/collect/internal/clipboard"
	"github.com/pertain-dev/pertain/collect/internal/process"
	"github.com/pertain-dev/pertain/collect/internal/wayland"
	"github.com/pertain-dev/pertain/facts"
)

func (s selectionReader) Collect(ctx context.Context, _ *facts.Snapshot, _ facts.Request) (facts.Part, error) {
	none := selected("")
	w, err := s.front(ctx)
	if errors.Is(err, errNoWindow) {
		return none, nil
	}
	if err != nil {
		return facts.Part{}, err
	}
	if w.id != 0 && slices.Contains(untold, w.process) && !w.dialog {
		return s.ofPrimary(ctx, w)
	}
	focus, err := s.focused(ctx, w)
	if err != nil && focus.window.None() && ctx.Err() == nil && s.sole(ctx, w) {
		// A terminal that tells nothing over the accessibility bus, such as xterm.
		if text, ok := s.primary(ctx, w); ok && !atspi.Bullets(text) {
			return selected(text), nil
		}
	}
	if err != nil {
		return facts.Part{}, err
	}
	if focus.node.None() && w.behind {
		return facts.Part{}, errBehind
	}
	if focus.node.None() {
		return none, unsaid(w, focus.role)
	}
	if focus.role == atspi.RolePasswordText {
		return none, nil
	}
	if focus.role == atspi.RoleTerminal {
		return s.ofTerminal(ctx, w, focus)
	}
	text, nested, err := focus.window.Selected(ctx, focus.node)
	if err != nil {
		return facts.Part{}, atspi.Unanswered(ctx, err)
	}
	// Of a page the program itself knows best where lines end. Whether that is
	// this very selection, only the accessibility bus can tell: Chromium shows
	// passwords there, and what was selected in another tab or window.
	if nested && text != "" {
		if shown, ok := s.primary(ctx, w); ok && sameWords(shown, text) {
			text = shown
		}
	}
	if text == "" {
		if err := unsaid(w, focus.role); err != nil {
			return facts.Part{}, err
		}
	}
	return selected(text), nil
}

// unsaid is why a program that tells of no selected text may have some nevertheless; nil:
// it has none.
func unsaid(w window, role uint32) error {
	switch {
	case w.isOtherBrowser() && !atspi.IsText(role):
		return facts.Unavailable("the browser in front does not tell what is selected in its page", "copy it instead, or open the page in Firefox or Chromium")
	case w.process == "soffice" && strings.Contains(strings.ToLower(w.class), "calc") && !atspi.IsText(role):
		return facts.Unavailable("cells are selected, of which the program in front tells no text", "copy them instead")
	}
	return nil
}

// focused is the element of a window that has the keyboard. With an error, its
// window tells whether the window was found at all.
func (s selectionReader) focused(ctx context.Context, w window) (keptFocus, error) {
	warm := s.warm.Load()
	if kept, ok := warm.focusOf(ctx, w); ok {
		return kept, nil
	}
	since := warm.shape()
	shown, err := s.accessible(ctx, w)
	if err != nil {
		return keptFocus{}, err
	}
	n, role, err := shown.Focus(ctx)
	if err != nil {
		return keptFocus{window: shown}, atspi.Unanswered(ctx, err)
	}
	warm.keepFocus(since, w, shown, n, role)
	return keptFocus{window: shown, node: n, role: role}, nil
}

// sole tells whether the primary selection of a program that is not on the
// accessibility bus can be nobody's but that of this window, and no password:
// the program is a terminal, whose other windows may be private, so that it must
// have no other. Of other programs nobody knows what they put there.
func (s selectionReader) sole(ctx context.Context, w window) bool {
	if w.id == 0 || ctx.Err() != nil || showsPasswords(w) {
		return false
	}
	if len(process.Terminals(w.pid)) == 0 {
		return false
	}
	return s.single(w)
}

// ofTerminal is what is selected in a terminal on the accessibility bus. GNOME's widget tells
// there that something is, and, once lines have scrolled out of it, no longer what: it owns
// the primary selection as long as something is selected in it.
func (s selectionReader) ofTerminal(ctx context.Context, w window, focus keptFocus) (facts.Part, error) {
	some, err := focus.window.HasSelection(ctx, focus.node)
	if err != nil {
		return facts.Part{}, atspi.Unanswered(ctx, err)
	}
	if !some {
		return selected(""), nil
	}
	text, ok := "", false
	if w.id != 0 { // a compositor does not tell whose it is
		text, ok = s.primary(ctx, w)
	}
	if !ok {
		if text, _, err = focus.window.Selected(ctx, focus.node); err != nil {
			return facts.Part{}, atspi.Unanswered(ctx, err)
		}
	}
	if text == "" {
		return facts.Part{}, facts.Unavailable("the terminal in front does not tell the text that is selected in it", "copy it instead")
	}
	return selected(text), nil
}

// untold are programs that never say over the accessibility bus what is selected in them,
// and that put nothing else into the primary selection: they have no fields for passwords.
var untold = []string{"emacs", "konsole", "qterminal", "vim", "yakuake"}

// ofPrimary is the primary selection of a program of which the bus tells none.
func (s selectionReader) ofPrimary(ctx context.Context, w window) (facts.Part, error) {
	if !s.single(w) {
		return facts.Part{}, facts.Unavailable("the program in front does not tell in which of its windows text is selected", "close its other windows")
	}
	text, _ := s.primary(ctx, w)
	if ctx.Err() != nil {
		return facts.Part{}, atspi.Unanswered(ctx, ctx.Err())
	}
	return selected(text), nil
}

// single tells whether a program has one window.
func (s selectionReader) single(w window) bool {
	x, err := s.x11()
	if err != nil {
		return false
	}
	windows, err := x.WindowsOf(w.id)
	return err == nil && len(windows) == 1 && windows[0] == w.id
}

// showsPasswords tells whether a program may be made with Chromium, as Electron
// is: without the accessibility bus nobody knows what is in its selection.
func showsPasswords(w window) bool {
	if browser.IsChromium(strings.ToLower(w.process + " " + w.class + " " + w.instance)) {
		return true
	}
	program, err := os.Readlink("/proc/" + strconv.Itoa(w.pid) + "/exe")
	if err != nil {
		return true // one that cannot be told
	}
	// Its resources lie beside each program that is made with it.
	resources, err := filepath.Glob(filepath.Join(filepath.Dir(program), "*.pak"))
	return err != nil || len(resources) > 0
}

// sameWords compares texts but for spaces, ends of lines and the marks of lists,
// which programs tell in more than one way.
func sameWords(a, b string) bool {
	bare := func(s string) string {
		return strings.Map(func(c rune) rune {
			if unicode.IsSpace(c) || strings.ContainsRune("•◦▪\u200b\ufffc", c) {
				return -1
			}
			return c
		}, s)
	}
	return bare(a) == bare(b)
}

// primary is the primary selection. On X it is told only if it belongs to the
// program of the window in front: it stays where it was made when the user goes
// on to another. Which window or element of the program it is of must be known
// otherwise; a Wayland compositor does not even tell the program.
func (s selectionReader) primary(ctx context.Context, w window) (string, bool) {
	var source clipboard.Source
	if w.id == 0 {
		control, err := wayland.Open(ctx, s.waylandSocket())
		if err != nil {
			return "", false
		}
		source = control
	} else {
		e, err := s.exchange(ctx)
		if err != nil {
			return "", false
		}
		owner, err := e.Owner(clipboard.Primary)
		if err != nil || owner == 0 || !e.SameProgram(owner, w.id) {
			e.Close()
			return "", false
		}
		source = e
	}
	defer source.Close()
	targets, err := source.Targets(ctx, clipboard.Primary)
	if err != nil {
		return "", false
	}
	target := clipboard.TextTarget(targets)
	if target == "" || clipboard.Secret(targets) {
		return "", false
	}
	data, err := source.Read(ctx, clipboard.Primary, target)
	if err != nil || len(data) == 0 {
		return "", false
	}
	return clipboard.DecodeText(target, data), true
}
