package hotkey

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// errNotMade is for a profile that Xfce has never started with.
var errNotMade = errors.New("the shortcuts of Xfce are made at the first login, which would take this one out; log in to it once, and try again")

// xfce keeps each command under its key.
func xfce(ctx context.Context, s Session, k Key, command []string, remove bool) ([]Step, error) {
	set, err := s.setting("xfconf-query")
	if err != nil {
		return nil, err
	}
	const channel, folder, made = "xfce4-keyboard-shortcuts", "/commands/custom/", "/commands/custom/override"
	listed, err := set.ask(ctx, "-c", channel, "-l", "-v")
	if err != nil {
		listed = "" // the channel is made by its first value
	}
	line := shellLine(command)
	var steps []Step
	bound, ready := false, false
	for row := range strings.Lines(listed) {
		property, value, _ := strings.Cut(strings.TrimSpace(row), " ")
		if !strings.HasPrefix(property, folder) {
			continue
		}
		value = strings.TrimSpace(value)
		ready = ready || property == made && value == "true"
		own := value == line || ownLine(value)
		here := sameKey(strings.TrimPrefix(property, folder), k.xfce())
		switch {
		case here && !remove && own && value == line:
			bound = true
		case here && !remove && !own:
			return nil, fmt.Errorf("%s is bound to `%s`; choose another with --key", k, clean(value))
		case own:
			steps = append(steps, set.step("-c", channel, "-p", property, "-r"))
		}
	}
	if !remove && !ready {
		return nil, errNotMade
	}
	if !remove && !bound {
		steps = append(steps, set.step("-c", channel, "-p", folder+k.xfce(), "-n", "-t", "string", "-s", line))
	}
	return steps, nil
}

// sameKey tells whether two names are of one key: the order of modifiers is free.
func sameKey(a, b string) bool {
	parts := func(name string) []string {
		all := strings.Split(strings.ReplaceAll(strings.ToLower(name), "<control>", "<primary>"), ">")
		slices.Sort(all[:len(all)-1])
		return all
	}
	return slices.Equal(parts(a), parts(b))
}

// ownLine tells a command that an earlier binding wrote, of a Pertain that may have been
// elsewhere, with whatever it does with the prompt.
func ownLine(value string) bool {
	const mark = "pick --menu auto"
	before, after, found := strings.Cut(value, mark)
	after, then := strings.CutPrefix(after, " --then ")
	before = strings.TrimRight(before, " ")
	return found && then == (after != "") && !strings.ContainsAny(after, " \t") &&
		(strings.HasSuffix(before, "pertain") || strings.HasSuffix(before, "pertain'"))
}
