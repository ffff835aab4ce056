package cli_test

import (
	"path/filepath"
	"testing"

	"github.com/pertain-dev/pertain/internal/modeltest"
)

// TestAskOnATerminal: nothing is sent before the user has said yes, and the picker offers
// to ask only after that.
func TestAskOnATerminal(t *testing.T) {
	model := modeltest.Start(func(*modeltest.Request) modeltest.Answer { return modeltest.Answer{Text: "It is fine."} })
	defer model.Close()
	home := t.TempDir()
	writeFile(t, filepath.Join(home, ".config/pertain/config.yaml"), "ask: {upstream: ollama, url: \""+model.URL+"\", model: m}\n")
	strategy := filepath.Join(home, ".config/pertain/strategies/x.strategy.md")
	writeFile(t, strategy, "---\nname: Explain\nwhen: {clipboard.text: {contains: x}}\n---\nSay {clipboard.text}.\n")
	now := filepath.Join(home, "now.json")
	writeFile(t, now, `{"clipboard": {"text": "x"}}`)

	pick := []string{"pick", "--no-builtin", "--context", now}
	p := startProgram(t, 120, 24, home, nil, pick...)
	p.see("Say x.", "enter print", "!^s ask")
	p.keys("\x13") // ctrl+s
	p.keys("\x03")
	p.ends(130, "")

	call := []string{"ask", "user.x", "--context", now}
	p = startProgram(t, 120, 24, home, nil, call...)
	p.see("Nothing was sent to ollama at 127.0.0.1", "- Reads clipboard text", "6 characters in all", "Send it, and remember that for user.x? [y/N]")
	p.keys("n\n")
	p.ends(1, "")
	p.see("nothing was sent")
	if len(model.Requests()) > 0 {
		t.Error("something was sent")
	}
	p = startProgram(t, 120, 24, home, nil, call...)
	p.see("[y/N]")
	p.keys("y\n")
	p.ends(0, "It is fine.\n")
	p = startProgram(t, 120, 24, home, nil, call...)
	p.ends(0, "It is fine.\n")

	p = startProgram(t, 120, 24, home, nil, pick...)
	p.see("Say x.", "enter print · ^s ask ·")
	p.keys("\x13")
	p.ends(0, "It is fine.\n")

	writeFile(t, strategy, "---\nname: Explain\nwhen: {clipboard.text: {contains: x}}\n---\nSay {clipboard.text}{extra.browser.active_tab.url}.\n")
	p = startProgram(t, 120, 24, home, nil, call...)
	p.see("user.x reads more than you have agreed to send to ollama", "- Reads the browser's active tab")
	p.keys("\n")
	p.ends(1, "")
}
