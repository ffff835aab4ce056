package cli

import (
	"fmt"
	"os"
	"os/user"
	"slices"

	"github.com/charmbracelet/x/term"

	"github.com/pertain-dev/pertain/internal/fleet"
	"github.com/pertain-dev/pertain/internal/revision"
)

// whoami names the user and the machine.
func whoami() string {
	name := "somebody"
	if u, err := user.Current(); err == nil && u.Username != "" {
		name = u.Username
	}
	if host, err := os.Hostname(); err == nil && host != "" {
		name += "@" + host
	}
	return name
}

// passwordVariable holds the password of the signing key where nobody can be asked.
const passwordVariable = "PERTAIN_FLEET_PASSWORD"

// signer is the user's own key.
func (a *app) signer(c *fleetCall) (*fleet.Signer, error) {
	if c.values.SigningKey == "" {
		return nil, usage("set `fleet.signingKey` to the file of your private key; `pertain fleet keygen FILE` makes one")
	}
	path, err := fleet.Path("fleet.signingKey", c.values.SigningKey, c.paths.Home)
	if err != nil {
		return nil, usage("%s", err)
	}
	signer, err := fleet.LoadSigner(path, func() (string, error) {
		return a.password("password of "+a.homeName(path)+":", "the key is encrypted, and there is no terminal to ask for its password; set "+passwordVariable)
	})
	if err != nil {
		return nil, err
	}
	public, err := signer.Public()
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(c.trust.Keys, func(k revision.Key) bool { return k.String() == public.String() }) {
		return nil, usage("your key %s is not in `fleet.keys`: not even this machine would take what it signs; add it there, and on the other machines", public.String())
	}
	return signer, nil
}

// password is that of the environment, or asked for at the terminal, unseen; nowhere says what to do where there is none.
func (a *app) password(question, nowhere string) (string, error) {
	if text := a.call.Env(passwordVariable); text != "" {
		return text, nil
	}
	in, isFile := a.call.Stdin.(*os.File)
	if !isFile || !isTerminal(in) || !onTerminal(a.call.Stderr) {
		return "", usage("%s", nowhere)
	}
	fmt.Fprint(a.call.Stderr, question+" ")
	text, err := term.ReadPassword(in.Fd())
	fmt.Fprintln(a.call.Stderr)
	if err != nil {
		return "", usage("the password cannot be read: %s", err)
	}
	return string(text), nil
}
