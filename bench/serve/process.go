package serve

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// process is a server that runs as a program of its own.
type process struct {
	command *exec.Cmd
	address string // host and port
	token   string
}

// build makes the program as users get it.
func build(dir string) (program string, err error) {
	program = filepath.Join(dir, "pertain")
	command := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-o", program, "./cmd/pertain")
	command.Dir = ".."
	if out, err := command.CombinedOutput(); err != nil {
		return "", fmt.Errorf("the program does not build: %w\n%s", err, out)
	}
	return program, nil
}

// start runs a server and waits for the line in which it tells where it is.
func start(dir string, env []string, program string, args ...string) (*process, error) {
	p := &process{command: exec.Command(program, args...)}
	p.command.Dir, p.command.Stderr = dir, os.Stderr
	p.command.Env = append([]string{"HOME=" + dir, "PATH=" + os.Getenv("PATH")}, env...)
	out, err := p.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.command.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(out).ReadBytes('\n')
	if err != nil {
		return nil, errors.Join(fmt.Errorf("the server told no address: %w", err), p.stop())
	}
	var told struct{ URL, Token string }
	if err := json.Unmarshal(line, &told); err != nil {
		return nil, errors.Join(err, p.stop())
	}
	p.address, p.token = strings.TrimSuffix(strings.TrimPrefix(told.URL, "http://"), "/"), told.Token
	return p, nil
}

// stop ends the server as Ctrl-C does.
func (p *process) stop() error {
	_ = p.command.Process.Signal(os.Interrupt)
	late := time.AfterFunc(15*time.Second, func() { _ = p.command.Process.Kill() })
	defer late.Stop()
	if err := p.command.Wait(); err != nil {
		return fmt.Errorf("the server did not end well: %w", err)
	}
	return nil
}

// end ends a server that has nothing to finish.
func (p *process) end() error {
	if err := p.command.Process.Kill(); err != nil {
		return err
	}
	_ = p.command.Wait() // it was killed
	return nil
}

// tick is the unit of processor times in /proc, which Linux fixes for programs.
const tick = 10 * time.Millisecond

// processorTime is what the server has used so far on all cores.
func (p *process) processorTime() (time.Duration, error) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.command.Process.Pid))
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
	user, err1 := strconv.Atoi(fields[11])
	system, err2 := strconv.Atoi(fields[12])
	return time.Duration(user+system) * tick, errors.Join(err1, err2)
}

// resident is the memory that the server holds, in bytes.
func (p *process) resident() (float64, error) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", p.command.Process.Pid))
	if err != nil {
		return 0, err
	}
	pages, err := strconv.Atoi(strings.Fields(string(data))[1])
	return float64(pages * os.Getpagesize()), err
}

// descriptors is how many files and connections the server has open.
func (p *process) descriptors() (int, error) {
	list, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", p.command.Process.Pid))
	return len(list), err
}

// metric reads one value of /metrics.
func (p *process) metric(name string) (float64, error) {
	r, err := http.NewRequest(http.MethodGet, "http://"+p.address+"/metrics", http.NoBody)
	if err != nil {
		return 0, err
	}
	r.Header.Set("Authorization", "Bearer "+p.token)
	r.Close = true
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, err
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		if value, ok := strings.CutPrefix(line, name+" "); ok {
			return strconv.ParseFloat(strings.TrimSpace(value), 64)
		}
	}
	return 0, fmt.Errorf("there is no metric %s", name)
}
