package facts_test

import (
	"errors"
	"io"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

func TestCollectErrorHidesItsCause(t *testing.T) {
	cause := errors.Join(io.ErrUnexpectedEOF, errors.New(secret))
	for want, err := range map[string]error{
		"the bus is gone":                    &facts.CollectError{Code: diag.ExtraProviderFailed, Reason: "the bus is gone", Err: cause},
		"the context could not be collected": &facts.CollectError{Err: cause},
	} {
		if err.Error() != want || !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%q, want %q with its cause behind it", err, want)
		}
	}
}

func TestPartWith(t *testing.T) {
	one := facts.Part{}.With("clipboard.text", facts.Text("x"))
	two := one.With("clipboard.files", facts.List()).With("extra.browser", facts.Value{})
	if len(one.Values.Field("clipboard").Fields()) != 1 {
		t.Error("the part was changed, not copied")
	}
	if got := len(two.Values.Field("clipboard").Fields()); got != 2 {
		t.Errorf("%d fields, want both", got)
	}
	if fields := two.Values.Field("extra").Fields(); len(fields) != 1 || !fields[0].Value.IsAbsent() {
		t.Error("a null is present, and absent as a value")
	}
}
