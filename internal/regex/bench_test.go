package regex_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/internal/regex"
)

// hostile are expressions that make backtracking engines exponential or
// quadratic, or automata large, each with a text of 1 MiB that brings it out.
var hostile = []struct {
	name    string
	pattern string
	text    string
}{
	{"nested", `^(a+)+\1$`, strings.Repeat("a", regex.MaxText-1) + "b"},
	{"nestedLinear", `^(a+)+$`, strings.Repeat("a", regex.MaxText-1) + "b"},
	{"alternation", `(?=(a|aa)+$)x`, strings.Repeat("a", regex.MaxText-1) + "x"},
	{"quadratic", `.*(?=x)y`, strings.Repeat("a", regex.MaxText-2) + "xy"},
	{"boundedGap", `a.{0,500}b`, strings.Repeat("a c ", regex.MaxText/4)},
	{"boundedGapWide", `a.{0,1500}b(?=c)`, strings.Repeat("acbd", regex.MaxText/4)},
	{"explodingStates", `(?:a|b)*a(?:a|b){16}c`, strings.Repeat("abbabaab", regex.MaxText/8)},
	{"lookBehind", `(?<=a.*)b(?<!x.*)c`, strings.Repeat("ab", regex.MaxText/2)},
	{"backReference", `(.*)\1\1z(?=\1)`, strings.Repeat("ab", regex.MaxText/2-1) + "z"},
	{"foldedReference", `(?i)(\w+)x\1y`, strings.Repeat("éa", regex.MaxText/3) + "xy"},
	{"unicodeClass", `[\w-[aeiou]]+(?=\W{3})\d`, strings.Repeat("дж", regex.MaxText/4)},
	{"lazy", `a.*?b.*?c.*?d(?=e)`, strings.Repeat("abc", regex.MaxText/3)},
	{"balancing", `^(?:(?<o>a)|(?<-o>b))*(?(o)(?!))c$`, strings.Repeat("aab", regex.MaxText/3-1) + "c"},
	{"emptyLoops", `(?:(?:a?)*?)*(?=b)bc(?!d)`, strings.Repeat("a", regex.MaxText-3) + "bcd"},
	{"manyLooks", `(?=.*q)(?=.*w)(?=.*e).*z(?!y)`, strings.Repeat("qwe ", regex.MaxText/4-1) + "zy"},
	{"memory", `^(?:(?=(a))(?=(a))(?=(a))(?=(a))a|b)*$`, strings.Repeat("a", regex.MaxText)},
	{"captures", `^(?:(a)(?!b))*\1b`, strings.Repeat("a", regex.MaxText-1) + "b"},
	{"balancedCaptures", `^(?:(?<o>a)|(?<p-o>b)|(?<-p>c))*(?(o)(?!))d`, strings.Repeat("aaabc", regex.MaxText/5-1) + "d"},
	{"longReference", `(a+)(?:b|\1)*c(?!d)`, strings.Repeat("a", regex.MaxText-2) + "cd"},
	{"negativeBehind", `(?<!a{1,500000})b`, strings.Repeat("aab", regex.MaxText/3)},
	{"slowSteps", `\w{0,600}[^a-y]{0,600}(?:é|ю){3}`, strings.Repeat("ab cюdé", regex.MaxText/9)},
	{"conditional", `(?((?=.*z)a)b|c+d)`, strings.Repeat("c", regex.MaxText)},
}

// BenchmarkTimeLimit reports by how much a limit of 50 ms is overrun, in percent
// (zero when the answer comes before it): the median and the worst of all runs.
// The worst tells more of what else the machine was doing. outcome is 2 when the
// limit was what ended the match.
func BenchmarkTimeLimit(b *testing.B) {
	const limit = 50 * time.Millisecond
	percentOver := func(took time.Duration) float64 {
		return max(0, float64(took-limit)/float64(limit)*100)
	}
	for _, h := range hostile {
		b.Run(h.name, func(b *testing.B) {
			re, bad := regex.Compile(h.pattern, regex.Options{})
			if bad != nil {
				b.Fatalf("%+v", *bad)
			}
			var times []time.Duration
			outcome := regex.Ok
			for b.Loop() {
				began := time.Now()
				_, outcome = re.MatchString(h.text, regex.Limit{Time: limit})
				times = append(times, time.Since(began))
			}
			slices.Sort(times)
			b.ReportMetric(percentOver(times[len(times)/2]), "%over-median")
			b.ReportMetric(percentOver(times[len(times)-1]), "%over-worst")
			b.ReportMetric(float64(outcome), "outcome")
		})
	}
}

// BenchmarkCompile is what loading a condition costs.
func BenchmarkCompile(b *testing.B) {
	for _, pattern := range []string{`\bTODO\b`, `(?i)error|warning|fatal`, `^https?://[\w.-]+/issues/\d+(?:\?.*)?$`, `(?<year>\d{4})-(?<month>\d\d)(?!\d)`} {
		b.Run(pattern, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, bad := regex.Compile(pattern, regex.Options{IgnoreCase: true}); bad != nil {
					b.Fatal(bad.Message)
				}
			}
		})
	}
}

// BenchmarkMatch is the common case: ordinary conditions over a page of prose
// that does not match, once the engine is built.
func BenchmarkMatch(b *testing.B) {
	text := strings.Repeat("The quick brown fox jumps over the lazy dog, naïvely; no errors were found at 10:42.\n", 100)
	for _, c := range []struct{ name, pattern string }{
		{"words", `\bTODO\b`},
		{"alternation", `fatal|panic|segfault`},
		{"classes", `\d{4}-\d\d-\d\d`},
		{"lookAhead", `(?=.*\d{5})fox`},
		{"backReference", `(\w)\1\1`},
	} {
		b.Run(c.name, func(b *testing.B) {
			re, bad := regex.Compile(c.pattern, regex.Options{IgnoreCase: true})
			if bad != nil {
				b.Fatal(bad.Message)
			}
			b.ReportAllocs()
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				re.MatchString(text, regex.Limit{Time: 50 * time.Millisecond})
			}
		})
	}
}

// BenchmarkBuild is what the first match adds to compiling.
func BenchmarkBuild(b *testing.B) {
	for _, pattern := range []string{`\bTODO\b`, `error|warning|fatal`, `[\w.-]+@[\w.-]+`} {
		b.Run(pattern, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				re, _ := regex.Compile(pattern, regex.Options{IgnoreCase: true})
				re.MatchString("x", regex.Limit{})
			}
		})
	}
}
