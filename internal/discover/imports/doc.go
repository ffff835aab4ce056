// Package imports puts the files that the text of a rule names by `@path` into that
// text, as each agent does: where such a name may stand in Markdown, which files it
// may lead to, and how much all of them may add.
//
// Use [Project.Expand] first.
package imports
