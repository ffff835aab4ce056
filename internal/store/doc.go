// Package store keeps state that outlives a process.
//
// Use [Skills]: it keeps which skills are enabled.
package store
