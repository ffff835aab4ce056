// Package skillfolder says which folders hold skills, and resolves the skills that
// `from` names. Reading skills is the matter of package skill.
//
// Use [Roots] first.
package skillfolder
