package fleet

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/writing"
)

// Machine is the name of this machine in a fleet: random, so that it tells nobody which one it is. It is made with the first call and kept
// in the state folder. A folder that came from another machine, such as with a copied disk, gets another name: two must not have the same.
func Machine(ctx context.Context, state string) (string, error) {
	if state == "" {
		return "", errors.New("there is no folder to keep a fleet's state in; set HOME")
	}
	path := filepath.Join(state, "fleet", "machine")
	host := sha256.Sum256([]byte("pertain fleet machine\x00" + hostname()))
	here := hex.EncodeToString(host[:8])
	if name, ok, err := readMachine(path, here); ok || err != nil {
		return name, err
	}
	target, unlock, err := writing.LockOwn(ctx, path)
	if err != nil {
		return "", err
	}
	defer unlock()
	if name, ok, err := readMachine(path, here); ok || err != nil { // somebody was first
		return name, err
	}
	var number [8]byte
	_, _ = rand.Read(number[:]) // never fails
	name := hex.EncodeToString(number[:])
	return name, target.Write([]byte(name+" "+here+"\n"), 0o600)
}

// hostname is that of the system; without one, machines are told apart by their folders alone.
func hostname() string {
	name, err := os.Hostname()
	if err != nil {
		return ""
	}
	return name
}

func readMachine(path, here string) (name string, ok bool, err error) {
	data, err := files.OS().ReadFile(path, 256)
	if errors.Is(err, fs.ErrNotExist) {
		return "", false, nil
	}
	if err != nil {
		return "", false, err
	}
	name, where, _ := strings.Cut(strings.TrimSpace(string(data)), " ")
	if len(name) != 16 || strings.Trim(name, "0123456789abcdef") != "" || where != here {
		return "", false, nil
	}
	return name, true, nil
}
