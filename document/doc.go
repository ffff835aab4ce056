// Package document reads Markdown files with YAML frontmatter: the bytes become
// a decoded [diag.Source], the frontmatter a tree of nodes that know their
// position in the file, the rest a body.
//
// Use [Decode] on what was read from a file, then [Parse] in one of two modes:
// Strict for strategies, where a doubtful file is an error, and Lenient for
// rules and skills, where nothing that has a body is ever dropped. [ParseYAML] is for
// files that are YAML as a whole. This is the one package that knows the YAML
// library; limits hold that hostile input cannot get around.
package document
