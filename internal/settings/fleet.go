package settings

import (
	"net/url"
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/internal/revision"
)

// maxNamespace is the length of a namespace, in bytes: it is part of names that servers make files of.
const maxNamespace = 64

// fleetMistake says why a text cannot be the value of a setting of the fleet; empty: it can. It never holds the text, which may have a password in it.
func fleetMistake(key, text string) (message, hint string) {
	switch key {
	case "fleet.url":
		const form = "write such as `nats://10.0.0.1:4222`, or `tls://…` for a server that must encrypt"
		u, err := url.Parse(text)
		switch {
		case err != nil, u.Host == "", u.Scheme != "nats" && u.Scheme != "tls":
			return "this is no address of a NATS server", form
		case u.User != nil:
			return "an address holds no name and no password", "put the credentials into a file of their own, and its path into `fleet.credentials`"
		case u.Path != "" && u.Path != "/", u.RawQuery != "", u.Fragment != "":
			return "an address is a host and a port, and nothing after them", form
		}
	case "fleet.keys":
		if _, err := revision.ParseKey(text); err != nil {
			return err.Error(), "`pertain fleet keygen` prints one, and so does minisign into its `.pub` file"
		}
	case "fleet.namespace":
		if !isNamespace(text) {
			return "this is no namespace", "write letters of ASCII, digits, `-` and `_`, at most 64"
		}
	case "fleet.member":
		if !isNamespace(text) {
			return "this is no name of a member", "write letters of ASCII, digits, `-` and `_`, at most 64"
		}
	}
	return "", ""
}

func isNamespace(text string) bool {
	if text == "" || len(text) > maxNamespace {
		return false
	}
	return strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") == ""
}

// fleetTexts leaves out what cannot be meant. Where nothing is left of what was written, nothing holds.
func (r *reader) fleetTexts(row *row, nodes []*document.Node) []string {
	out := make([]string, 0, len(nodes))
	for _, node := range nodes {
		if message, hint := fleetMistake(row.key, node.Text); message != "" {
			r.list.Add(diag.At(r.source, node.Span(), diag.StrategyInvalidField, "`%s`: %s", row.key, message).WithHint("%s", hint))
			continue
		}
		out = append(out, node.Text)
	}
	return out
}
