package stream

import (
	"strings"

	"github.com/spf13/viper"
	"github.com/zricethezav/gitleaks/v8/config"
)

// gitleaks gives the expressions of gitleaks' own rules, as its authors have written them,
// and the same as a trigger has them.
func gitleaks() (patterns, triggers []string, err error) {
	v := viper.New()
	v.SetConfigType("toml")
	if err := v.ReadConfig(strings.NewReader(config.DefaultConfig)); err != nil {
		return nil, nil, err
	}
	var all config.ViperConfig
	if err := v.Unmarshal(&all); err != nil {
		return nil, nil, err
	}
	for _, rule := range all.Rules {
		if rule.Regex != "" {
			patterns = append(patterns, rule.Regex)
			triggers = append(triggers, ecmascript(rule.Regex))
		}
	}
	return patterns, triggers, nil
}

// ecmascript writes an expression of Go's as ECMAScript does: flags in the middle of a
// group become a group up to its end, and what has another name gets it.
func ecmascript(pattern string) string {
	var b strings.Builder
	opened := [][]string{nil} // by group: those that were opened in it for flags
	last := func() []string { return opened[len(opened)-1] }
	class := false
	for i := 0; i < len(pattern); {
		rest := pattern[i:]
		flags, isFlags := inlineFlags(rest)
		switch {
		case strings.HasPrefix(rest, `\z`) && !class:
			b.WriteByte('$')
			i += 2
		case rest[0] == '\\':
			b.WriteString(rest[:2])
			i += 2
		case class && strings.HasPrefix(rest, "[:alnum:]"):
			b.WriteString("0-9A-Za-z")
			i += len("[:alnum:]")
		case class:
			class = rest[0] != ']'
			b.WriteByte(rest[0])
			i++
		case strings.HasPrefix(rest, "(?P<"):
			b.WriteString("(?<")
			opened = append(opened, nil)
			i += len("(?P<")
		case isFlags && i == 0:
			b.WriteString(flags)
			i += len(flags)
		case isFlags:
			group := flags[:len(flags)-1] + ":"
			b.WriteString(group)
			opened[len(opened)-1] = append(last(), group)
			i += len(flags)
		case rest[0] == '(':
			opened = append(opened, nil)
			b.WriteByte('(')
			i++
		case rest[0] == ')':
			b.WriteString(strings.Repeat(")", 1+len(last())))
			opened = opened[:len(opened)-1]
			i++
		case rest[0] == '|': // flags go on in the other alternatives
			b.WriteString(strings.Repeat(")", len(last())) + "|" + strings.Join(last(), ""))
			i++
		default:
			class = rest[0] == '['
			b.WriteByte(rest[0])
			i++
		}
	}
	b.WriteString(strings.Repeat(")", len(last())))
	return b.String()
}

// inlineFlags gives a group that does nothing but set flags.
func inlineFlags(text string) (string, bool) {
	if !strings.HasPrefix(text, "(?") {
		return "", false
	}
	end := strings.IndexByte(text, ')')
	if end < 0 || strings.Trim(text[2:end], "ims-") != "" {
		return "", false
	}
	return text[:end+1], true
}
