package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// errNoNumber is the same without a terminal, where nobody pressed a key to leave:
// the answer was none of the list.
var errNoNumber = &exit{code: exitNegative}

// chooseByNumber is pick without a terminal.
func (a *app) chooseByNumber(ctx context.Context, desk *pickDesk, flags runFlags) (choice, error) {
	if flags.where.file == "-" {
		return choice{}, usage("pick: without a terminal the answer is read from standard input, which --context - has used; name a file")
	}
	if flags.where.stdin {
		return choice{}, usage("pick: standard input was read as the text, and there is no terminal to ask on; use `pertain run ID`, or --no-stdin")
	}
	var b strings.Builder
	for i, item := range desk.items {
		fmt.Fprintf(&b, "%3d  %s  %s\n", i+1, clean(item.Shown()), clean(item.Strategy.ID))
		b.WriteString("     " + clean(item.reason) + "\n")
	}
	if _, err := fmt.Fprint(a.call.Stderr, b.String()); err != nil {
		return choice{}, err
	}
	lines := bufio.NewReader(a.call.Stdin)
	for ctx.Err() == nil {
		fmt.Fprintf(a.call.Stderr, "Number from 1 to %d, and what you want to add; nothing to leave: ", len(desk.items))
		line, err := lines.ReadString('\n')
		word, input, _ := strings.Cut(strings.TrimSpace(line), " ")
		if errors.Is(err, errInputClosed) {
			return choice{}, usage("pick: the answer cannot be read from standard input: %s", err)
		}
		if word == "" {
			fmt.Fprintln(a.call.Stderr)
			return choice{}, errNoNumber
		}
		if n, bad := strconv.Atoi(word); bad == nil && n >= 1 && n <= len(desk.items) {
			fmt.Fprintln(a.call.Stderr)
			if input = strings.TrimSpace(input); input == "" {
				input = flags.input
			}
			x, err := desk.plan(ctx, desk.items[n-1].Strategy.ID, input)
			if err != nil {
				return choice{}, err
			}
			if x.Plan == nil {
				return choice{}, negative("%s: %s", x.Strategy.ID, x.Reason)
			}
			return choice{plan: x.Plan}, nil
		}
		fmt.Fprintf(a.call.Stderr, "there is no number `%s`\n", printable(word))
		if errors.Is(err, io.EOF) {
			return choice{}, errNoNumber
		}
		if err != nil {
			return choice{}, err
		}
	}
	return choice{}, ctx.Err()
}
