// Package cond is the condition language of strategies: what may stand under
// `when`.
//
// [Parse] turns the YAML into an [Expr] tree that knows its positions in the file
// and reports every mistake in structure, paths, operators and operands.
package cond
