// Package httpapi is `pertain serve`: a JSON API over the same forms as the
// command line's, server-sent events for what changes, metrics, and a page for
// people, all embedded.
//
// Use [New] and [Server.Serve]. The routes are one table in routes.go; the
// OpenAPI description is made of it.
//
// It is made for one user on one machine. Every request must name a host that
// the server knows, so that a foreign name that was pointed at this machine gets
// nothing (DNS rebinding); come from no other site; and, but for the page's own
// files and /healthz, bear the token. What a request holds is never logged, and
// no metric has a label that comes from the context.
package httpapi
