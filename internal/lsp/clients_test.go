package lsp_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// edited is the strategy that editors work on: two mistakes, one of them after a
// character that counts differently in every encoding.
const edited = `---
name: A
schema: everywhere.strategy/v1
id: x.old
from: ./base.md
when:
  environment.os: {equals: linus}
---
Ä 😀 {Argumnt}
`

// TestRealEditors drives the program with Neovim, with Emacs and with Microsoft's library
// of the protocol. They are not everybody's, so it runs only when asked for: .ci/editors
// does.
func TestRealEditors(t *testing.T) {
	if os.Getenv("PERTAIN_CLIENTS") == "" {
		t.Skip("set PERTAIN_CLIENTS=1 to run the editors that are installed, and a client from npm's registry")
	}
	program := filepath.Join(t.TempDir(), "pertain")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	run(t, filepath.Join("..", ".."), "go", "build", "-o", program, "./cmd/pertain")
	scripts, err := filepath.Abs(filepath.Join("testdata", "clients"))
	if err != nil {
		t.Fatal(err)
	}
	t.Run("protocol", func(t *testing.T) {
		need(t, "node", "npm")
		tools := t.TempDir()
		if err := os.CopyFS(tools, os.DirFS(scripts)); err != nil {
			t.Fatal(err)
		}
		run(t, tools, "npm", "install", "--silent", "--no-audit", "--no-fund")
		t.Log(run(t, tools, "node", "protocol.mjs", editedWorld(t), program))
	})
	t.Run("neovim", func(t *testing.T) {
		need(t, "nvim")
		dir := editedWorld(t)
		t.Setenv("FOLDER", dir)
		t.Setenv("PROGRAM", program)
		t.Log(run(t, dir, "nvim", "--headless", "-n", "-u", "NONE", "-S", filepath.Join(scripts, "neovim.lua")))
	})
	t.Run("emacs", func(t *testing.T) {
		need(t, "emacs", "git")
		dir := editedWorld(t)
		t.Log(run(t, dir, "emacs", "--batch", "-q", "-l", filepath.Join(scripts, "emacs.el"), dir, program))
	})
}

// need skips where a program is not installed.
func need(t *testing.T, programs ...string) {
	t.Helper()
	for _, name := range programs {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("%s is not installed", name)
		}
	}
}

func editedWorld(t *testing.T) string {
	t.Helper()
	return world(t, map[string]string{
		".pertain/strategies/a.strategy.md":     edited,
		".pertain/strategies/base.md":           "Text.\n",
		".pertain/strategies/here.context.json": `{"environment": {"os": "macos"}}`,
	})
}

// notInstalled is how a script ends that misses something.
const notInstalled = 77

// run runs a program with a home of its own.
func run(t *testing.T, dir string, name string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, name, args...)
	command.Dir = dir
	command.Env = os.Environ()
	if name != "go" && name != "npm" {
		command.Env = append(command.Env, "HOME="+t.TempDir(), "XDG_CONFIG_HOME="+t.TempDir(), "XDG_STATE_HOME="+t.TempDir(), "XDG_DATA_HOME="+t.TempDir(), "XDG_CACHE_HOME="+t.TempDir())
	}
	var out bytes.Buffer
	command.Stdout, command.Stderr = &out, &out
	if err := command.Run(); err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) && exit.ExitCode() == notInstalled {
			t.Skip(out.String())
		}
		t.Fatalf("%s %v: %v\n%s", name, args, err, out.String())
	}
	return out.String()
}
