package uia

import (
	"context"
	"net/url"
	"strings"
	"unsafe"

	"github.com/go-ole/go-ole"

	"github.com/pertain-dev/pertain/collect/internal/com"
	"github.com/pertain-dev/pertain/collect/internal/uia/api"
)

// Page is what a browser tells of a page.
type Page struct{ URL, Title string }

// pageProperties are what is asked of a page and of the field with its address.
var pageProperties = []api.Property{api.PropertyName, api.PropertyHasValue, api.PropertyValue, api.PropertyHasFocus}

// addressFields are how the fields with the address can be told.
var addressFields = []struct {
	property api.Property
	value    string
}{
	{api.PropertyClassName, "OmniboxViewViews"}, // Chromium and its relatives
	{api.PropertyClassName, "BraveOmniboxViewViews"},
	{api.PropertyAutomationID, "urlbar-input"}, // Firefox
}

// Page finds the page that shows. Its value is its address; where it has none,
// the field above it does, if nobody is typing there and the browser has left
// nothing of the address out.
func (s Window) Page(ctx context.Context) (Page, bool, error) {
	type answer struct {
		Page
		ok bool
	}
	a, err := ask(ctx, s.Automation, func() (answer, error) {
		request, err := s.request(api.ScopeElement, pageProperties...)
		if err != nil {
			return answer{}, err
		}
		defer request.Release()
		root, err := s.core.Object(api.SlotElementFromHandleBuildCache, uintptr(s.target.Handle), request.Handle())
		if err != nil || root == nil {
			return answer{}, err
		}
		defer root.Release()
		document, err := s.document(root, request)
		if err != nil || document == nil {
			return answer{}, err
		}
		defer document.Release()
		title := strings.TrimSpace(cachedText(document, api.PropertyName))
		if address := cachedText(document, api.PropertyValue); cachedFlag(document, api.PropertyHasValue) && isAddress(address) {
			return answer{Page{address, title}, true}, nil
		}
		for _, f := range addressFields {
			if address, ok := s.typedAddress(root, request, f.property, f.value); ok {
				return answer{Page{address, title}, true}, nil
			}
		}
		return answer{}, nil
	}, nil)
	return a.Page, a.ok, err
}

// document is the first page in a window that shows; nil if there is none.
func (s Window) document(root, request *com.Object) (*com.Object, error) {
	page, err := s.condition(api.PropertyControlType, ole.NewVariant(ole.VT_I4, controlDocument))
	if err != nil {
		return nil, err
	}
	defer page.Release()
	shows, err := s.condition(api.PropertyIsOffscreen, ole.NewVariant(ole.VT_BOOL, 0))
	if err != nil {
		return nil, err
	}
	defer shows.Release()
	both, err := s.core.Object(api.SlotCreateAndCondition, page.Handle(), shows.Handle())
	if err != nil {
		return nil, err
	}
	defer both.Release()
	return root.Object(api.SlotFindFirstBuildCache, uintptr(api.ScopeDescendants), both.Handle(), request.Handle())
}

// typedAddress is what a field with an address says.
func (s Window) typedAddress(root, request *com.Object, p api.Property, value string) (string, bool) {
	text := ole.SysAllocString(value)
	defer ole.SysFreeString(text) //nolint:errcheck // it has no failure
	which, err := s.condition(p, ole.NewVariant(ole.VT_BSTR, int64(uintptr(unsafe.Pointer(text)))))
	if err != nil {
		return "", false
	}
	defer which.Release()
	field, err := root.Object(api.SlotFindFirstBuildCache, uintptr(api.ScopeDescendants), which.Handle(), request.Handle())
	if err != nil || field == nil {
		return "", false
	}
	defer field.Release()
	address := cachedText(field, api.PropertyValue)
	return address, !cachedFlag(field, api.PropertyHasFocus) && isAddress(address)
}

// isAddress tells whether a text is a whole address: browsers like to leave
// parts out, and then the page's address is not known for certain.
func isAddress(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.Scheme != "" && (u.Host != "" || u.Opaque != "" || u.Scheme == "file") && !strings.ContainsRune(text, ' ')
}
