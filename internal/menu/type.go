package menu

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/pertain-dev/pertain/internal/program"
)

// typist is a program that types what it reads from standard input into the
// window in front.
type typist struct {
	name  string
	needs needs
	args  []string
}

var typists = []typist{
	{"wtype", wayland, []string{"-d", "2", "-"}},
	{"xdotool", x, []string{"type", "--clearmodifiers", "--delay", "2", "--file", "-"}},
}

// maxTyped bounds what is typed: keys are slow, and nobody can stop them half-way.
const maxTyped = 20_000

// typingTime is how long typing may take.
const typingTime = 2 * time.Minute

// pieceTyped is how many characters are typed at a time: after each piece is looked
// whether the window is still in front.
const pieceTyped = 100

// ErrElsewhere says that typing has ended, since another window is in front.
var ErrElsewhere = errors.New("another window is in front")

// Type types a text into the window in front, and tells how many characters it has
// typed. Line ends become blanks: a line end sends a message or runs a command. Other
// characters that are no text are left out. still tells, before each piece, whether the
// window is the one that the text is for.
func (d Desk) Type(ctx context.Context, text string, still func(context.Context) bool) (typed int, err error) {
	line := Typed(text)
	if len(line) > maxTyped {
		return 0, fmt.Errorf("the prompt is longer than %d bytes, too long to be typed; use `--then copy`", maxTyped)
	}
	found, args, err := d.typist()
	if err != nil {
		return 0, err
	}
	ctx, stop := context.WithTimeout(ctx, typingTime)
	defer stop()
	for piece := range slices.Chunk([]rune(line), pieceTyped) {
		if !still(ctx) {
			return typed, ErrElsewhere
		}
		call := program.Call{Dir: d.Dir, Env: d.environment(), Stdin: strings.NewReader(string(piece)), Wait: time.Second}
		if err := found.Run(ctx, call, args...); err != nil {
			return typed, fmt.Errorf("the prompt could not be typed: %w", err)
		}
		typed += len(piece)
	}
	return typed, nil
}

// typist is the program that types in this session, and its arguments.
func (d Desk) typist() (program.Program, []string, error) {
	var missing []string
	for _, t := range typists {
		if d.Env(string(t.needs)) == "" || t.name == "xdotool" && d.Env(string(wayland)) != "" {
			continue // with a compositor, X's keys reach few windows
		}
		found, err := d.Search.Find(t.name)
		if err == nil {
			return found, t.args, nil
		}
		missing = append(missing, t.name)
	}
	if missing != nil {
		return program.Program{}, nil, fmt.Errorf("nothing can type here; install %s, or use `--then copy`", strings.Join(missing, " or "))
	}
	return program.Program{}, nil, errors.New("there is no window to type into; use `--then copy`")
}

// Typed is a text as it is typed: one line, without what is no text.
func Typed(text string) string {
	var b strings.Builder
	blank := false
	for _, r := range strings.TrimSpace(text) {
		switch {
		case r == '\t' || r == '\n' || r == '\r' || r == '\u2028' || r == '\u2029' || r == '\v' || r == '\f' || r == '\u0085':
			blank = true
			continue
		case unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Co, unicode.Cs) || r == unicode.ReplacementChar:
			continue
		}
		if blank {
			b.WriteByte(' ')
			blank = false
		}
		b.WriteRune(r)
	}
	return b.String()
}

// terminals are programs whose windows run what is typed into them, by the
// beginnings of their names.
var terminals = []string{
	"alacritty", "aterm", "black-box", "blackbox-terminal", "contour", "cool-retro-term", "deepin-terminal", "eterm", "evilvte", "foot", "ghostty", "gnome-terminal",
	"guake", "hyper", "kgx", "kitty", "konsole", "lxterminal", "mate-terminal", "mlterm", "pantheon-terminal", "ptyxis", "qterminal", "rio", "roxterm", "sakura", "st",
	"tabby", "terminator", "terminology", "termite", "terminal", "tilda", "tilix", "urxvt", "rxvt", "uxterm", "warp", "warp-terminal", "wezterm", "xfce4-terminal", "xterm",
	"yakuake", "zutty", "io.elementary.terminal", "tmux", "screen",
}

// IsTerminal tells whether a program of that name is a terminal, or calls itself one.
func IsTerminal(name string) bool {
	name = strings.ToLower(name)
	if strings.Contains(name, "terminal") || strings.HasSuffix(name, "term") {
		return true
	}
	return slices.ContainsFunc(terminals, func(t string) bool {
		return name == t || strings.HasPrefix(name, t+"-") || strings.HasPrefix(name, t+".") || strings.HasPrefix(name, t+" ")
	})
}
