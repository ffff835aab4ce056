package revision

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"aead.dev/minisign"
)

// Key is a public key whose revisions are taken.
type Key struct{ public minisign.PublicKey }

// ParseKey reads a key in minisign's form: `RW…`, or the text of a `.pub` file with its comment.
func ParseKey(text string) (Key, error) {
	var k Key
	if err := k.public.UnmarshalText([]byte(strings.TrimSpace(text))); err != nil {
		return Key{}, errors.New("this is no public key in minisign's form, which begins with `RW` and has 56 characters")
	}
	return k, nil
}

// ID is the short form of the key that minisign shows.
func (k Key) ID() string { return fmt.Sprintf("%016X", k.public.ID()) }

// String is the key as the setting takes it.
func (k Key) String() string {
	text := k.public.String()
	return text[strings.LastIndexByte(text, '\n')+1:]
}

// Trust is what the user's settings say about whose revisions count.
type Trust struct {
	Namespace string
	Keys      []Key
}

// NewTrust reads keys as settings have them. What is no key is told and left out.
func NewTrust(namespace string, keys []string) (Trust, []error) {
	t := Trust{Namespace: namespace}
	var problems []error
	for i, text := range keys {
		key, err := ParseKey(text)
		if err != nil {
			problems = append(problems, fmt.Errorf("`fleet.keys`, number %d: %w", i+1, err))
			continue
		}
		t.Keys = append(t.Keys, key)
	}
	return t, problems
}

// lists tells whether revisions of a key count.
func (t Trust) lists(key string) bool {
	return slices.ContainsFunc(t.Keys, func(k Key) bool { return k.String() == key })
}

// What makes a revision unusable, whoever handed it over.
var (
	ErrNoKeys    = errors.New("`fleet.keys` names no key: rules of the fleet are not used")
	ErrUnsigned  = errors.New("the revision is not signed")
	ErrSignature = errors.New("the revision is signed by none of the keys in `fleet.keys`, or was changed since")
)

// Checked is a manifest that one of the user's keys signed for the user's namespace.
type Checked struct {
	*Manifest
	Sum   string // of its bytes
	KeyID string // of who signed it, for people: whoever makes a key chooses it
	Key   string // of who signed it, whole
}

// Check takes a manifest only if a key signed it for this namespace, and what it lists is within bounds.
func (t Trust) Check(sealed Sealed) (*Checked, error) {
	if len(t.Keys) == 0 {
		return nil, ErrNoKeys
	}
	if len(sealed.Manifest) > MaxManifest || len(sealed.Signature) > maxSignature {
		return nil, errors.New("the revision is larger than one can be")
	}
	if strings.TrimSpace(sealed.Signature) == "" {
		return nil, ErrUnsigned
	}
	for _, key := range t.Keys {
		if !minisign.Verify(key.public, []byte(sealed.Manifest), []byte(sealed.Signature)) {
			continue
		}
		m, err := decode([]byte(sealed.Manifest))
		if err != nil {
			return nil, err
		}
		if m.Namespace != t.Namespace {
			return nil, errors.New("the revision was signed for another namespace")
		}
		return &Checked{Manifest: m, Sum: Sum([]byte(sealed.Manifest)), KeyID: key.ID(), Key: key.String()}, nil
	}
	return nil, ErrSignature
}

// maxSignature is how long one can be, in bytes.
const maxSignature = 4 << 10

// Sealed is a manifest with its signature, as servers have them.
type Sealed struct {
	Manifest  string `json:"manifest"`
	Signature string `json:"signature"`
}
