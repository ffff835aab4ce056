// Package strategy reads strategy files: a document becomes a definition of a
// known version, and the normalizer turns that into a runtime [Strategy] with
// an id, defaults filled in, its `from` source merged and everything checked.
//
// Use a [Normalizer]; its zero value works without `from`, and knows the
// documented defaults.
//
// Strategies are immutable and safe for concurrent use once normalized.
package strategy
