package gateway_test

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/pertain-dev/pertain/gateway"
)

// sharedMemory keeps conversations as JSON, as one that outlives a process does.
type sharedMemory struct {
	mu  sync.Mutex
	all map[string]string
}

func (m *sharedMemory) Load(_ context.Context, id string) (c gateway.Conversation, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if text := m.all[id]; text != "" {
		err = json.Unmarshal([]byte(text), &c)
	}
	return c, err
}

func (m *sharedMemory) Update(ctx context.Context, id string, change func(*gateway.Conversation)) error {
	c, err := m.Load(ctx, id)
	if err != nil {
		return err
	}
	change(&c)
	text, err := json.Marshal(c)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.all == nil {
		m.all = map[string]string{}
	}
	m.all[id] = string(text)
	return err
}

func (m *sharedMemory) texts() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	var out []string
	for _, text := range m.all {
		out = append(out, text)
	}
	return out
}
