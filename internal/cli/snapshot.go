package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain/collect"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/surface"
)

// maxContextBytes bounds a context file.
const maxContextBytes = 256 << 20

// snapshot reads the context, or collects what is needed of it, and lays the
// attachments over it. The list says what could not be collected.
func (a *app) snapshot(cmd *cobra.Command, s situation, gather gathering) (*facts.Snapshot, diag.List, error) {
	if !s.stdin {
		if err := a.takeStdin(cmd, &s, false); err != nil {
			return nil, nil, err
		}
	}
	base := facts.NewSnapshot(facts.Parts{Values: facts.Fields()})
	if s.file != "" {
		data, name, err := a.readContext(s.file)
		if err != nil {
			return nil, nil, err
		}
		if base, err = facts.Decode(name, data); err != nil {
			return nil, nil, usage("--context %s: %s", s.file, err)
		}
		a.tellMisfits(facts.Misfits(name, base.Values()))
	}
	base = collect.FillEnvironment(base, collect.Environment(a.call.Env, time.Now()))
	base, err := a.attach(cmd, s, base)
	if err != nil || s.file != "" {
		return base, nil, err
	}
	gathered, err := gather(cmd.Context(), facts.NewGatherer(a.machine().Collectors()...), facts.Parts{Values: base.Values()})
	if err != nil {
		return nil, nil, err
	}
	return gathered.Snapshot, gathered.Diagnostics, nil
}

// tellMisfits says on stderr what somebody who wrote a context by hand got wrong:
// it counts as not there, and nothing else shows that.
func (a *app) tellMisfits(list diag.List) {
	for _, d := range list {
		name := "standard input"
		if d.Source != nil && d.Source.Name() != "<stdin>" {
			name = a.shortName(d.Source.Name())
		}
		fmt.Fprintf(a.painted(a.call.Stderr), "%s: warning: %s\n", clean(name), oneLine(d.Sentence()))
	}
}

// gathering collects what a command needs.
type gathering func(context.Context, *facts.Gatherer, facts.Parts) (facts.Gathering, error)

// attach lays what the flags say over the context.
func (a *app) attach(cmd *cobra.Command, s situation, snapshot *facts.Snapshot) (*facts.Snapshot, error) {
	if len(s.attach) > 0 {
		files := make([]facts.Value, len(s.attach))
		for i, path := range s.attach {
			file, err := a.attachment(path)
			if err != nil {
				return nil, err
			}
			files[i] = file
		}
		snapshot = snapshot.With("attachments.files", facts.List(files...))
	}
	if cmd.Flags().Changed("text") {
		snapshot = snapshot.With("attachments.text", facts.Text(s.text))
	}
	if cmd.Flags().Changed("selection") || s.selected {
		snapshot = snapshot.With("attachments.selection.text", facts.Text(s.selection))
	}
	return snapshot, nil
}

func (a *app) readContext(file string) (data []byte, name string, err error) {
	in := a.call.Stdin
	name = "<stdin>"
	if file != "-" {
		name = a.abs(file)
		f, err := os.Open(name)
		if err != nil {
			return nil, "", usage("--context %s: %s", file, fileProblem(err))
		}
		defer f.Close()
		if info, err := f.Stat(); err == nil && info.IsDir() {
			return nil, "", usage("--context %s: this is a folder; name a JSON or YAML file", file)
		}
		in = f
	}
	data, err = io.ReadAll(io.LimitReader(in, maxContextBytes+1))
	if err != nil {
		return nil, "", usage("--context %s: %s", file, fileProblem(err))
	}
	if len(data) > maxContextBytes {
		return nil, "", usage("--context %s: the file is larger than 256 MiB", file)
	}
	return data, name, nil
}

// attachment describes a file as attachments.files does. It must exist.
func (a *app) attachment(path string) (facts.Value, error) {
	abs := a.abs(path)
	if _, err := os.Stat(abs); err != nil {
		return facts.Value{}, usage("--attach %s: %s", path, fileProblem(err))
	}
	return surface.Attachment(abs), nil
}
