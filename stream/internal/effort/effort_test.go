package effort_test

import (
	"testing"

	"github.com/pertain-dev/pertain/stream/internal/effort"
)

// TestNew: one expression may what is for one, and very many together no more than what is for all of a group.
func TestNew(t *testing.T) {
	one := effort.New(1, 1, 1)
	if one.Start != effort.StartSteps || one.Meet != effort.MeetAll {
		t.Errorf("one expression may %+v", one)
	}
	if none := effort.New(0, 0, 0); none != one {
		t.Errorf("%+v where there is no other, %+v where it counts itself", none, one)
	}
	const many = 5000
	each := effort.New(many, many, many)
	for _, group := range []struct {
		name      string
		each, all effort.Allowance
	}{
		{"try", each.Try, effort.TryAll},
		{"follow", each.Follow, effort.FollowAll},
		{"meet", each.Meet, effort.MeetAll},
	} {
		for _, size := range []int64{0, 1 << 10, 1 << 20} {
			if together, most := many*group.each.At(size), group.all.At(size); together > most || together == 0 && most > many {
				t.Errorf("%s: %d expressions may %d in %d bytes, all together %d", group.name, many, together, size, most)
			}
		}
	}
}

// TestShare: streams that come one after the other have something each, never more than there is, and what they
// leave is for the next.
func TestShare(t *testing.T) {
	left := effort.TurnShare()
	total := left[0]
	var taken []effort.Share
	sum := int64(0)
	for range 5 {
		s := left.Take()
		if s[0] <= 0 || s[0] > effort.Whole || s != (effort.Share{s[0], s[0]}) {
			t.Fatalf("a stream gets %v", s)
		}
		sum += s[0]
		taken = append(taken, s)
	}
	if sum+left[0] != total {
		t.Errorf("%d are taken and %d left of %d", sum, left[0], total)
	}
	left.GiveBack(taken[0], effort.Share{0, 2 * effort.Whole}) // more than it had is as much as it had
	if want := total - sum + taken[0][0]; left[0] != want || left[1] != total-sum {
		t.Errorf("%v are left, want %d and %d", left, want, total-sum)
	}
}

// TestShareOf: a share counts for what may be done at once, and not for what may be done with more text.
func TestShareOf(t *testing.T) {
	half := effort.Share{effort.Whole / 2, 0}
	a := effort.Allowance{Once: 100, Each: 8}
	for owner, want := range []int64{50 + 16, 16} {
		if got := half.Of(a, owner, 2<<10); got != want {
			t.Errorf("owner %d: %d, want %d", owner, got, want)
		}
	}
}

// TestSpent: only what goes beyond the allowance for the text was taken from the share.
func TestSpent(t *testing.T) {
	var spent effort.Spent
	spent[0].Tried = effort.TryAll.Each // in 1 KiB
	spent[1].Met = effort.MeetAll.Each + effort.MeetAll.Once/2
	if got, want := spent.Share(1<<10), (effort.Share{0, effort.Whole / 2}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
}
