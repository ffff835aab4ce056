// Package skill knows the skills of this machine: folders with a SKILL.md that
// holds long instructions (docs/reference/skills.md).
//
// Use a [Library]: [Library.Load] reads all skills into a [Registry],
// [Library.Read] reads what an address skill://ID/PATH stands for and never
// leaves the skill's folder, [Registry.Index] is the list of enabled skills for a
// prompt. Where skills are looked for is up to the caller ([Root]); pertain.Skills
// is the library of the usual folders.
//
// A Library is safe for concurrent use if its State is; a Registry is immutable.
package skill
