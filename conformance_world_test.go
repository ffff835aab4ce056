package pertain_test

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
)

// userStrategies is the folder of the user's strategies in a world.
const userStrategies = "home/.config/pertain/strategies/"

// invocation is one call of the program under test.
type invocation struct {
	args  []string
	stdin string
	env   map[string]string
	dir   string
}

// outcome is what a call answered.
type outcome struct {
	args           []string
	exit           int
	stdout, stderr string
}

// program is the program under test; an error means that it could not be called.
type program func(ctx context.Context, in invocation) (outcome, error)

func (o outcome) String() string {
	return fmt.Sprintf("pertain %q\nexit %d\nstdout:\n%s\nstderr:\n%s", o.args, o.exit, clip(o.stdout), clip(o.stderr))
}

// clip keeps the report of a failure readable.
func clip(s string) string {
	const most = 6000
	if len(s) > most {
		return s[:most] + fmt.Sprintf("… (%d bytes)", len(s))
	}
	return s
}

// external runs a binary in a process of its own.
func external(binary string) program {
	return func(ctx context.Context, in invocation) (outcome, error) {
		var stdout, stderr strings.Builder
		cmd := exec.CommandContext(ctx, binary, in.args...)
		cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = in.dir, strings.NewReader(in.stdin), &stdout, &stderr
		for _, name := range []string{"PATH", "SYSTEMROOT", "TMPDIR", "TEMP", "LANG", "TZ"} {
			if value, ok := os.LookupEnv(name); ok {
				cmd.Env = append(cmd.Env, name+"="+value)
			}
		}
		for name, value := range in.env {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
		o := outcome{args: in.args}
		err := cmd.Run()
		o.stdout, o.stderr, o.exit = stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
			err = nil
		}
		return o, err
	}
}

// onlyKnownCodes makes a diagnostic with a code that is not in the list an error of the call.
func onlyKnownCodes(run program, codes []string) program {
	return func(ctx context.Context, in invocation) (outcome, error) {
		o, err := run(ctx, in)
		if answer, notJSON := readJSON(o.stdout); notJSON == nil && err == nil {
			for _, d := range objectsAt(answer, "diagnostics") {
				if code, _ := d["code"].(string); !slices.Contains(codes, code) {
					err = fmt.Errorf("the code %q is not in conformance/codes.yaml", code)
				}
			}
		}
		return o, err
	}
}

// world is the fresh folder that a case lives in.
type world struct {
	t                   *testing.T
	root, home, work    string
	context             string // path of the context file, or empty
	placeholder         *regexp.Regexp
	takesContextOptions []string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{
		t: t, root: root, home: filepath.Join(root, "home"), work: filepath.Join(root, "work"),
		placeholder:         regexp.MustCompile(`\$(HOME|WORK)\b`),
		takesContextOptions: []string{"match", "explain", "run", "query"},
	}
	for _, folder := range []string{w.home, w.work} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// expand puts the world's paths instead of $HOME and $WORK.
func (w *world) expand(s string) string {
	return w.placeholder.ReplaceAllStringFunc(s, func(name string) string {
		if name == "$HOME" {
			return w.home
		}
		return w.work
	})
}

// write makes a file below the world's folder; path has slashes.
func (w *world) write(path string, content any) {
	w.t.Helper()
	full := filepath.Join(w.root, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if form, ok := content.(map[string]any); ok && form["symlink"] != nil {
		if err := os.Symlink(filepath.FromSlash(w.expand(form["symlink"].(string))), full); err != nil {
			w.t.Fatal(err)
		}
		return
	}
	if err := os.WriteFile(full, w.content(path, content), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

// content makes bytes of one of the forms that README.md lists.
func (w *world) content(path string, content any) []byte {
	w.t.Helper()
	if text, ok := content.(string); ok {
		return []byte(w.expand(text))
	}
	form, ok := content.(map[string]any)
	if !ok || len(form) != 1 {
		w.t.Fatalf("%s: not a form of content: %v", path, content)
	}
	for kind, value := range form {
		text, _ := value.(string)
		switch kind {
		case "base64":
			data, err := base64.StdEncoding.DecodeString(text)
			if err != nil {
				w.t.Fatalf("%s: %v", path, err)
			}
			return data
		case "utf16le":
			return utf16Bytes(binary.LittleEndian, text)
		case "utf16be":
			return utf16Bytes(binary.BigEndian, text)
		case "crlf":
			return []byte(strings.ReplaceAll(w.expand(text), "\n", "\r\n"))
		case "parts":
			var all strings.Builder
			for _, part := range value.([]any) {
				part := part.(map[string]any)
				times := 1
				if n, ok := part["times"].(int); ok {
					times = n
				}
				all.WriteString(strings.Repeat(part["text"].(string), times))
			}
			return []byte(all.String())
		}
	}
	w.t.Fatalf("%s: not a form of content: %v", path, content)
	return nil
}

func utf16Bytes(order binary.AppendByteOrder, text string) []byte {
	data := order.AppendUint16(nil, 0xFEFF)
	for _, unit := range utf16.Encode([]rune(text)) {
		data = order.AppendUint16(data, unit)
	}
	return data
}

// writeContext writes a snapshot that later commands get by --context.
func (w *world) writeContext(snapshot any) {
	w.t.Helper()
	w.write("context.json", jsonText(w.t, snapshot))
	w.context = filepath.Join(w.root, "context.json")
}

// run calls the program in the world's working directory.
func (w *world) run(run program, s commandStep) outcome {
	w.t.Helper()
	in := invocation{stdin: w.expand(s.Stdin), dir: w.work, env: map[string]string{"HOME": w.home}}
	for _, arg := range s.Args {
		in.args = append(in.args, w.expand(arg))
	}
	if w.context != "" && slices.Contains(w.takesContextOptions, s.Args[0]) {
		in.args = append(in.args, "--context", w.context)
	}
	for name, value := range s.Env {
		in.env[name] = w.expand(value)
	}
	o, err := run(w.t.Context(), in)
	if err != nil {
		w.t.Fatalf("pertain %q: %v", in.args, err)
	}
	for _, trace := range []string{"panic:", "goroutine "} {
		if strings.Contains(o.stdout, trace) || strings.Contains(o.stderr, trace) {
			w.t.Fatalf("a stack trace: %s", o)
		}
	}
	return o
}

// jsonText writes a value of a YAML file as JSON on one line.
func jsonText(t *testing.T, value any) string {
	t.Helper()
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(text.String(), "\n")
}
