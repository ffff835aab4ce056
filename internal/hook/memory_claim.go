package hook

import "encoding/json"

// claim writes the record at once, before the agent is told of what it says. Where nothing but the memory can keep a turn from going on for ever,
// it is not to go on unless the next call will know of it: a full disk, or a folder that is gone, must not make it do so again and again.
func (m *memory) claim() error {
	if m.target.Path() == "" || m.unread {
		return errMemory
	}
	m.record.Known = true
	m.record.trimCalls()
	m.record.Edits++
	m.claimed = true
	return m.write()
}

// withdraw takes back what was claimed, where the agent was not told after all. If that fails, less than it might is said to it later.
func (m *memory) withdraw() {
	if !m.claimed {
		return
	}
	var before record
	if m.saved != nil && json.Unmarshal(m.saved, &before) != nil {
		return
	}
	if m.saved == nil { // what it is owed, it still is
		before.Owed, before.Named, before.Began = m.record.Owed, m.record.Named, m.record.Began
	}
	before.Known, before.Edits = true, m.record.Edits+1
	m.record, m.claimed = before, false
	_ = m.write() // see above
}
