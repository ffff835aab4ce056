package cli

import (
	"errors"
	"time"

	"github.com/pertain-dev/pertain/collect"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/settings"
)

// machine is what this call collects from. A settings file that cannot be read
// counts as none: commands that need more of it say what is wrong.
func (a *app) machine() *collect.Machine {
	if a.live == nil {
		options, _, _, _ := a.collectOptions()
		if a.call.guest != nil {
			a.live = a.call.guest.machine(options)
			return a.live
		}
		a.live = collect.Open(options)
	}
	return a.live
}

// leaveGrace is what leaving the desktop may take when the command is
// interrupted: a clipboard that is on its way is taken to its end.
const leaveGrace = 6 * time.Second

// leave ends what the call has opened on the desktop, after everything has been
// said.
func (a *app) leave() {
	if a.live != nil {
		a.closeMachine(a.live)
	}
}

func (a *app) closeMachine(machine *collect.Machine) {
	if a.call.Grace != nil {
		a.call.Grace(leaveGrace)
	}
	machine.Close()
}

// collectOptions are what the settings say about collecting, the time limit of
// one collector, and what is wrong with the settings. The error is for a settings
// file that the user names and that is none.
func (a *app) collectOptions() (_ collect.Options, limit time.Duration, problems diag.List, misnamed error) {
	values := settings.Default()
	if paths := a.paths(); paths.Config != "" {
		var err error
		values, problems, err = paths.Load(files.OS())
		if err != nil { // values know that it is not known what is private
			var name *settings.NameError
			if errors.As(err, &name) {
				misnamed = usage("the settings cannot be read: %s", name)
			}
			source := diag.NewSource(paths.Config, "")
			problems.Add(diag.At(source, diag.NoSpan, diag.StrategyInvalidEncoding, "the settings file cannot be read").WithHint("check who may read it"))
		}
	}
	options := collect.Options{
		Dir:       a.dir(),
		Env:       a.call.Env,
		Assistant: assistantValue(values.Assistant),
		Private: collect.Private{
			Applications: values.Private.Applications, Titles: values.Private.Titles,
			Broken: values.Private.Broken, NoDefaults: !values.Private.Defaults,
		},
		Trusted: func(folder string) bool {
			trusted, err := settings.Trust{Path: a.paths().Trust}.Trusted(folder)
			return trusted && err == nil
		},
	}
	options.Window = a.from
	if a.before && a.call.guest != nil { // only who watches knows it
		options.Asker = a.call.guest.caller.PID
	}
	return options, values.Options.ExtraTimeout, problems, misnamed
}

// assistantValue is the object assistant (docs/reference/paths.md); what the settings leave out
// is left out here.
func assistantValue(s settings.Assistant) facts.Value {
	var part facts.Part
	text := func(path, value string) {
		if value != "" {
			part = part.With(path, facts.Text(value))
		}
	}
	text("id", s.ID)
	text("name", s.Name)
	text("model.id", s.Model.ID)
	if s.Model.Modalities != nil {
		part = part.With("model.modalities", facts.Texts(s.Model.Modalities...))
	}
	if s.Model.SupportsToolCall != nil {
		part = part.With("model.supportsToolCall", facts.Flag(*s.Model.SupportsToolCall))
	}
	return part.Values
}
