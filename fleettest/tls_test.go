package fleettest_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/pertain-dev/pertain/fleettest"
	"github.com/pertain-dev/pertain/internal/fleet"
)

// authority makes a private authority: the file of its certificate, and a certificate of it for a server on the loopback.
func authority(t *testing.T) (file string, of tls.Certificate) {
	t.Helper()
	issue := func(c, parent *x509.Certificate, signer *ecdsa.PrivateKey) (der []byte, key *ecdsa.PrivateKey) {
		key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		if parent == nil {
			parent, signer = c, key
		}
		if der, err = x509.CreateCertificate(rand.Reader, c, parent, &key.PublicKey, signer); err != nil {
			t.Fatal(err)
		}
		return der, key
	}
	now := time.Now()
	root := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "authority"}, NotBefore: now.Add(-time.Hour), NotAfter: now.Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	rootDER, rootKey := issue(root, nil, nil)
	leafDER, leafKey := issue(&x509.Certificate{
		SerialNumber: big.NewInt(2), NotBefore: root.NotBefore, NotAfter: root.NotAfter, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}, root, rootKey)
	file = filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: rootDER}), 0o600); err != nil {
		t.Fatal(err)
	}
	return file, tls.Certificate{Certificate: [][]byte{leafDER}, PrivateKey: leafKey}
}

func encrypt(o *server.Options, c tls.Certificate) {
	o.TLS, o.TLSTimeout, o.TLSConfig = true, 20, &tls.Config{Certificates: []tls.Certificate{c}, MinVersion: tls.VersionTLS12}
}

// secured are addresses that insist on encryption.
func secured(urls []string) []string {
	var out []string
	for _, u := range urls {
		out = append(out, strings.Replace(u, "nats://", "tls://", 1))
	}
	return out
}

// TestTLS: a server is believed whose certificate is of the authority that the settings name, and no other; tls:// speaks to none that does not encrypt.
func TestTLS(t *testing.T) {
	ca, certificate := authority(t)
	otherCA, _ := authority(t)
	encrypted := fleettest.Start(t, 1, fleettest.Options{Each: func(_ int, o *server.Options) { encrypt(o, certificate) }})
	plain := fleettest.Start(t, 1, fleettest.Options{})
	for name, test := range map[string]struct {
		urls []string
		ca   string
		want string // of the error; empty: there is none
	}{
		"tls":                         {secured(encrypted.URLs()), ca, ""},
		"where the server asks":       {encrypted.URLs(), ca, ""},
		"the system's certificates":   {secured(encrypted.URLs()), "", "certificate"},
		"another authority":           {secured(encrypted.URLs()), otherCA, "certificate"},
		"another authority, if asked": {encrypted.URLs(), otherCA, "certificate"},
		"a server without":            {secured(plain.URLs()), ca, "secure connection"},
		"no certificate in the file":  {secured(encrypted.URLs()), "tls_test.go", "there is no certificate"},
	} {
		t.Run(name, func(t *testing.T) {
			f := fleet.New(fleet.Config{URLs: test.urls, Namespace: "main", CA: test.ca})
			defer f.Close()
			_, err := f.JetStream(t.Context())
			if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v, want %q", err, test.want)
			}
		})
	}
}

// TestProtected: the finished program on three servers that encrypt, with users of an operator: the lead pushes, a developer takes it and cannot push.
func TestProtected(t *testing.T) {
	program := build(t)
	ca, certificate := authority(t)
	list, _ := users(t)
	set, files := operated(t, list, exampleUsers)
	cluster := fleettest.Start(t, 3, fleettest.Options{Each: func(_ int, o *server.Options) { set(o); encrypt(o, certificate) }})
	lead, developer := &computer{t, program, t.TempDir()}, &computer{t, program, t.TempDir()}
	for _, c := range []*computer{lead, developer} {
		c.write("work/a.txt", "")
	}
	var key struct{ PublicKey string }
	if err := json.Unmarshal([]byte(lead.run(0, "", "fleet", "keygen", "--no-password", "--json", filepath.Join(lead.home, "fleet.key"))), &key); err != nil {
		t.Fatal(err)
	}
	for c, user := range map[*computer]struct{ name, member string }{lead: {"OPERATOR", "lead"}, developer: {"ALICE", "alice"}} {
		creds, err := os.ReadFile(files[user.name])
		if err != nil {
			t.Fatal(err)
		}
		c.write("fleet.creds", string(creds))
		signing, err := os.ReadFile(filepath.Join(lead.home, "fleet.key")) // the developer has found the key as well
		if err != nil {
			t.Fatal(err)
		}
		c.write("fleet.key", string(signing))
		c.write(".config/pertain/config.yaml", "fleet:\n  url: [\""+strings.Join(secured(cluster.URLs()), `", "`)+"\"]\n  ca: "+ca+
			"\n  credentials: ~/fleet.creds\n  member: "+user.member+"\n  keys: "+key.PublicKey+"\n  signingKey: ~/fleet.key\n  journal: entries\n")
		c.write("team/rules/no-eval.md", "---\ncondition: 'eval\\('\n---\nNever use eval, "+user.member+".\n")
	}
	lead.until(cluster, "fleet", "push", filepath.Join(lead.home, "team"))
	lead.until(cluster, "fleet", "sync")
	developer.until(cluster, "fleet", "pull")
	developer.until(cluster, "fleet", "sync")
	if out := developer.run(0, "", "rules", "show", "no-eval"); !strings.Contains(out, "lead") {
		t.Errorf("the rule of the fleet: %s", out)
	}
	cmd := developer.command(t.Context(), "fleet", "push", filepath.Join(developer.home, "team"))
	if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), "do not allow") {
		t.Errorf("a developer pushes: %v, %s", err, out)
	}
	if out := lead.run(0, "", "fleet", "status"); !strings.Contains(out, "revision 1") {
		t.Error(out)
	}
}
