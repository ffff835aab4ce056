//go:build desktop && linux

package collect_test

import (
	"bytes"
	"cmp"
	"image"
	"image/color"
	"image/gif"
	"maps"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
)

// film is what was on the screen, picture by picture.
type film struct {
	t      *testing.T
	x      *xgb.Conn
	root   xproto.Window
	size   image.Rectangle
	say    func(text string)
	shots  []shot
	shaken int // pictures that were taken while something still moved
}

type shot struct {
	pixels []byte // blue, green, red and one more
	lasts  time.Duration
}

func newFilm(t *testing.T, s *session) *film {
	t.Helper()
	x, err := xgb.NewConnDisplay(s.display)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(x.Close)
	screen := xproto.Setup(x).DefaultScreen(x)
	return &film{t: t, x: x, root: screen.Root, size: image.Rect(0, 0, int(screen.WidthInPixels), int(screen.HeightInPixels))}
}

func (f *film) screen() []byte {
	f.t.Helper()
	answer, err := xproto.GetImage(f.x, xproto.ImageFormatZPixmap, xproto.Drawable(f.root), 0, 0, uint16(f.size.Dx()), uint16(f.size.Dy()), ^uint32(0)).Reply()
	if err != nil {
		f.t.Fatal(err)
	}
	if want := 4 * f.size.Dx() * f.size.Dy(); len(answer.Data) < want {
		f.t.Fatalf("a picture of %d bytes", len(answer.Data))
	}
	return answer.Data
}

// take says what is to be seen and takes a picture once nothing moves any more.
func (f *film) take(caption string, lasts time.Duration) {
	f.t.Helper()
	f.say(caption)
	before := f.screen()
	still := 0
	for end := time.Now().Add(patience); still < 4 && time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		now := f.screen()
		still++
		if !bytes.Equal(now, before) {
			still = 0
		}
		before = now
	}
	if still < 4 {
		f.shaken++
	}
	f.shots = append(f.shots, shot{before, lasts})
}

// write writes an animated picture, of which each part changes only what differs from
// the one before.
func (f *film) write(path string) {
	f.t.Helper()
	palette := f.palette()
	index := map[color.RGBA]uint8{}
	at := func(pixels []byte, i int) uint8 {
		c := color.RGBA{pixels[4*i+2], pixels[4*i+1], pixels[4*i], 255}
		n, known := index[c]
		if !known {
			n = uint8(palette.Index(c))
			index[c] = n
		}
		return n
	}
	all := &gif.GIF{Config: image.Config{ColorModel: palette, Width: f.size.Dx(), Height: f.size.Dy()}}
	for n, shot := range f.shots {
		area := f.size
		if n > 0 {
			area = f.changed(f.shots[n-1].pixels, shot.pixels)
		}
		if area.Empty() {
			area = image.Rect(0, 0, 1, 1)
		}
		picture := image.NewPaletted(area, palette)
		for y := area.Min.Y; y < area.Max.Y; y++ {
			for x := area.Min.X; x < area.Max.X; x++ {
				picture.Pix[picture.PixOffset(x, y)] = at(shot.pixels, y*f.size.Dx()+x)
			}
		}
		all.Image = append(all.Image, picture)
		all.Delay = append(all.Delay, int(shot.lasts/(10*time.Millisecond)))
		all.Disposal = append(all.Disposal, gif.DisposalNone)
	}
	var out bytes.Buffer
	if err := gif.EncodeAll(&out, all); err != nil {
		f.t.Fatal(err)
	}
	if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil { //nolint:gosec // a document
		f.t.Fatal(err)
	}
	f.t.Logf("%s: %d pictures, %d bytes, %d taken while something moved", path, len(f.shots), out.Len(), f.shaken)
}

// palette are the colors that are seen most.
func (f *film) palette() color.Palette {
	seen := map[color.RGBA]int{}
	for _, shot := range f.shots {
		for i := 0; i < 4*f.size.Dx()*f.size.Dy(); i += 4 {
			seen[color.RGBA{shot.pixels[i+2], shot.pixels[i+1], shot.pixels[i], 255}]++
		}
	}
	order := slices.SortedFunc(maps.Keys(seen), func(a, b color.RGBA) int {
		return cmp.Or(seen[b]-seen[a], cmp.Compare(uint32(a.R)<<16|uint32(a.G)<<8|uint32(a.B), uint32(b.R)<<16|uint32(b.G)<<8|uint32(b.B)))
	})
	var palette color.Palette
	for _, c := range order[:min(len(order), 256)] {
		palette = append(palette, c)
	}
	return palette
}

// changed is the smallest rectangle outside of which two pictures are equal.
func (f *film) changed(before, after []byte) image.Rectangle {
	var area image.Rectangle
	width := f.size.Dx()
	for i := range width * f.size.Dy() {
		if !bytes.Equal(before[4*i:4*i+3], after[4*i:4*i+3]) {
			area = area.Union(image.Rect(i%width, i/width, i%width+1, i/width+1))
		}
	}
	return area
}
