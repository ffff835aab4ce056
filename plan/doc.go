// Package plan is what happens after a strategy was picked: the preprocessors
// that fill its variables. [Preprocessors] are those that Pertain has.
package plan
