// Package plan is what happens after a strategy was picked: preprocessors fill
// variables, templates become prompts, and the result is one [Plan] that can be
// stored and replayed.
//
// Use [Build] with a [Registry] of preprocessors. [Preprocessors] is the registry
// that Pertain has; of these, those that read files or web pages have to be
// put in by the program ([Registry.With]).
//
// Registries and plans are safe for concurrent use.
package plan
