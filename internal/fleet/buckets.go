package fleet

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Bucket is a key-value bucket of the fleet. One that is missing is made as config says, three times in a cluster and once on a server
// that stands alone, unless config says how often. What is there stays as it is: its replicas and its size are the operator's.
func (f *Fleet) Bucket(ctx context.Context, config jetstream.KeyValueConfig) (jetstream.KeyValue, error) {
	return ensure(ctx, f,
		func(ctx context.Context, js jetstream.JetStream) (jetstream.KeyValue, error) {
			return js.KeyValue(ctx, config.Bucket)
		},
		func(ctx context.Context, js jetstream.JetStream, replicas int) (jetstream.KeyValue, error) {
			made := config
			if made.Replicas == 0 {
				made.Replicas = replicas
			}
			return js.CreateKeyValue(ctx, made)
		})
}

// Stream is a stream of the fleet, made as Bucket makes one.
func (f *Fleet) Stream(ctx context.Context, config jetstream.StreamConfig) (jetstream.Stream, error) {
	return ensure(ctx, f,
		func(ctx context.Context, js jetstream.JetStream) (jetstream.Stream, error) {
			return js.Stream(ctx, config.Name)
		},
		func(ctx context.Context, js jetstream.JetStream, replicas int) (jetstream.Stream, error) {
			made := config
			if made.Replicas == 0 {
				made.Replicas = replicas
			}
			return js.CreateStream(ctx, made)
		})
}

// Waits between tries to make something.
const (
	firstPause = 100 * time.Millisecond
	mostPause  = time.Second
)

// ensure looks for something on the servers and makes it where it is missing. On a new cluster both may fail until its nodes have chosen a leader,
// so that they are tried again until [Limits.Create] is over.
func ensure[T any](ctx context.Context, f *Fleet, find func(context.Context, jetstream.JetStream) (T, error), make func(context.Context, jetstream.JetStream, int) (T, error)) (T, error) {
	var none T
	ctx, cancel := context.WithTimeout(ctx, f.limits.Create)
	defer cancel()
	js, err := f.JetStream(ctx)
	if err != nil {
		return none, err
	}
	replicas := []int{3, 1} // a lone server refuses three
	for pause := firstPause; ; pause = min(2*pause, mostPause) {
		found, err := once(ctx, f, func(ctx context.Context) (T, error) { return find(ctx, js) })
		if err == nil {
			return found, nil
		}
		if missing(err) {
			for _, n := range replicas {
				found, err = once(ctx, f, func(ctx context.Context) (T, error) { return make(ctx, js, n) })
				if err == nil {
					return found, nil
				}
				if !lone(err) {
					break
				}
			}
		}
		if refused(err) {
			return none, err
		}
		select {
		case <-ctx.Done():
			return none, fmt.Errorf("the fleet's servers did not take it within %s: %w", f.limits.Create, err)
		case <-time.After(pause):
		}
	}
}

// once bounds one question by [Limits.Ask].
func once[T any](ctx context.Context, f *Fleet, ask func(context.Context) (T, error)) (T, error) {
	return insist(ctx, f, ask, func(error) bool { return false })
}

// patiently asks once more, within [Limits.Ask], where nobody takes the question yet: a bucket that was just made has a name before all its nodes listen.
func patiently[T any](ctx context.Context, f *Fleet, ask func(context.Context) (T, error)) (T, error) {
	return insist(ctx, f, ask, func(err error) bool {
		return errors.Is(err, nats.ErrNoResponders) || errors.Is(err, jetstream.ErrNoStreamResponse)
	})
}

// insist asks one question within [Limits.Ask]: where there is no answer for a part of that time, again, which may be at another server (see silence). Whoever
// writes so must be able to tell that the first one has come there.
func insist[T any](ctx context.Context, f *Fleet, ask func(context.Context) (T, error), early func(error) bool) (T, error) {
	bounded, cancel := context.WithTimeout(ctx, f.limits.Ask)
	defer cancel()
	for pause := firstPause; ; pause = min(2*pause, mostPause) {
		asked := time.Now()
		part, cancel := context.WithTimeout(bounded, f.limits.Ask*2/5)
		answer, err := ask(part)
		cancel()
		err = f.hear(asked, err)
		late := errors.Is(err, context.DeadlineExceeded) || errors.Is(err, nats.ErrTimeout)
		if !late && !early(err) && !(IsAway(err) && f.moving()) {
			return answer, err
		}
		select {
		case <-bounded.Done():
			return answer, err
		case <-time.After(pause):
		}
	}
}

func missing(err error) bool {
	return errors.Is(err, jetstream.ErrBucketNotFound) || errors.Is(err, jetstream.ErrStreamNotFound)
}

// notClustered is the code by which a server refuses several replicas since it stands alone. A cluster that lacks nodes has another one: there
// it is tried again, since one replica in a cluster that is just starting would stay one.
const notClustered = 10074

func lone(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && api.ErrorCode == notClustered
}

// refused tells whether trying again cannot help.
func refused(err error) bool {
	return errors.Is(err, nats.ErrAuthorization) || errors.Is(err, nats.ErrPermissionViolation) || errors.Is(err, ErrClosed) ||
		errors.Is(err, jetstream.ErrJetStreamNotEnabled) || errors.Is(err, jetstream.ErrInvalidBucketName)
}
