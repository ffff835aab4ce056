package macos

import (
	"errors"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

func TestAXScriptFailures(t *testing.T) {
	for said, code := range map[string]diag.Code{
		"execution error: Error: Error: Not authorized to send Apple events to Finder. (-1743)\n": diag.ExtraPermissionUnavailable,
		"execution error: Error: Error: Application isn't running. (-600)\n":                      diag.ExtraProviderUnavailable,
		"execution error: Error: Error: AppleEvent timed out. (-1712)\n":                          diag.ExtraProviderTimeout,
		"execution error: Error: Error: Can't get object secret.pdf. (-1728)\n":                   diag.ExtraProviderFailed,
	} {
		var known *facts.CollectError
		if err := scriptFailed([]byte(said), nil); !errors.As(err, &known) || known.Code != code {
			t.Errorf("%q: %v", said, err)
		} else if code == diag.ExtraPermissionUnavailable && known.Remedy == "" {
			t.Error("a missing permission has no remedy")
		}
	}
}
