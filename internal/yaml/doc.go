// Package yaml is the one package that knows the YAML library. It turns a part of
// a source into a tree of [Node] values that remember where they stand in the
// file, within limits that hostile input cannot get around.
//
// Use [Parse] first; [Repair] is for frontmatter that people really have and no
// YAML reader accepts.
package yaml
