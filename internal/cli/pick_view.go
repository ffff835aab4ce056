package cli

import (
	"fmt"
	"sort"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// icons are signs of one cell for Lucide names; terminals have no Lucide.
var icons = map[string]string{
	"AlignLeft": "≡", "Bug": "✱", "FileText": "▤", "FolderTree": "▸", "GitCommitHorizontal": "⊙", "GitPullRequest": "⊕", "Globe": "◍",
	"GraduationCap": "△", "Image": "▣", "Languages": "¶", "MessageCircleQuestion": "?", "MessageSquareCode": "‹", "PenLine": "✎",
	"Receipt": "▥", "Reply": "↩", "Table": "▦", "TriangleAlert": "▲", "Sparkles": "✦",
}

// Styles tell apart; none of them is needed to understand the screen.
var (
	boldStyle  = lipgloss.NewStyle().Bold(true)
	faintStyle = lipgloss.NewStyle().Faint(true)
	pickStyle  = lipgloss.NewStyle().Bold(true).Foreground(lipgloss.Cyan)
	badStyle   = lipgloss.NewStyle().Foreground(lipgloss.Red)
)

// Widths of the two columns; narrower terminals get one above the other.
const (
	narrow       = 60
	minListWidth = 26
	maxListWidth = 44
	maxPreview   = 20_000 // characters of a prompt that are shown
)

// View draws the whole screen: filter, list and preview, input, keys.
func (p *picker) View() tea.View {
	width, height := max(p.width, 20), max(p.height, 6)
	body := height - 3
	var lines []string
	lines = append(lines, p.filterLine(width))
	if width >= narrow {
		left := min(max(width*2/5, minListWidth), maxListWidth)
		list, right := p.list(left, body), p.previewLines(width-left-3, body)
		bar := faintStyle.Render(p.sign("│", "|"))
		for i := range body {
			lines = append(lines, fit(lineAt(list, i), left)+" "+bar+" "+lineAt(right, i))
		}
	} else {
		above := min(2*len(p.shown), body/2)
		list, below := p.list(width, above), p.previewLines(width, body-above-1)
		for i := range above {
			lines = append(lines, lineAt(list, i))
		}
		lines = append(lines, faintStyle.Render(strings.Repeat(p.sign("─", "-"), width)))
		for i := range body - above - 1 {
			lines = append(lines, lineAt(below, i))
		}
	}
	lines = append(lines, p.inputLine(width), p.keyLine(width))
	for i := range lines {
		lines[i] = ansi.Truncate(lines[i], width, "")
	}
	view := tea.NewView(strings.Join(lines, "\n"))
	view.AltScreen = true
	view.Cursor = p.cursorPosition(width, height)
	return view
}

const (
	filterLabel = "Filter: "
	inputLabel  = "Input:  "
)

func (p *picker) filterLine(width int) string {
	count := fmt.Sprintf("%d of %d", len(p.shown), len(p.desk.items))
	text := filterLabel + p.visiblePart(&p.filter, width-len(filterLabel)-len(count)-2)
	return fit(text, width-len(count)-1) + " " + faintStyle.Render(count)
}

func (p *picker) inputLine(width int) string {
	return inputLabel + p.visiblePart(&p.input, width-len(inputLabel)-1)
}

// visiblePart is the end of a line up to the cursor, and what fits after it.
func (p *picker) visiblePart(l *textLine, width int) string {
	from, to := l.near(width)
	from += sort.Search(l.at-from, func(i int) bool { return ansi.StringWidth(string(l.text[from+i:l.at])) <= width })
	return ansi.Truncate(string(l.text[from:to]), max(width, 0), "")
}

// cursorPosition is where the terminal's cursor stands while a line is edited.
func (p *picker) cursorPosition(width, height int) *tea.Cursor {
	line, y, space := &p.filter, 0, width-len(filterLabel)-10
	switch p.focus {
	case onList:
		return nil
	case onInput:
		line, y, space = &p.input, height-2, width-len(inputLabel)-1
	}
	from, _ := line.near(width)
	return tea.NewCursor(len(filterLabel)+min(ansi.StringWidth(string(line.text[from:line.at])), space), y)
}

func (p *picker) keyLine(width int) string {
	keys := "enter print · ^y copy · ^x explain · tab input · type to filter · esc leave"
	switch p.focus {
	case onFilter:
		keys = "enter print · ↑↓ choose · ^y copy · ^x explain · tab input · esc clear"
	case onInput:
		keys = "enter print · ↑↓ choose · tab list · esc back"
	}
	if p.desk.asks {
		keys = strings.Replace(keys, " · ", " · ^s ask · ", 1)
	}
	if why := p.refusal(); why != "" {
		return badStyle.Render(ansi.Truncate("no prompt: "+why, width, p.sign("…", "...")))
	}
	if !p.unicode {
		keys = strings.NewReplacer("·", "|", "↑↓", "up/down").Replace(keys)
	}
	return faintStyle.Render(ansi.Truncate(keys, width, p.sign("…", "...")))
}

// refusal is why what was asked for cannot be printed.
func (p *picker) refusal() string {
	switch {
	case !p.refused || p.ready == nil:
		return ""
	case p.ready.err != nil:
		return oneLine(printable(p.ready.err.Error()))
	}
	return oneLine(printable(p.ready.execution.Reason))
}

// list draws two lines for each item, so that the selected one is in view.
func (p *picker) list(width, height int) []string {
	if len(p.shown) == 0 {
		return []string{faintStyle.Render("nothing fits the filter")}
	}
	space := max(height/2, 1)
	from := max(0, min(p.cursor-space/2, len(p.shown)-space))
	var lines []string
	for i := from; i < min(from+space, len(p.shown)); i++ {
		item := p.desk.items[p.shown[i]]
		icon := icons[item.Strategy.Icon]
		if icon == "" || !p.unicode {
			icon = p.sign("•", "*")
		}
		name := ansi.Truncate(oneLine(printable(item.Shown())), width-4, p.sign("…", "..."))
		reason := ansi.Truncate(oneLine(printable(item.reason)), width-4, p.sign("…", "..."))
		if i == p.cursor {
			lines = append(lines, pickStyle.Render("> "+icon+" "+name), "    "+faintStyle.Render(reason))
		} else {
			lines = append(lines, "  "+icon+" "+name, "    "+faintStyle.Render(reason))
		}
	}
	return lines
}

// previewLines is what the selected strategy reads and would send, from where
// it is scrolled to.
func (p *picker) previewLines(width, height int) []string {
	var lines []string
	for _, part := range strings.Split(p.previewText(), "\n") {
		style := lipgloss.NewStyle()
		switch {
		case strings.HasPrefix(part, "\x00b"):
			style, part = boldStyle, part[2:]
		case strings.HasPrefix(part, "\x00f"):
			style, part = faintStyle, part[2:]
		case strings.HasPrefix(part, "\x00!"):
			style, part = badStyle, part[2:]
		}
		for line := range strings.SplitSeq(ansi.Wrap(strings.ReplaceAll(part, "\t", "    "), max(width, 1), ""), "\n") {
			lines = append(lines, style.Render(line))
		}
	}
	p.scroll = max(min(p.scroll, len(lines)-height), 0)
	if rest := len(lines) - p.scroll - height; rest > 0 && height > 1 {
		more := fmt.Sprintf("%s %s, pgdn", p.sign("…", "..."), plural(rest+1, "more line"))
		return append(lines[p.scroll:p.scroll+height-1:p.scroll+height-1], faintStyle.Render(more))
	}
	return lines[p.scroll:]
}

// previewText is the preview; a line's style stands before it (\x00b bold,
// \x00f faint, \x00! bad), which no printable text can hold.
func (p *picker) previewText() string {
	item, ok := p.selected()
	if !ok {
		return ""
	}
	var b strings.Builder
	b.WriteString("\x00b" + oneLine(printable(item.Shown())) + "\n\x00f" + item.Strategy.ID + "\n")
	if item.Strategy.Description != "" {
		b.WriteString(oneLine(printable(item.Strategy.Description)) + "\n")
	}
	b.WriteByte('\n')
	if p.explain {
		b.WriteString(printable(p.desk.explain(item)))
		return strings.TrimSuffix(b.String(), "\n")
	}
	for _, sentence := range item.Permissions {
		b.WriteString("\x00f" + p.sign("·", "-") + " " + oneLine(printable(sentence)) + "\n")
	}
	if len(item.Permissions) > 0 {
		b.WriteByte('\n')
	}
	b.WriteString(p.promptText(item))
	return b.String()
}

func (p *picker) promptText(item pickItem) string {
	seen := p.latest // while typing, the one before stays on the screen
	switch {
	case seen == nil || seen.execution.Strategy != item.Strategy:
		return "\x00f" + p.sign("…", "...")
	case seen.err != nil:
		return "\x00!no prompt: " + oneLine(printable(seen.err.Error()))
	case seen.execution.Plan == nil:
		return "\x00!no prompt: " + oneLine(printable(seen.execution.Reason))
	}
	plan := seen.execution.Plan
	text := ""
	for _, d := range plan.Diagnostics {
		text += "\x00f" + oneLine(printable(d.Sentence())) + "\n"
	}
	if plan.SystemPrompt != "" {
		text += "\x00bSystem prompt\n" + printable(plan.SystemPrompt) + "\n\n\x00bPrompt\n"
	}
	text += printable(plan.Prompt)
	if runes := []rune(text); len(runes) > maxPreview {
		text = string(runes[:maxPreview]) + fmt.Sprintf("\n\x00f(%d more characters)", len(runes)-maxPreview)
	}
	return text
}

// sign is a character, or its form for terminals that have ASCII alone.
func (p *picker) sign(unicode, ascii string) string {
	if p.unicode {
		return unicode
	}
	return ascii
}

// fit cuts or fills a line to a width.
func fit(line string, width int) string {
	line = ansi.Truncate(line, max(width, 0), "")
	return line + strings.Repeat(" ", max(width-ansi.StringWidth(line), 0))
}

func lineAt(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}
