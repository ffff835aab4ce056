package fleet

import (
	"crypto/rand"
	"errors"
	"fmt"

	"aead.dev/minisign"

	"github.com/pertain-dev/pertain/internal/revision"
)

// Signer is a private key.
type Signer struct{ key minisign.PrivateKey }

// LoadSigner reads a private key in minisign's form. password is asked only for one that is encrypted. No error holds anything of the key.
func LoadSigner(path string, password func() (string, error)) (*Signer, error) {
	text, err := ReadSecret(path)
	if err != nil {
		return nil, err
	}
	s := &Signer{}
	if !minisign.IsEncrypted(text) {
		if err := s.key.UnmarshalText(text); err != nil {
			return nil, fmt.Errorf("%s is no private key in minisign's form", path)
		}
		return s, nil
	}
	secret, err := password()
	if err != nil {
		return nil, err
	}
	if s.key, err = minisign.DecryptKey(secret, text); err != nil {
		return nil, fmt.Errorf("%s cannot be decrypted: the password is another, or the file is damaged", path)
	}
	return s, nil
}

// NewSigner makes a key.
func NewSigner() (*Signer, error) {
	_, key, err := minisign.GenerateKey(rand.Reader)
	return &Signer{key}, err
}

// Text is the private key as minisign's file has it; with a password it is encrypted.
func (s *Signer) Text(password string) ([]byte, error) {
	if password == "" {
		text, err := s.key.MarshalText()
		return append(text, '\n'), err
	}
	text, err := minisign.EncryptKey(password, s.key)
	return append(text, '\n'), err
}

// Public is the key that others list.
func (s *Signer) Public() (revision.Key, error) {
	public, ok := s.key.Public().(minisign.PublicKey)
	if !ok {
		return revision.Key{}, errors.New("the key has no public part")
	}
	return revision.ParseKey(public.String())
}

// Sign signs a text; the comment is signed with it.
func (s *Signer) Sign(text []byte, comment string) string {
	return string(minisign.SignWithComments(s.key, text, comment, "signature of a fleet's revision"))
}
