package regex

const (
	pageBits  = 12
	pageSize  = 1 << pageBits
	keptPages = 8 // of each stack, kept for the next match
)

// pages is a stack that grows a page at a time. A slice would be copied as it
// grows, and copying some thirty megabytes takes longer than a time limit may be
// overrun.
type pages[T any] struct {
	pages []*[pageSize]T
	size  int
}

func (s *pages[T]) push(value T) {
	page := s.size >> pageBits
	if page == len(s.pages) {
		s.pages = append(s.pages, new([pageSize]T))
	}
	s.pages[page][s.size&(pageSize-1)] = value
	s.size++
}

// at gives a pointer to an entry, which is good until it is popped.
func (s *pages[T]) at(i int) *T { return &s.pages[i>>pageBits][i&(pageSize-1)] }

// release empties the stack and lets go of all but a few pages.
func (s *pages[T]) release() {
	s.size = 0
	if len(s.pages) > keptPages {
		clear(s.pages[keptPages:])
		s.pages = s.pages[:keptPages]
	}
}
