package fleettest_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"
)

// operated makes a server's options know users by tokens that an operator's account has signed, each with the rights of a user of the example. It gives
// their files of credentials by the names of the example, and one of a user whose token another account signed.
func operated(t *testing.T, list []*server.NkeyUser, names []string) (set func(*server.Options), files map[string]string) {
	t.Helper()
	operator, operatorKey := pair(t, nkeys.CreateOperator)
	account, accountKey := pair(t, nkeys.CreateAccount)
	system, systemKey := pair(t, nkeys.CreateAccount)
	_, strangerKey := pair(t, nkeys.CreateAccount)

	claims := jwt.NewOperatorClaims(operator)
	claims.SystemAccount = system
	resolver := &server.MemAccResolver{}
	for public, limits := range map[string]jwt.JetStreamLimits{account: {MemoryStorage: -1, DiskStorage: -1}, system: {}} {
		a := jwt.NewAccountClaims(public)
		a.Limits.JetStreamLimits = limits
		if err := resolver.Store(public, encoded(t, a, operatorKey)); err != nil {
			t.Fatal(err)
		}
	}
	_ = systemKey // nobody speaks for the system here

	files = map[string]string{}
	folder := t.TempDir()
	write := func(name string, signer nkeys.KeyPair, rights *server.Permissions) {
		public, key := pair(t, nkeys.CreateUser)
		u := jwt.NewUserClaims(public)
		if rights != nil {
			u.Pub.Allow, u.Sub.Allow = rights.Publish.Allow, rights.Subscribe.Allow
		}
		seed, err := key.Seed()
		if err != nil {
			t.Fatal(err)
		}
		text, err := jwt.FormatUserConfig(encoded(t, u, signer), seed)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = filepath.Join(folder, name+".creds")
		if err := os.WriteFile(files[name], text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for i, name := range names {
		write(name, accountKey, list[i].Permissions)
	}
	write("STRANGER", strangerKey, nil)
	return func(o *server.Options) {
		o.TrustedOperators, o.AccountResolver, o.SystemAccount = []*jwt.OperatorClaims{claims}, resolver, system
	}, files
}

func pair(t *testing.T, create func() (nkeys.KeyPair, error)) (public string, key nkeys.KeyPair) {
	t.Helper()
	key, err := create()
	if err != nil {
		t.Fatal(err)
	}
	if public, err = key.PublicKey(); err != nil {
		t.Fatal(err)
	}
	return public, key
}

func encoded(t *testing.T, claims jwt.Claims, signer nkeys.KeyPair) string {
	t.Helper()
	text, err := claims.Encode(signer)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
