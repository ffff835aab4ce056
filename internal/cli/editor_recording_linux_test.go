package cli_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// editorRecording is the recording of the language server that the README shows.
const editorRecording = "../../docs/editor.svg"

// editorInit is how Neovim is set up for it: from 0.7 on, without plugins.
const editorInit = `
vim.cmd("filetype plugin off")
vim.o.termguicolors = false
vim.o.laststatus = 0
vim.o.ruler = false
vim.o.showmode = false
vim.o.shortmess = "aoOtTIcF"
vim.o.completeopt = "menu,noinsert"
vim.o.pumheight = 8
vim.o.swapfile = false
vim.o.signcolumn = "no"
vim.diagnostic.config({ underline = false, signs = false, update_in_insert = false, virtual_text = { prefix = "■", spacing = 2 } })
vim.api.nvim_create_autocmd("BufReadPost", { pattern = "*.strategy.md", callback = function()
  local id = vim.lsp.start_client({ name = "pertain", cmd = { vim.env.PROGRAM, "lsp" }, root_dir = vim.fn.getcwd() })
  vim.lsp.buf_attach_client(0, id)
  vim.bo.omnifunc = "v:lua.vim.lsp.omnifunc"
  vim.bo.autoindent = true
end })
`

const recordedStrategy = `---
schema: everywhere.strategy/v1
name: Explain this error
when:
  environment.os: {equals: linus}

---
Explain {attachments.selecton.text} in {environment.locale}.
`

// TestEditorRecording drives Neovim with the real program on a pseudo-terminal, and
// writes what is seen as an animated picture. It does so only when UPDATE_RECORDING is
// set: .ci/editors --recording does.
func TestEditorRecording(t *testing.T) {
	if os.Getenv("UPDATE_RECORDING") == "" {
		t.Skip("UPDATE_RECORDING is not set")
	}
	editor, err := exec.LookPath("nvim")
	if err != nil {
		t.Skip("nvim is not installed")
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "pertain")
	if out, err := exec.Command("go", "build", "-o", program, "../../cmd/pertain").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for name, text := range map[string]string{"init.lua": editorInit, "explain.strategy.md": recordedStrategy} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const width, height = 96, 18
	master, slave := openPTY(t, width, height)
	p := &terminal{t: t, master: master, stdout: &bytes.Buffer{}, exit: make(chan int, 1), screen: newScreen(width, height)}
	command := exec.Command(editor, "-n", "-u", "init.lua", "explain.strategy.md")
	command.Dir, command.Stdin, command.Stdout, command.Stderr = dir, slave, slave, slave
	command.Env = []string{"HOME=" + dir, "TERM=xterm-256color", "LANG=C.UTF-8", "PATH=" + os.Getenv("PATH"), "PROGRAM=" + program}
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
		_ = slave.Close()
		_ = master.Close()
	})
	go func() {
		buffer := make([]byte, 4096)
		for {
			n, err := master.Read(buffer)
			p.mu.Lock()
			_, _ = p.screen.Write(buffer[:n])
			p.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	var frames []string
	take := func(keys string, texts ...string) {
		t.Helper()
		p.keys(keys)
		p.see(texts...)
		frames = append(frames, p.frame())
	}
	take("", "can never be `linus`", "nothing fills")
	take("6GS  clip\x18\x0f", "clipboard.text", "clipboard.hasText", "text on the clipboard")
	take("\x19{", "clipboard.text: {")
	take("\x18\x0f", "equals", "startsWith", "regex")
	take("\x05min: 1}\x1b", "can never hold for a string", "!startsWith")
	take(":s/min: 1/length: {min: 1}/\r", "!can never hold")
	take("5G:lua vim.lsp.buf.code_action()\r", "Replace by `linux`")
	take("1\r", "equals: linux", "!can never be")
	take("8G:lua vim.lsp.buf.code_action()\r", "Replace by `{attachments.selection.text}`")
	take("1\r:\r", "selection.text} in", "!nothing fills")
	p.keys(":q!\r")
	picture := strings.Replace(animate(frames, width, height), "pertain pick in a terminal", "strategies in Neovim, with pertain lsp", 1)
	if err := os.WriteFile(editorRecording, []byte(picture), 0o644); err != nil {
		t.Fatal(err)
	}
}
