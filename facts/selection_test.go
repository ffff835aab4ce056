package facts

import (
	"fmt"
	"testing"
)

// TestEmptyPick: brackets are told as empty if and only if they pick nothing of any array.
func TestEmptyPick(t *testing.T) {
	bounds := []string{"", "0", "1", "2", "3", "^0", "^1", "^2", "^3", "-1", "-2"}
	var picks []string
	for _, from := range bounds {
		for _, to := range bounds {
			picks = append(picks, from+".."+to)
		}
		if from != "" {
			picks = append(picks, from)
		}
	}
	for _, text := range picks {
		pick := readPick(text)
		something := false
		for n := range 9 {
			array := List(make([]Value, n)...)
			for i := range array.Items() {
				array.Items()[i] = Text("")
			}
			got := pick.of(array)
			something = something || pick.kind == pickIndex && got.Kind() == String || len(got.Items()) > 0
		}
		if pick.isEmpty() == something {
			t.Errorf("[%s] is empty: %v", text, !something)
		}
		name := fmt.Sprintf("attachments.files[%s]", text)
		if path, ok := Find(name); !ok || (path.EmptyPick() != "") == something {
			t.Errorf("%s: %v", name, ok)
		}
	}
}
