package fleet_test

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/crypto/blake2b"
	"golang.org/x/crypto/scrypt"

	"github.com/pertain-dev/pertain/internal/fleet"
	"github.com/pertain-dev/pertain/internal/revision"
)

// encrypted is a private key in minisign's encrypted form, with less work than minisign asks for, so that a test needs neither its seconds nor its gigabyte.
func encrypted(t *testing.T, plain []byte, password string) []byte {
	t.Helper()
	_, line, _ := strings.Cut(strings.TrimSpace(string(plain)), "\n")
	raw, err := base64.StdEncoding.DecodeString(line)
	if err != nil || len(raw) != 158 {
		t.Fatalf("%d bytes, %v", len(raw), err)
	}
	const ops, memory = 1 << 15, 1 << 24 // what scrypt calls N = 1024, r = 8, p = 1
	copy(raw[2:], "Sc")
	copy(raw[6:38], "a salt of thirty-two bytes, yes!")
	binary.LittleEndian.PutUint64(raw[38:], ops)
	binary.LittleEndian.PutUint64(raw[46:], memory)
	sum := blake2b.Sum256(append([]byte("Ed"), raw[54:126]...))
	copy(raw[126:], sum[:])
	stream, err := scrypt.Key([]byte(password), raw[6:38], 1<<10, 8, 1, 104)
	if err != nil {
		t.Fatal(err)
	}
	for i, b := range stream {
		raw[54+i] ^= b
	}
	return []byte("untrusted comment: minisign encrypted secret key\n" + base64.StdEncoding.EncodeToString(raw) + "\n")
}

func TestSigner(t *testing.T) {
	made, err := fleet.NewSigner()
	if err != nil {
		t.Fatal(err)
	}
	plain, err := made.Text("")
	if err != nil {
		t.Fatal(err)
	}
	public, err := made.Public()
	if err != nil {
		t.Fatal(err)
	}
	trust := revision.Trust{Namespace: "main", Keys: []revision.Key{public}}
	manifest, err := (&revision.Manifest{Namespace: "main", Revision: 1}).Encode()
	if err != nil {
		t.Fatal(err)
	}
	write := func(text []byte) string {
		path := filepath.Join(t.TempDir(), "key")
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	secret := func() (string, error) { return "hunter2", nil }
	nobody := func() (string, error) { return "", errors.New("nobody to ask") }
	for name, test := range map[string]struct {
		text     []byte
		password func() (string, error)
	}{"plain": {plain, nobody}, "encrypted": {encrypted(t, plain, "hunter2"), secret}} {
		s, err := fleet.LoadSigner(write(test.text), test.password)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if _, err := trust.Check(revision.Sealed{Manifest: string(manifest), Signature: s.Sign(manifest, "x")}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, test := range map[string]struct {
		text     []byte
		password func() (string, error)
		want     string
	}{
		"another password": {encrypted(t, plain, "hunter3"), secret, "cannot be decrypted"},
		"nobody to ask":    {encrypted(t, plain, "hunter2"), nobody, "nobody to ask"},
		"a public key":     {[]byte(public.String()), nobody, "no private key"},
		"garbage":          {[]byte("hunter2"), nobody, "no private key"},
		"empty":            {nil, nobody, "no private key"},
	} {
		_, err := fleet.LoadSigner(write(test.text), test.password)
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "hunter") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
