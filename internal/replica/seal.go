package replica

import (
	"bytes"
	"compress/flate"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
)

// sealVersion is the first byte of a sealed value.
const sealVersion = 1

// maxValue is how large a value may be when it is unpacked, in bytes.
const maxValue = 8 << 20

// errSeal is for what nobody sealed who knows the id.
var errSeal = errors.New("a shared value was not sealed by one who knows its id")

// seal is by what values of one kind and id are hidden. The shared store, and who may read all of it, learn neither names nor
// texts, and cannot make a value that is believed.
type seal struct {
	key  string // under which the value is kept
	aead cipher.AEAD
}

func newSeal(kind, id string) (seal, error) {
	sum := sha256.Sum256([]byte("pertain fleet key\x00" + kind + "\x00" + id))
	secret, err := hkdf.Key(sha256.New, []byte(id), []byte("pertain fleet value"), kind, 32)
	if err != nil {
		return seal{}, err
	}
	block, err := aes.NewCipher(secret)
	if err != nil {
		return seal{}, err
	}
	aead, err := cipher.NewGCM(block)
	return seal{key: hex.EncodeToString(sum[:16]), aead: aead}, err
}

// sealedState is the form of a shared value before it is sealed.
type sealedState struct {
	Clock Clock           `json:"clock"`
	Value json.RawMessage `json:"value"`
}

// close seals a state.
func (s seal) close(state State) ([]byte, error) {
	text, err := json.Marshal(sealedState{state.Clock, state.Value})
	if err != nil {
		return nil, err
	}
	packed, err := pack(text)
	if err != nil {
		return nil, err
	}
	nonce := make([]byte, s.aead.NonceSize())
	_, _ = rand.Read(nonce) // never fails
	return s.aead.Seal(append([]byte{sealVersion}, nonce...), nonce, packed, []byte(s.key)), nil
}

// Forms of a packed text, its first byte.
const (
	plain    = 0
	deflated = 1
)

// packedFrom is from how many bytes on a text is made smaller: less is not worth its time.
const packedFrom = 8 << 10

func pack(text []byte) ([]byte, error) {
	if len(text) < packedFrom {
		return append([]byte{plain}, text...), nil
	}
	out := bytes.NewBuffer([]byte{deflated})
	w, err := flate.NewWriter(out, flate.BestSpeed)
	if err == nil {
		_, err = w.Write(text)
	}
	if err == nil {
		err = w.Close()
	}
	return out.Bytes(), err
}

func unpack(data []byte) ([]byte, error) {
	switch {
	case len(data) == 0:
		return nil, errSeal
	case data[0] == plain:
		return data[1:], nil
	}
	text, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(data[1:])), maxValue+1))
	if err != nil || len(text) > maxValue {
		return nil, errSeal
	}
	return text, nil
}

// open unseals what close has sealed; no bytes are no value.
func (s seal) open(data []byte) (State, error) {
	if len(data) == 0 {
		return State{}, nil
	}
	size := s.aead.NonceSize()
	if len(data) < 1+size || data[0] != sealVersion {
		return State{}, errSeal
	}
	packed, err := s.aead.Open(nil, data[1:1+size], data[1+size:], []byte(s.key))
	if err != nil {
		return State{}, errSeal
	}
	text, err := unpack(packed)
	var state sealedState
	if err != nil || json.Unmarshal(text, &state) != nil || len(state.Value) == 0 {
		return State{}, errSeal
	}
	return State{Clock: state.Clock, Value: state.Value}, nil
}
