package main

import (
	"fmt"
	"html"
	"io"
	"math"
	"slices"
	"strings"
)

// Sizes in pixels.
const (
	width, height = 900, 400
	panelWidth    = 450
	left, right   = 62, 88 // inside a panel: room for the scale, and for the names
	top, bottom   = 52, 64
)

// style has colours that are readable on white and on black, and the few that
// change with the mode.
const style = `
    text { font: 12px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #57606a; }
    .title { font-size: 14px; font-weight: 600; fill: #24292f; }
    .grid { stroke: #d0d7de; stroke-width: 1; }
    .line { fill: none; stroke-width: 2; }
    .own { stroke-width: 3.5; }
    .name { font-weight: 600; }
    @media (prefers-color-scheme: dark) {
      text { fill: #9da7b3; }
      .title { fill: #e6edf3; }
      .grid { stroke: #30363d; }
    }
`

var colours = map[string]string{
	"Pertain": "#1a9850", "walk": "#8c96a0", "expr": "#d9822b", "cel-go": "#3b82f6", "opa": "#a855c7",
	"antchfx": "#d9822b", "recursive": "#8c96a0",
}

func draw(out io.Writer, panels ...panel) error {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-label="%s">`+"\n",
		width, height, width, height, "Times of Pertain and its peers, by size")
	b.WriteString("  <style>" + style + "  </style>\n")
	for i, p := range panels {
		fmt.Fprintf(&b, `  <g transform="translate(%d 0)">`+"\n", i*panelWidth)
		p.draw(&b)
		b.WriteString("  </g>\n")
	}
	b.WriteString("</svg>\n")
	_, err := io.WriteString(out, b.String())
	return err
}

// scale maps powers of ten to pixels.
type scale struct {
	low, high float64 // exponents
	from, to  float64
}

func (s scale) at(value float64) float64 {
	return s.from + (math.Log10(value)-s.low)/(s.high-s.low)*(s.to-s.from)
}

func (p panel) scales() (x, y scale) {
	x = scale{low: math.Inf(1), high: math.Inf(-1), from: left, to: panelWidth - right}
	y = scale{low: math.Inf(1), high: math.Inf(-1), from: height - bottom, to: top}
	for _, s := range p.series {
		for _, q := range s.points {
			x.low, x.high = math.Min(x.low, math.Log10(q.n)), math.Max(x.high, math.Log10(q.n))
			y.low, y.high = math.Min(y.low, math.Log10(q.ns)), math.Max(y.high, math.Log10(q.ns))
		}
	}
	y.low, y.high = math.Floor(y.low), math.Ceil(y.high)
	return x, y
}

func (p panel) draw(b *strings.Builder) {
	x, y := p.scales()
	fmt.Fprintf(b, `    <text class="title" x="%d" y="24">%s</text>`+"\n", left, html.EscapeString(p.title))
	for e := y.low; e <= y.high; e++ {
		at := y.at(math.Pow(10, e))
		fmt.Fprintf(b, `    <line class="grid" x1="%d" y1="%.1f" x2="%d" y2="%.1f"/>`+"\n", left, at, panelWidth-right, at)
		fmt.Fprintf(b, `    <text x="%d" y="%.1f" text-anchor="end">%s</text>`+"\n", left-8, at+4, timeText(e))
	}
	for e := math.Ceil(x.low); e <= x.high; e++ {
		fmt.Fprintf(b, `    <text x="%.1f" y="%d" text-anchor="middle">%s</text>`+"\n", x.at(math.Pow(10, e)), height-bottom+20, grouped(int(math.Pow(10, e))))
	}
	fmt.Fprintf(b, `    <text x="%d" y="%d">%s</text>`+"\n", left, height-16, html.EscapeString(p.xLabel))
	for _, s := range slices.Backward(p.series) { // Pertain on top
		class := "line"
		if s.name == "Pertain" {
			class = "line own"
		}
		var path strings.Builder
		for i, q := range s.points {
			fmt.Fprintf(&path, "%c%.1f %.1f ", "ML"[min(i, 1)], x.at(q.n), y.at(q.ns))
		}
		fmt.Fprintf(b, `    <path class="%s" stroke="%s" d="%s"/>`+"\n", class, colours[s.name], strings.TrimSpace(path.String()))
		for _, q := range s.points {
			fmt.Fprintf(b, `    <circle cx="%.1f" cy="%.1f" r="3" fill="%s"/>`+"\n", x.at(q.n), y.at(q.ns), colours[s.name])
		}
	}
	p.names(b, x, y)
}

// names writes each engine's name at the end of its line, moved apart where
// lines end close to each other.
func (p panel) names(b *strings.Builder, x, y scale) {
	type label struct {
		name string
		x, y float64
	}
	var labels []label
	for _, s := range p.series {
		last := s.points[len(s.points)-1]
		labels = append(labels, label{s.name, x.at(last.n) + 8, y.at(last.ns) + 4})
	}
	slices.SortStableFunc(labels, func(a, b label) int { return int(a.y - b.y) })
	for i, l := range labels {
		if i > 0 && l.y < labels[i-1].y+14 {
			labels[i].y = labels[i-1].y + 14
		}
		fmt.Fprintf(b, `    <text class="name" x="%.1f" y="%.1f" style="fill:%s">%s</text>`+"\n", labels[i].x, labels[i].y, colours[l.name], html.EscapeString(l.name))
	}
}

// timeText is a power of ten of nanoseconds.
func timeText(exponent float64) string {
	units := []string{"ns", "µs", "ms", "s"}
	e := int(exponent)
	unit := min(e/3, len(units)-1)
	return fmt.Sprintf("%d %s", int(math.Pow(10, float64(e-3*unit))), units[unit])
}

func grouped(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d,%03d", n/1000, n%1000)
}
