package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/pertain-dev/pertain/internal/revision"
)

// head is the pointer. It is not signed itself: what it names is, number included.
type head struct {
	Manifest string `json:"manifest"` // sum
}

// pointer reads the head. at is its number in the bucket, for compare-and-set; 0: there is none. The node that leads the bucket is asked first: any other may not
// have heard of the last push, and one whose disk is full never does. Where it does not answer, or may not be asked, any node does.
func (b *Book) pointer(ctx context.Context, kv jetstream.KeyValue) (sum string, at uint64, err error) {
	data, at, err := b.leading(ctx)
	if err != nil {
		if err = ctx.Err(); err != nil {
			return "", 0, err
		}
		entry, err := b.value(ctx, kv, headKey)
		switch {
		case errors.Is(err, jetstream.ErrKeyNotFound):
			return "", 0, ErrEmpty
		case err != nil:
			return "", 0, err
		}
		data, at = entry.Value(), entry.Revision()
	}
	if at == 0 {
		return "", 0, ErrEmpty
	}
	sum, err = parseHead(data)
	return sum, at, err
}

// leading asks the node that leads the bucket for the head; at is 0 where there is none, or it was deleted.
func (b *Book) leading(ctx context.Context) (data []byte, at uint64, err error) {
	js, err := b.fleet.JetStream(ctx)
	if err != nil {
		return nil, 0, err
	}
	ctx, cancel := context.WithTimeout(ctx, b.fleet.limits.Ask/4)
	defer cancel()
	bucket := b.fleet.config.BucketName(KindRules)
	request, err := json.Marshal(struct {
		Subject string `json:"last_by_subj"`
	}{"$KV." + bucket + "." + headKey})
	if err != nil {
		return nil, 0, err
	}
	asked := time.Now()
	reply, err := js.Conn().RequestWithContext(ctx, jetstream.DefaultAPIPrefix+"STREAM.MSG.GET.KV_"+bucket, request)
	err = b.fleet.hear(asked, err)
	if err != nil {
		return nil, 0, err
	}
	var answer struct {
		Error   *jetstream.APIError
		Message *struct {
			Seq  uint64
			Hdrs []byte
			Data []byte
		}
	}
	switch err := json.Unmarshal(reply.Data, &answer); {
	case err != nil:
		return nil, 0, err
	case answer.Error != nil && answer.Error.ErrorCode == jetstream.JSErrCodeMessageNotFound:
		return nil, 0, nil
	case answer.Error != nil:
		return nil, 0, answer.Error
	case answer.Message == nil:
		return nil, 0, errors.New("the server's answer holds no message")
	}
	header, err := nats.DecodeHeadersMsg(answer.Message.Hdrs)
	if len(answer.Message.Hdrs) > 0 && (err != nil || header.Get("KV-Operation") != "") { // it was deleted
		return nil, 0, nil
	}
	return answer.Message.Data, answer.Message.Seq, nil
}

func parseHead(data []byte) (string, error) {
	var h head
	if len(data) > 1<<10 || json.Unmarshal(data, &h) != nil || !revision.IsSum(h.Manifest) {
		return "", errors.New("the fleet's pointer cannot be read: somebody else wrote it")
	}
	return h.Manifest, nil
}

// absentError says that what is named by something on the servers is not there itself.
type absentError string

func (e absentError) Error() string { return string(e) }

// behind is for how long a node may not have heard of what another one has.
const behind = time.Second

// promised asks again, for a moment, for what must be there since something that is there names it: any node may answer.
func promised[T any](ctx context.Context, ask func() (T, error)) (T, error) {
	for pause, end := behind/64, time.Now().Add(behind); ; pause *= 2 {
		got, err := ask()
		var absent absentError
		if !errors.As(err, &absent) || time.Now().After(end) {
			return got, err
		}
		select {
		case <-ctx.Done():
			return got, ctx.Err()
		case <-time.After(pause):
		}
	}
}
