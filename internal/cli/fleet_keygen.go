package cli

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain/internal/fleet"
	"github.com/pertain-dev/pertain/internal/writing"
)

func (a *app) fleetKeygenCommand() *cobra.Command {
	var plain bool
	cmd := &cobra.Command{
		Use:   "keygen FILE",
		Short: "Make a key that signs revisions, in minisign's form",
		Long: `Make a key that signs revisions of the fleet. FILE gets the private key, in
minisign's form, encrypted with a password that is asked for (or that
` + passwordVariable + ` holds); only you can read it. A file that is there stays.

The public key is printed: it goes into the setting fleet.keys of every machine
that is to take what you push. Keys that minisign made work as well.`,
		Example: `  pertain fleet keygen ~/.config/pertain/fleet.key
  pertain fleet keygen --no-password /run/secrets/fleet.key`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return a.fleetKeygen(a.abs(args[0]), plain) },
	}
	cmd.Flags().BoolVar(&plain, "no-password", false, "do not encrypt the private key")
	a.jsonFlag(cmd)
	return cmd
}

type keygenReport struct {
	File      string `json:"file"`
	PublicKey string `json:"publicKey"`
	ID        string `json:"id"`
	Encrypted bool   `json:"encrypted"`
}

func (a *app) fleetKeygen(path string, plain bool) error {
	password := ""
	if !plain {
		var err error
		if password, err = a.newPassword(); err != nil {
			return err
		}
	}
	signer, err := fleet.NewSigner()
	if err != nil {
		return err
	}
	text, err := signer.Text(password)
	if err != nil {
		return err
	}
	public, err := signer.Public()
	if err != nil {
		return err
	}
	target, err := writing.NamedTarget(path, a.dir())
	if err == nil {
		err = target.MakeFolder(0o700)
	}
	if err == nil {
		err = target.Create(text, 0o600)
	}
	if errors.Is(err, fs.ErrExist) {
		return usage("%s: there is a file of that name, and a key is never replaced; name another", path)
	}
	if err != nil {
		return usage("%s: %s", path, err)
	}
	if a.json {
		return a.writeJSON(keygenReport{File: path, PublicKey: public.String(), ID: public.ID(), Encrypted: password != ""})
	}
	_, err = fmt.Fprintf(a.painted(a.call.Stdout), "public key  %s\nid          %s\n\nIn your settings:\n\nfleet:\n  signingKey: %s\n  keys: [%s]\n\nOther machines need the line with keys alone.\n", public.String(), public.ID(), clean(path), public.String())
	return err
}

// newPassword asks twice.
func (a *app) newPassword() (string, error) {
	const nowhere = "there is no terminal to ask for the password of the new key; set " + passwordVariable + ", or use --no-password"
	first, err := a.password("password for the new key:", nowhere)
	switch {
	case err != nil:
		return "", err
	case first == "":
		return "", usage("the password is empty; --no-password makes a key without one")
	case a.call.Env(passwordVariable) != "":
		return first, nil
	}
	again, err := a.password("once more:", nowhere)
	if err == nil && again != first {
		err = usage("the two differ; no key was made")
	}
	return first, err
}
