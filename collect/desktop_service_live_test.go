//go:build desktop && linux

package collect_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestLiveService measures commands that ask the service beside the same commands
// without it, from the start of the process to its end. bench/run service runs it.
func TestLiveService(t *testing.T) {
	path := os.Getenv("PERTAIN_LIVE_RESULTS")
	if path == "" {
		t.Skip("bench/run service measures the service")
	}
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	samples, err := strconv.Atoi(os.Getenv("PERTAIN_LIVE_SAMPLES"))
	if err != nil || samples < 1 {
		samples = 15
	}
	l := &live{session: newSession(t), out: json.NewEncoder(file), samples: samples}
	l.project = filepath.Join(l.home, "My Projects")
	for name, text := range map[string]string{"a.txt": "hello\n", "b.pdf": "%PDF\n", "c d.md": "# x\n", "sub/x": ""} {
		write(t, filepath.Join(l.project, name), text)
	}
	notes := filepath.Join(l.home, "notes.txt")
	write(t, notes, "first line\nTODO: second line\n")
	// A menu that is left as soon as it is started: what is measured then ends with its start.
	menus := filepath.Join(l.home, "menus")
	write(t, filepath.Join(menus, "dmenu"), "#!/bin/false\n")
	if err := os.Chmod(filepath.Join(menus, "dmenu"), 0o700); err != nil {
		t.Fatal(err)
	}
	l.env = append(l.env, "PATH="+menus+":"+l.lookup("PATH"))
	service := l.startService()
	a := l.openEditor(notes)
	l.selectAll(notes)
	l.beside("mousepad")
	l.idles(service)
	a.end()
	if !l.missing("nemo") {
		a := l.start("nemo", l.project)
		l.selects(l.project, "sub,a.txt", func() { l.keys("Home", "shift+Right") })
		l.beside("nemo")
		a.end()
	}
	if !l.missing("chromium") {
		first, _ := l.pages()
		a := l.chromium(first)
		l.until("the page", func() bool { return l.look("extra.browser").text("extra", "browser", "active_tab", "url") == first })
		l.beside("chromium")
		a.end()
	}
}

// beside measures commands with the service and without it.
func (l *live) beside(program string) {
	l.t.Helper()
	alone := *l.session
	alone.env = slices.DeleteFunc(slices.Clone(l.env), func(entry string) bool { return strings.HasPrefix(entry, "XDG_RUNTIME_DIR=") })
	always := l.always()
	for _, command := range []struct {
		name string
		args []string
	}{
		{"pick --menu", []string{"pick", "--menu", "dmenu", "--strategies", always}},
		{"match", []string{"match", "--json"}},
		{"context", []string{"context", "--json"}},
	} {
		r := liveResult{Program: program, Need: command.name}
		var cold, warm []float64
		for range l.samples {
			cold = append(cold, alone.lasts(command.args))
			before := l.answered()
			took := l.lasts(command.args)
			if l.answered() > before {
				warm = append(warm, took)
			}
		}
		if len(warm) == 0 {
			l.t.Fatalf("%s: the service never answered in time", command.name)
		}
		r.ColdMs, r.WarmMs = median(cold), median(warm)
		r.Note = fmt.Sprintf("%s %s: the slowest of %d warm ones took %.1f ms", program, command.name, len(warm), slices.Max(warm))
		l.emit(r)
	}
}

// lasts runs a command, and tells how many milliseconds it took.
func (s *session) lasts(args []string) float64 {
	s.t.Helper()
	cmd := s.command(s.program, args...)
	began := time.Now()
	err := cmd.Run()
	took := float64(time.Since(began).Microseconds()) / 1000
	if left := (*exec.ExitError)(nil); err != nil && (!errors.As(err, &left) || left.ExitCode() != 130) {
		s.t.Fatalf("%v: %v", args, err)
	}
	return took
}

// idles measures what the service uses while nothing happens.
func (l *live) idles(service *app) {
	l.t.Helper()
	const watched = 20 * time.Second
	heard := l.busMessages(service.cmd.Process.Pid)
	time.Sleep(6 * time.Second) // memory is given back after five
	for len(heard) > 0 {
		<-heard
	}
	before := l.used()
	time.Sleep(watched)
	used := l.used() - before
	var status struct {
		Memory int `json:"memory"`
	}
	if err := json.Unmarshal([]byte(l.pertain("service", "status", "--json")), &status); err != nil {
		l.t.Fatal(err)
	}
	l.emit(liveResult{Note: fmt.Sprintf("idle for %v: %.3f %% of a core, %.1f MB resident, %d messages on the accessibility bus",
		watched, 100*used.Seconds()/watched.Seconds(), float64(status.Memory)/1e6, len(heard))})
}
