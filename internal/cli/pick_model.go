package cli

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/pertain-dev/pertain"
)

// focus is where keys go.
type focus uint8

const (
	onList focus = iota
	onFilter
	onInput
)

// picker is the state of the list on the terminal.
type picker struct {
	ctx     context.Context
	desk    *pickDesk
	unicode bool

	width, height int
	focus         focus
	filter, input textLine
	shown         []int // indexes of the items that the filter lets through
	cursor        int   // among shown
	scroll        int   // of the preview, in lines
	explain       bool  // the preview shows the condition instead

	request int                // number of the preview that is wanted now
	stop    context.CancelFunc // ends the preview that is being made
	ready   *preview           // of what is selected; nil: not yet
	latest  *preview           // the last that was ready, shown until there is a newer one of the same strategy
	wish    wish               // what to do when the preview is ready

	refused bool // what was asked for has no prompt, and the last line says why
	chosen  choice
}

// preview is the plan of what is selected, or why there is none.
type preview struct {
	request   int
	execution pertain.Execution
	err       error
}

// previewDue says that nothing was typed for a moment.
type previewDue int

// wish is what the user asked for.
type wish uint8

const (
	noWish wish = iota
	wishPrint
	wishCopy
	wishAsk
)

// pause is how long typing must rest before a preview is made.
const pause = 60 * time.Millisecond

func newPicker(ctx context.Context, desk *pickDesk, input string, unicode bool) *picker {
	p := &picker{ctx: ctx, desk: desk, unicode: unicode, width: 80, height: 24, shown: filtered(desk.items, ""), stop: func() {}}
	p.input.set(input)
	return p
}

// Init asks for the first preview.
func (p *picker) Init() tea.Cmd { return p.refresh(0) }

// refresh makes the preview of what is selected after a delay.
func (p *picker) refresh(delay time.Duration) tea.Cmd {
	p.request++
	p.stop()
	p.ready = nil
	request := p.request
	return tea.Tick(delay, func(time.Time) tea.Msg { return previewDue(request) })
}

func (p *picker) makePreview() tea.Cmd {
	item, ok := p.selected()
	if !ok {
		return nil
	}
	ctx, stop := context.WithCancel(p.ctx)
	p.stop = stop
	request, input := p.request, p.input.String()
	return func() tea.Msg {
		defer stop()
		x, err := p.desk.plan(ctx, item.Strategy.ID, input)
		x.Strategy = item.Strategy
		return preview{request, x, err}
	}
}

func (p *picker) selected() (pickItem, bool) {
	if p.cursor >= len(p.shown) {
		return pickItem{}, false
	}
	return p.desk.items[p.shown[p.cursor]], true
}

// Update is the answer to keys and previews.
func (p *picker) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		p.width, p.height = msg.Width, msg.Height
	case previewDue:
		if int(msg) == p.request {
			return p, p.makePreview()
		}
	case preview:
		if msg.request == p.request {
			p.ready, p.latest = &msg, &msg
			return p, p.fulfil()
		}
	case tea.PasteMsg:
		if p.focus == onInput {
			p.input.insert(msg.Content)
			return p, p.refresh(pause)
		}
		p.focus = onFilter
		p.filter.insert(msg.Content)
		return p, p.applyFilter()
	case tea.KeyPressMsg:
		return p, p.key(msg)
	}
	return p, nil
}

func (p *picker) key(k tea.KeyPressMsg) tea.Cmd {
	p.wish, p.refused = noWish, false
	switch k.String() {
	case "ctrl+c":
		return p.leave()
	case "enter":
		return p.wantPlan(wishPrint)
	case "ctrl+y":
		return p.wantPlan(wishCopy)
	case "ctrl+s":
		if !p.desk.asks {
			return nil
		}
		return p.wantPlan(wishAsk)
	case "ctrl+x":
		p.explain, p.scroll = !p.explain, 0
		return nil
	case "up", "ctrl+p":
		return p.move(-1)
	case "down", "ctrl+n":
		return p.move(1)
	case "pgup", "shift+up":
		p.scroll = max(p.scroll-p.page(), 0)
		return nil
	case "pgdown", "shift+down":
		p.scroll += p.page() // the view knows where the end is
		return nil
	case "tab":
		p.focus = map[focus]focus{onList: onInput, onFilter: onInput, onInput: onList}[p.focus]
		return nil
	}
	switch p.focus {
	case onFilter:
		return p.filterKey(k)
	case onInput:
		return p.inputKey(k)
	}
	return p.listKey(k)
}

func (p *picker) filterKey(k tea.KeyPressMsg) tea.Cmd {
	if k.String() == "esc" {
		p.filter.set("")
		p.focus = onList
		return p.applyFilter()
	}
	if !p.filter.key(k) {
		return nil
	}
	return p.applyFilter()
}

func (p *picker) inputKey(k tea.KeyPressMsg) tea.Cmd {
	if k.String() == "esc" {
		p.focus = onList
		return nil
	}
	before := p.input.String()
	if !p.input.key(k) || p.input.String() == before {
		return nil
	}
	return p.refresh(pause)
}

// listKey is for keys while nothing is being typed: every letter begins a filter,
// as in any menu.
func (p *picker) listKey(k tea.KeyPressMsg) tea.Cmd {
	switch k.String() {
	case "esc":
		if p.explain {
			p.explain, p.scroll = false, 0
			return nil
		}
		if p.filter.String() != "" {
			p.filter.set("")
			return p.applyFilter()
		}
		return p.leave()
	case "home":
		return p.move(-len(p.shown))
	case "end":
		return p.move(len(p.shown))
	case "backspace":
		p.focus = onFilter
		return p.filterKey(k)
	}
	if strings.TrimSpace(k.Text) == "" {
		return nil
	}
	p.focus = onFilter
	return p.filterKey(k)
}

func (p *picker) applyFilter() tea.Cmd {
	p.shown, p.cursor, p.scroll = filtered(p.desk.items, p.filter.String()), 0, 0
	return p.refresh(pause)
}

func (p *picker) move(by int) tea.Cmd {
	to := max(min(p.cursor+by, len(p.shown)-1), 0)
	if to == p.cursor {
		return nil
	}
	p.cursor, p.scroll = to, 0
	return p.refresh(pause)
}

// wantPlan leaves with the plan, as soon as it is there.
func (p *picker) wantPlan(w wish) tea.Cmd {
	if len(p.shown) == 0 {
		return nil
	}
	p.wish = w
	if p.ready == nil {
		return p.refresh(0)
	}
	return p.fulfil()
}

// fulfil does what was asked for; without a prompt the reason stays on the
// screen.
func (p *picker) fulfil() tea.Cmd {
	if p.wish == noWish {
		return nil
	}
	if p.ready.execution.Plan == nil {
		p.wish, p.explain, p.scroll, p.refused = noWish, false, 0, true
		return nil
	}
	p.chosen = choice{plan: p.ready.execution.Plan, wish: p.wish}
	return tea.Quit
}

func (p *picker) leave() tea.Cmd {
	p.stop()
	return tea.Quit
}

// page is how far one key scrolls the preview.
func (p *picker) page() int { return max(p.height-5, 1) }
