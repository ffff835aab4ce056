package cli

import (
	"bufio"
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"github.com/pertain-dev/pertain/internal/ask"
	"github.com/pertain-dev/pertain/internal/menu"
)

// agreed makes sure that the user has agreed to what is sent, and remembers it.
func (a *app) agreed(ctx context.Context, q question, u ask.Upstream, flags askFlags) error {
	missing, known, err := a.agreements().Missing(u, q.subject)
	if err != nil {
		return usage("%s", err)
	}
	if known && len(missing) == 0 {
		return nil
	}
	if !flags.agree {
		yes, err := a.agrees(ctx, q, u, missing, known, flags)
		if err != nil {
			return err
		}
		if !yes {
			return negative("nothing was sent")
		}
	}
	if err := a.agreements().Add(ctx, u, q.subject, time.Now()); err != nil {
		return usage("nothing was sent, since it cannot be remembered that you agree: %s", err)
	}
	return nil
}

// agrees asks the user, on the terminal or in the menu that is in use.
func (a *app) agrees(ctx context.Context, q question, u ask.Upstream, missing []string, known bool, flags askFlags) (bool, error) {
	if flags.asker != nil {
		if !known { // who gets it is worth more than a line of a menu
			return false, usage("you have not agreed to send anything to %s yet; run `pertain ask %s` in a terminal once", u.Name(), q.subject.ID)
		}
		entries := []menu.Entry{{Title: "Send it to " + u.URL.Host, Note: strings.Join(missing, ", ")}, {Title: "Do not send it"}}
		at, err := flags.asker.Choose(ctx, menuTitle, entries)
		if err != nil {
			return false, menuProblem(err)
		}
		return at == 0, nil
	}
	p, leave := a.personOnTerminal()
	if p == nil {
		what := strings.Join(missing, ", ")
		if what == "" {
			what = "Reads nothing of yours"
		}
		return false, usage("you have not agreed to send what %s needs to %s (%s); run it in a terminal, or with --agree", q.subject.ID, u.Name(), what)
	}
	defer leave()
	fmt.Fprintln(p.out, a.terms(q, u, missing, known))
	return p.agrees("Send it, and remember that for " + clean(q.subject.ID) + "?"), nil
}

// terms is what the user agrees to.
func (a *app) terms(q question, u ask.Upstream, missing []string, known bool) string {
	var b strings.Builder
	size := utf8.RuneCountInString(q.plan.Prompt) + utf8.RuneCountInString(q.plan.SystemPrompt)
	if known {
		fmt.Fprintf(&b, "%s reads more than you have agreed to send to %s:\n", clean(q.subject.ID), clean(u.Name()))
	} else {
		fmt.Fprintf(&b, "Nothing was sent to %s (%s) before. %s would send it:\n", clean(u.Name()), clean(u.URL.String()), clean(q.subject.ID))
	}
	for _, sentence := range missing {
		b.WriteString("  - " + clean(sentence) + "\n")
	}
	fmt.Fprintf(&b, "  - %s in all; --show prints them", plural(size, "character"))
	if !known && u.KeyVariable != "" {
		b.WriteString("\n  - the key of " + u.KeyVariable)
	}
	return b.String()
}

// personOnTerminal is who sits at the terminal, also where standard input is a text.
func (a *app) personOnTerminal() (p *person, leave func()) {
	if p := a.person(); p != nil {
		return p, func() {}
	}
	if !onTerminal(a.call.Stderr) {
		return nil, nil
	}
	in, out, err := tea.OpenTTY()
	if err != nil {
		return nil, nil
	}
	return &person{bufio.NewReader(in), a.call.Stderr}, func() {
		_ = in.Close()
		if out != in {
			_ = out.Close()
		}
	}
}
