package memorytest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/pertain-dev/pertain/stream"
	"github.com/pertain-dev/pertain/stream/memorytest"
)

// table keeps the records of many conversations, as a database would.
type table struct {
	mu   sync.RWMutex
	rows map[string][]byte
}

// conversation is a row of a table.
type conversation struct {
	table *table
	id    string
}

func (c conversation) Load(context.Context) (record stream.Record, err error) {
	c.table.mu.RLock()
	defer c.table.mu.RUnlock()
	if row, ok := c.table.rows[c.id]; ok {
		err = json.Unmarshal(row, &record)
	}
	return record, err
}

func (c conversation) Save(_ context.Context, record stream.Record) error {
	row, err := json.Marshal(record)
	if err != nil {
		return err
	}
	c.table.mu.Lock()
	defer c.table.mu.Unlock()
	c.table.rows[c.id] = row
	return nil
}

// In a test, call Run with the test's t:
//
//	memorytest.Run(t, func(t *testing.T) stream.Memory { return conversation{records, "one"} })
func Example() {
	records := &table{rows: make(map[string][]byte)}
	err := memorytest.Check(context.Background(), func() (stream.Memory, error) {
		return conversation{records, "one"}, nil
	})
	fmt.Println(err)
	// Output: <nil>
}
