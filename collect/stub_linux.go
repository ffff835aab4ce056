package collect

import (
	"context"

	"github.com/pertain-dev/pertain/facts"
)

type warmth struct{}

func (*warmth) tree(window) (facts.Part, bool) { return facts.Part{}, false }

func (d *desktop) collectors() []facts.Collector {
	return []facts.Collector{
		selection{d},
		fileManager{d},
		visual{d, newPlaces()},
		clipboard{desktop: d, id: "linux.wayland.clipboard", wayland: true},
		clipboard{desktop: d, id: "linux.x11.clipboard"},
	}
}
func (d *desktop) watch(ctx context.Context, changed func()) error { return nil }
