// Package facts is the model of what is happening now: the context that
// conditions are matched against and prompts are filled from.
//
// A [Snapshot] holds values by path ([Lookup] finds a path's row in the schema,
// [Snapshot.At] its value) and the visible elements as a [Tree]. What is absent
// knows why ([Absence]); that is not the same as empty. Build one from a file
// with [Decode], from Go values with [NewSnapshot], or from the machine with a
// [Gatherer], which asks [Collector]s for what conditions need and no more.
//
// A Snapshot is immutable and safe for concurrent use; parts that are expensive
// to read, such as an element's text, are read when something first asks for
// them, and at most once.
package facts
