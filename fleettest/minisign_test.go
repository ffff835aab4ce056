package fleettest_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/fleet"
	"github.com/pertain-dev/pertain/internal/revision"
)

// TestMinisign: keys and signatures are those of the real program, both ways.
func TestMinisign(t *testing.T) {
	program, err := exec.LookPath("minisign")
	if err != nil {
		t.Skip("minisign is not installed; it is in Debian's package of that name")
	}
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	run := func(input string, args ...string) {
		t.Helper()
		cmd := exec.Command(program, args...)
		cmd.Stdin = strings.NewReader(input)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("minisign %v: %v, %s", args, err, out)
		}
	}
	text, err := (&revision.Manifest{Namespace: "main", Revision: 1, Author: "me", Time: noon}).Encode()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at("manifest.json"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	taken := func(public revision.Key, signature string) {
		t.Helper()
		trust := revision.Trust{Namespace: "main", Keys: []revision.Key{public}}
		if _, err := trust.Check(revision.Sealed{Manifest: string(text), Signature: signature}); err != nil {
			t.Error(err)
		}
	}

	// A key that minisign made signs for Pertain, and minisign believes the signature.
	run("", "-G", "-W", "-p", at("its.pub"), "-s", at("its.key"))
	theirs, err := fleet.LoadSigner(at("its.key"), func() (string, error) { return "", nil })
	if err != nil {
		t.Fatal(err)
	}
	signature := theirs.Sign(text, "pertain fleet main revision 1")
	if err := os.WriteFile(at("manifest.json.minisig"), []byte(signature), 0o600); err != nil {
		t.Fatal(err)
	}
	run("", "-V", "-m", at("manifest.json"), "-p", at("its.pub"))
	shown, err := os.ReadFile(at("its.pub"))
	if err != nil {
		t.Fatal(err)
	}
	public, err := revision.ParseKey(string(shown))
	if err != nil {
		t.Fatal(err)
	}
	taken(public, signature)

	// A key that Pertain made signs for minisign, with a password and without, and Pertain believes the signature.
	for _, password := range []string{"", "correct horse"} {
		own, err := fleet.NewSigner()
		if err != nil {
			t.Fatal(err)
		}
		ownPublic, err := own.Public()
		if err != nil {
			t.Fatal(err)
		}
		key, err := own.Text(password)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at("own.key"), key, 0o600); err != nil {
			t.Fatal(err)
		}
		run(password+"\n", "-S", "-s", at("own.key"), "-m", at("manifest.json"), "-x", at("own.minisig"))
		signed, err := os.ReadFile(at("own.minisig"))
		if err != nil {
			t.Fatal(err)
		}
		taken(ownPublic, string(signed))
	}
}
