package store

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/writing"
)

// Seal tells what this user's Pertain wrote from what somebody else did, for files that
// are kept where strangers may bring some too: a mark in them that nobody can make
// without a key, which only the user can read.
type Seal struct {
	Path string // file of the key, absolute; empty: there is no place for it, so that nothing can be marked and no mark holds
}

// keySize is that of a key, in bytes.
const keySize = 32

// maxKey is how much of the file is read, in bytes.
const maxKey = 4 << 10

// Mark is the mark of a text under a name, such as its path: it holds for no other text
// and under no other name. The first call makes the key.
func (s Seal) Mark(ctx context.Context, name string, text []byte) (string, error) {
	key, err := s.key()
	if errors.Is(err, fs.ErrNotExist) {
		key, err = s.newKey(ctx)
	}
	if err != nil {
		return "", err
	}
	return hex.EncodeToString(mark(key, name, text)), nil
}

// Holds tells whether a mark is that of a text under a name.
func (s Seal) Holds(name string, text []byte, said string) bool {
	sum, err := hex.DecodeString(said)
	if err != nil || len(sum) != sha256.Size {
		return false
	}
	key, err := s.key()
	return err == nil && hmac.Equal(sum, mark(key, name, text))
}

func mark(key []byte, name string, text []byte) []byte {
	h := hmac.New(sha256.New, key)
	fmt.Fprintf(h, "%d\n%s\n", len(name), name)
	h.Write(text)
	return h.Sum(nil)
}

func (s Seal) key() ([]byte, error) {
	if s.Path == "" {
		return nil, errors.New("there is no folder to keep a key in; set HOME to an absolute path")
	}
	data, err := files.OS().ReadFile(s.Path, maxKey)
	if err != nil {
		return nil, err
	}
	key, err := hex.DecodeString(strings.TrimSpace(string(data)))
	if err != nil || len(key) != keySize {
		return nil, fmt.Errorf("%s is no key that Pertain made; remove it, and another one is made", s.Path)
	}
	return key, nil
}

// newKey makes the key, unless another call was first.
func (s Seal) newKey(ctx context.Context) ([]byte, error) {
	target, unlock, err := writing.LockOwn(ctx, s.Path)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if key, err := s.key(); !errors.Is(err, fs.ErrNotExist) {
		return key, err
	}
	key := make([]byte, keySize)
	if _, err := rand.Read(key); err != nil {
		return nil, err
	}
	return key, target.Write([]byte(hex.EncodeToString(key)+"\n"), 0o600)
}
