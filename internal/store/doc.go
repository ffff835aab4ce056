// Package store keeps state that outlives a process.
//
// Use [OpenMemory] for the record of what was injected into one conversation: it
// meets stream.Memory with a file; [Skills] keeps which skills are enabled.
package store
