package cli_test

import (
	"fmt"
	"html"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// recordingFile is the recording that the README shows.
const recordingFile = "../../docs/pick.svg"

// TestPickRecording drives the real program on a pseudo-terminal and writes what
// is seen as an animated picture. It does so only when UPDATE_RECORDING is set:
//
//	UPDATE_RECORDING=1 go test ./internal/cli -run TestPickRecording
func TestPickRecording(t *testing.T) {
	if os.Getenv("UPDATE_RECORDING") == "" {
		t.Skip("UPDATE_RECORDING is not set")
	}
	situation := filepath.Join(t.TempDir(), "situation.json")
	if err := os.WriteFile(situation, []byte(`{"environment": {"locale": "de-DE"}, "attachments": {"selection": {"text":
		"panic: runtime error: index out of range [3] with length 3\n\ngoroutine 1 [running]:\nmain.main()\n\t/tmp/sandbox/prog.go:9 +0x1d"}}}`), 0o644); err != nil {
		t.Fatal(err)
	}
	p := startProgram(t, 80, 30, t.TempDir(), nil, "pick", "--context", situation)
	p.see("> ✱ Explain this error", "index out of range")
	frames := []string{p.frame()}
	take := func(keys string, texts ...string) {
		p.keys(keys)
		p.see(texts...)
		frames = append(frames, p.frame())
	}
	take("\x18", "✓ attachments.selection.text")
	take("\x18", "index out of range")
	take("rew", "Filter: rew", "> ✎ Rewrite", "index out of range")
	take("\t", "tab list")
	take("shorter, ", "Input:  shorter,", "│ shorter,")
	take("and without jargon", "│ shorter, and without jargon")
	p.keys("\r")
	if code := <-p.exit; code != 0 {
		t.Fatalf("exit %d", code)
	}
	frames = append(frames, printed("$ pertain pick | llm", p.stdout.String()))
	if err := os.WriteFile(recordingFile, []byte(animate(frames, 80, 30)), 0o644); err != nil {
		t.Fatal(err)
	}
}

// frame is the screen as lines of SVG text.
func (p *terminal) frame() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var b strings.Builder
	for y, line := range p.screen.cells {
		fmt.Fprintf(&b, `<text y="%d">`, y*18+18)
		for x := 0; x < len(line); {
			style, end := p.screen.styles[[2]int{y, x}], x
			for end < len(line) && p.screen.styles[[2]int{y, end}] == style {
				end++
			}
			text := html.EscapeString(string(line[x:end]))
			if style == "" {
				b.WriteString(text)
			} else {
				b.WriteString(`<tspan class="` + strings.Join(strings.Split(style, ""), " ") + `">` + text + `</tspan>`)
			}
			x = end
		}
		b.WriteString("</text>\n")
	}
	return b.String()
}

// printed is a frame of what went to standard output.
func printed(command, text string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<text y="18"><tspan class="b">%s</tspan></text>`+"\n", html.EscapeString(command))
	y := 36
	for line := range strings.Lines(text) {
		for line = strings.TrimSuffix(line, "\n"); ; {
			cut := min(len(line), 80)
			if at := strings.LastIndexByte(line[:cut], ' '); len(line) > 80 && at > 0 {
				cut = at + 1
			}
			fmt.Fprintf(&b, `<text y="%d">%s</text>`+"\n", y, html.EscapeString(strings.ReplaceAll(line[:cut], "\t", "    ")))
			y += 18
			if line = line[cut:]; line == "" {
				break
			}
		}
	}
	return b.String()
}

// animate shows one frame after the other.
func animate(frames []string, columns, rows int) string {
	const seconds = 2.2
	width, height := columns*8+32, rows*18+28
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img" aria-label="pertain pick in a terminal">
<style>
text { font: 13.3px/18px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: #d8dee9; white-space: pre }
.b { font-weight: bold } .f { fill: #8a93a5 } .c { fill: #7fd1e0 }
g.frame { visibility: hidden; animation: show %.1fs infinite }
@keyframes show { 0%% { visibility: visible } %.3f%% { visibility: hidden } 100%% { visibility: hidden } }
</style>
<rect width="100%%" height="100%%" rx="8" fill="#20242c"/>
`, width, height, width, height, seconds*float64(len(frames)), 100/float64(len(frames)))
	for i, frame := range frames {
		fmt.Fprintf(&b, "<g class=\"frame\" style=\"animation-delay: %.1fs\" transform=\"translate(16 8)\">\n%s</g>\n", seconds*float64(i), frame)
	}
	b.WriteString("</svg>\n")
	return b.String()
}
