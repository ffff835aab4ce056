package cli

import (
	"net/netip"
	"strconv"
	"strings"
)

// serveAddress is where a server listens and by which names it is reached.
type serveAddress struct {
	address netip.AddrPort
	hosts   []string // as --host says: names in small letters and addresses, without a port
}

// checkListen refuses an address that others can reach unless the names are told
// by which they do.
func checkListen(flags serveFlags) (serveAddress, error) {
	var at serveAddress
	var err error
	if at.address, err = netip.ParseAddrPort(flags.listen); err != nil {
		return at, usage("--listen %s: write an address and a port, such as 127.0.0.1:7351 or [::1]:0", flags.listen)
	}
	if !at.local() && len(flags.hosts) == 0 {
		return at, usage("--listen %s: other machines can reach this address; name each host name or address by which they do with --host", flags.listen)
	}
	for _, host := range flags.hosts {
		name, ok := hostName(host)
		if !ok {
			return at, usage("--host %q: write a name such as workstation.local, or an address, and no port", host)
		}
		at.hosts = append(at.hosts, name)
	}
	return at, nil
}

// local tells whether this machine alone can connect.
func (at serveAddress) local() bool { return at.address.Addr().IsLoopback() }

// url is the address that a browser opens: one which the server answers to.
// listening is where the server says that it listens; the port may have been any.
func (at serveAddress) url(listening string) string {
	port := at.address.Port()
	if heard, err := netip.ParseAddrPort(listening); err == nil {
		port = heard.Port()
	}
	host := at.address.Addr().String()
	if !at.local() {
		host = at.hosts[0]
	}
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	return "http://" + host + ":" + strconv.Itoa(int(port)) + "/"
}

// hostName reads a name or an address by which a server is reached, as browsers
// write it in the Host header.
func hostName(text string) (string, bool) {
	address, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(text, "["), "]"))
	if err == nil {
		return address.String(), address.Zone() == "" && !address.IsUnspecified() && strings.HasPrefix(text, "[") == strings.HasSuffix(text, "]")
	}
	name := strings.ToLower(strings.TrimSuffix(text, "."))
	if len(name) > 253 {
		return "", false
	}
	for label := range strings.SplitSeq(name, ".") {
		if label == "" || len(label) > 63 || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return "", false
		}
	}
	return name, true
}
