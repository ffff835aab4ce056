// Package store keeps state that outlives a process.
//
// Use [Skills]: it keeps which skills are enabled. [Seal] tells files of one's own from
// those that a stranger's folder brings.
package store
