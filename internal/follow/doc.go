// Package follow calls a function again whenever something that it read on the real disk may be another.
//
// Start with [Changes]. The function reads through [Noted], and says with [Note] what it reads otherwise: these notes are what is
// followed. [Recording] notes the same for who asks later, perhaps in another process, whether anything has changed. [Share] has
// many followers use one watcher of the system.
package follow
