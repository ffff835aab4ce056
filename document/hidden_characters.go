package document

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/visible"
)

// Unseen reports the characters of a file that no reader can see: a model reads
// them all the same, so a text may say what its reader does not know of. The
// diagnostics show nothing of the text around them.
func Unseen(source *diag.Source) diag.List {
	var veiled strings.Builder // the text with all but those characters blanked, for positions
	var runs []visible.Run     // in it
	text := source.Text()
	done, more := 0, 0
	for run := range visible.Hidden(text) {
		if text[run.Start] == 0 {
			continue // told by Decode
		}
		if len(runs) == diag.MaxPerFile {
			more++
			continue
		}
		blank(&veiled, text[done:run.Start])
		at := veiled.Len()
		veiled.WriteString(text[run.Start:run.End])
		done = run.End
		runs = append(runs, visible.Run{Start: at, End: veiled.Len(), Count: run.Count, Kind: run.Kind})
	}
	shown := diag.NewSource(source.Name(), veiled.String())
	var list diag.List
	for _, run := range runs {
		list = append(list, unseen(shown, diag.Span{Start: run.Start, End: run.End}, run))
	}
	if more > 0 {
		list = append(list, list[len(list)-1].Standing(more))
	}
	return list
}

func unseen(source *diag.Source, span diag.Span, run visible.Run) diag.Diagnostic {
	kept, them := "models are not told ", "them"
	if run.Kind == visible.Control { // whoever reads a text from a pipe gets its escape sequences
		kept = "prompts, hooks and MCP go without "
	}
	message := fmt.Sprintf("%d %s that no reader can see begin here", run.Count, run.Kind)
	if run.Count == 1 {
		message, them = "there is a character here that no reader can see (one of the "+run.Kind.String()+")", "it"
	}
	d := diag.At(source, span, diag.StrategyInvalidEncoding, "%s; %s%s", message, kept, them)
	d.Severity = diag.Warning
	return d.WithHint("remove it, unless you know why it is there")
}

// blank writes a text with a space for every character but line breaks.
func blank(b *strings.Builder, text string) {
	for line := range strings.Lines(text) {
		rest, broken := strings.CutSuffix(line, "\n")
		b.WriteString(strings.Repeat(" ", utf8.RuneCountInString(rest)))
		if broken {
			b.WriteByte('\n')
		}
	}
}
