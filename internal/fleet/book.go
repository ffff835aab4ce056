package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/pertain-dev/pertain/internal/revision"
)

// Keys of the bucket of rules. Permissions by subject name them (docs/fleet.md).
const (
	headKey        = "head"
	manifestPrefix = "manifest."
	objectPrefix   = "object."
)

// Book is the revisions of rules, strategies and skills that a fleet has. Who reads trusts nothing that its keys did not sign.
type Book struct {
	fleet *Fleet
	trust revision.Trust
}

// Book is that of the fleet's namespace.
func (f *Fleet) Book(trust revision.Trust) *Book { return &Book{fleet: f, trust: trust} }

// ErrEmpty says that nothing was pushed yet.
var ErrEmpty = errors.New("nothing was pushed to the fleet yet")

// bucket finds the bucket, without making it: who reads has no right to.
func (b *Book) bucket(ctx context.Context) (jetstream.KeyValue, error) {
	js, err := b.fleet.JetStream(ctx)
	if err != nil {
		return nil, err
	}
	kv, err := once(ctx, b.fleet, func(ctx context.Context) (jetstream.KeyValue, error) {
		return js.KeyValue(ctx, b.fleet.config.BucketName(KindRules))
	})
	if missing(err) {
		return nil, ErrEmpty
	}
	return kv, err
}

// made is the bucket, made where it is missing. History is of no use: whatever is named by its content never changes, and revisions name their parents.
func (b *Book) made(ctx context.Context) (jetstream.KeyValue, error) {
	return b.fleet.Bucket(ctx, jetstream.KeyValueConfig{
		Bucket: b.fleet.config.BucketName(KindRules), Description: "pertain: revisions of rules", History: 1, MaxValueSize: maxValue,
	})
}

// maxValue is how large a value of the bucket may be: a manifest as JSON, with its signature.
const maxValue = 1<<20 - 4<<10

// Head is the revision in force, checked.
func (b *Book) Head(ctx context.Context) (*Sealed, error) {
	kv, err := b.bucket(ctx)
	if err != nil {
		return nil, err
	}
	return b.inForce(ctx, kv)
}

func (b *Book) inForce(ctx context.Context, kv jetstream.KeyValue) (*Sealed, error) {
	sum, _, err := b.pointer(ctx, kv)
	if err != nil {
		return nil, err
	}
	return b.sealed(ctx, kv, sum)
}

func (b *Book) value(ctx context.Context, kv jetstream.KeyValue, key string) (jetstream.KeyValueEntry, error) {
	return patiently(ctx, b.fleet, func(ctx context.Context) (jetstream.KeyValueEntry, error) { return kv.Get(ctx, key) })
}

// Sealed is a revision as the servers have it, and as it was checked.
type Sealed struct {
	*revision.Checked
	Sealed revision.Sealed
}

// sealed fetches a manifest and checks it.
func (b *Book) sealed(ctx context.Context, kv jetstream.KeyValue, sum string) (*Sealed, error) {
	entry, err := promised(ctx, func() (jetstream.KeyValueEntry, error) {
		entry, err := b.value(ctx, kv, manifestPrefix+sum)
		if errors.Is(err, jetstream.ErrKeyNotFound) {
			err = absentError("the fleet's pointer leads to a revision that is not there")
		}
		return entry, err
	})
	if err != nil {
		return nil, err
	}
	var s revision.Sealed
	if len(entry.Value()) > maxValue || json.Unmarshal(entry.Value(), &s) != nil {
		return nil, errors.New("the fleet's revision cannot be read: somebody else wrote it")
	}
	if revision.Sum([]byte(s.Manifest)) != sum {
		return nil, errors.New("the fleet's revision is not what its pointer names")
	}
	checked, err := b.trust.Check(s)
	if err != nil {
		return nil, err
	}
	return &Sealed{Checked: checked, Sealed: s}, nil
}

// Contents fetches files of a revision by their sums: those that lacks tells, nil means all. Each is compared with what was signed.
func (b *Book) Contents(ctx context.Context, s *Sealed, lacks func(sum string) bool) (map[string][]byte, error) {
	kv, err := b.bucket(ctx)
	if err != nil {
		return nil, err
	}
	return b.contents(ctx, kv, s, lacks)
}

func (b *Book) contents(ctx context.Context, kv jetstream.KeyValue, s *Sealed, lacks func(sum string) bool) (map[string][]byte, error) {
	out := make(map[string][]byte, len(s.Files))
	var wanted []revision.File
	for _, f := range s.Files {
		if _, ok := out[f.Sum]; !ok && (lacks == nil || lacks(f.Sum)) {
			out[f.Sum] = nil
			wanted = append(wanted, f)
		}
	}
	return out, inParallel(ctx, wanted, func(ctx context.Context, f revision.File) ([]byte, error) {
		return promised(ctx, func() ([]byte, error) { return b.object(ctx, kv, f) })
	}, func(f revision.File, data []byte) { out[f.Sum] = data })
}

func (b *Book) object(ctx context.Context, kv jetstream.KeyValue, f revision.File) ([]byte, error) {
	entry, err := b.value(ctx, kv, objectPrefix+f.Sum)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil, absentError(f.Path + " is not on the fleet's servers")
	}
	if err != nil {
		return nil, err
	}
	data := entry.Value()
	if len(data) != f.Size || revision.Sum(data) != f.Sum {
		return nil, fmt.Errorf("%s on the fleet's servers is not what was signed", f.Path)
	}
	return data, nil
}

// Revisions are those from the head back, the newest first, at most so many. One that cannot be read or was not signed ends the list, with the reason.
func (b *Book) Revisions(ctx context.Context, most int) ([]*Sealed, error) {
	kv, err := b.bucket(ctx)
	if err != nil {
		return nil, err
	}
	sum, _, err := b.pointer(ctx, kv)
	if err != nil {
		return nil, err
	}
	var out []*Sealed
	for sum != "" && len(out) < most {
		s, err := b.sealed(ctx, kv, sum)
		if err != nil {
			return out, err
		}
		if len(out) > 0 && s.Revision >= out[len(out)-1].Revision {
			return out, errors.New("the fleet's revisions are not in order")
		}
		out = append(out, s)
		sum = s.Parent
	}
	return out, nil
}

// Find is a revision by its number, or by the beginning of its sum.
func (b *Book) Find(ctx context.Context, number int64, sum string) (*Sealed, error) {
	all, err := b.Revisions(ctx, maxRevisions)
	for _, s := range all {
		if number > 0 && s.Revision == number || number == 0 && len(sum) >= 6 && len(s.Sum) >= len(sum) && s.Sum[:len(sum)] == sum {
			return s, nil
		}
	}
	if err == nil {
		err = errors.New("the fleet has no such revision; `pertain fleet list` shows those that it has")
	}
	return nil, err
}

// maxRevisions is how far back is looked.
const maxRevisions = 10_000
