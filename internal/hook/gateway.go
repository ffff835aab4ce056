package hook

import (
	"context"
	"crypto/rand"
	"maps"
	"path/filepath"
	"slices"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/packed"
)

// `pertain with` starts an agent whose answers a gateway watches, and hooks leave to it what it watches. A variable alone shows
// nothing: the settings of a repository may set any. So a gateway leaves a file in the state folder that only who was started
// by it can name, and holds its lock for as long as it lives.

// Variables that `pertain with` sets for the agent: the gateway's address, and the name of what shows that there is one. Agents
// keep variables from their hooks whose names sound like secrets.
const (
	GatewayVariable      = "PERTAIN_GATEWAY"
	GatewayProofVariable = "PERTAIN_GATEWAY_PROOF"
)

const (
	gatewayFolder = "gateways"
	gatewaySuffix = ".gateway"
	gatewayForm   = "pertain gateway 1"
	maxGateway    = 64 << 10 // bytes
)

// Announce shows hooks that a gateway watches an agent that is led to it by some variables, until withdraw or the end of the
// process. The key is for [GatewayProofVariable].
func Announce(ctx context.Context, state, address string, leads map[string]string) (key string, withdraw func(), err error) {
	if state == "" {
		return "", nil, errNoState
	}
	key = rand.Text()
	target, unlock, err := files.LockOwn(ctx, gatewayFile(state, key))
	if err != nil {
		return "", nil, err
	}
	withdraw = func() {
		_ = target.Remove() // without the lock it shows nothing
		unlock()
		_ = target.RemoveLock()
	}
	var w packed.Writer
	w.Text(gatewayForm)
	w.Text(address)
	for _, name := range slices.Sorted(maps.Keys(leads)) {
		w.Text(name)
		w.Text(leads[name])
	}
	if err := target.Write(w.Bytes(), 0o600); err != nil {
		withdraw()
		return "", nil, err
	}
	_ = files.RemoveOld(filepath.Join(state, gatewayFolder), gatewaySuffix, now().Add(-maxAge)) // of processes that were killed
	return key, withdraw, nil
}

func gatewayFile(state, key string) string {
	return filepath.Join(state, gatewayFolder, hash("gateway", key)+gatewaySuffix)
}

// hasGateway tells whether a gateway watches the agent that this is a hook of: one that lives, and that the agent's requests still
// go to.
func hasGateway(state string, env func(name string) string) bool {
	address, key := env(GatewayVariable), env(GatewayProofVariable)
	if address == "" || key == "" || state == "" {
		return false
	}
	path := gatewayFile(state, key)
	if info, err := files.OS().Stat(path); err != nil || info.Foreign || info.Shared {
		return false
	}
	data, err := files.OS().ReadFile(path, maxGateway)
	if err != nil {
		return false
	}
	r := packed.NewReader(string(data))
	if r.Text() != gatewayForm || r.Text() != address {
		return false
	}
	for !r.Done() {
		if name, value := r.Text(), r.Text(); r.Failed() || env(name) != value {
			return false
		}
	}
	return files.Locked(path)
}
