package program

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// Server is a program that serves until it is ended.
type Server struct {
	URL     string // without a slash at its end
	Token   string // "" if it told none
	command *exec.Cmd
	forks   bool // its children count as well
}

// Start runs a server in its home folder and waits for the line of JSON in which it tells
// where it is. Its environment has these variables beside the usual ones.
func Start(dir string, env []string, argv ...string) (*Server, error) {
	s := &Server{command: Environment{Home: dir, Dir: dir}.command(argv)}
	s.command.Env = append(s.command.Env, env...)
	s.command.Stderr = os.Stderr
	out, err := s.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.command.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(out).ReadBytes('\n')
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s told no address: %w", argv[0], err), s.Stop())
	}
	var told struct{ URL, Token string }
	if err := json.Unmarshal(line, &told); err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	s.URL, s.Token = strings.TrimSuffix(told.URL, "/"), told.Token
	return s, nil
}

// StartForking runs a server that tells nothing and does its work in processes of its own.
func StartForking(url string, argv ...string) (*Server, error) {
	s := &Server{URL: url, forks: true, command: exec.Command(argv[0], argv[1:]...)}
	return s, s.command.Start()
}

// Address is the server's host and port.
func (s *Server) Address() string { return strings.TrimPrefix(s.URL, "http://") }

// Stop ends the server as Ctrl-C does, and says if it did not end well.
func (s *Server) Stop() error {
	_ = s.command.Process.Signal(os.Interrupt)
	late := time.AfterFunc(15*time.Second, func() { _ = s.command.Process.Kill() })
	defer late.Stop()
	if err := s.command.Wait(); err != nil {
		return fmt.Errorf("the server did not end well: %w", err)
	}
	return nil
}

// Kill ends a server that has nothing to finish.
func (s *Server) Kill() error {
	if err := s.command.Process.Kill(); err != nil {
		return err
	}
	_ = s.command.Wait() // it was killed
	return nil
}

// pids are the server's processes.
func (s *Server) pids() []int {
	pid := s.command.Process.Pid
	out := []int{pid}
	if !s.forks {
		return out
	}
	data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid)) // none is none
	for _, field := range strings.Fields(string(data)) {
		if n, err := strconv.Atoi(field); err == nil {
			out = append(out, n)
		}
	}
	return out
}

// tick is the unit of processor times in /proc, which Linux fixes for programs.
const tick = 10 * time.Millisecond

// ProcessorTime is what the server has used so far on all cores.
func (s *Server) ProcessorTime() (total time.Duration, err error) {
	for _, pid := range s.pids() {
		data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			return 0, err
		}
		fields := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
		user, err1 := strconv.Atoi(fields[11])
		system, err2 := strconv.Atoi(fields[12])
		if err := errors.Join(err1, err2); err != nil {
			return 0, err
		}
		total += time.Duration(user+system) * tick
	}
	return total, nil
}

// Resident is the memory that the server holds, in bytes.
func (s *Server) Resident() (total float64, err error) {
	for _, pid := range s.pids() {
		data, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
		if err != nil {
			return 0, err
		}
		pages, err := strconv.Atoi(strings.Fields(string(data))[1])
		if err != nil {
			return 0, err
		}
		total += float64(pages * os.Getpagesize())
	}
	return total, nil
}

// Descriptors is how many files and connections the server has open.
func (s *Server) Descriptors() (int, error) {
	list, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", s.command.Process.Pid))
	return len(list), err
}
