package collect

import (
	"context"
	"net/url"
	"strings"
	"time"
	"unsafe"

	"github.com/go-ole/go-ole"

	"github.com/pertain-dev/pertain/collect/internal/browser"
	"github.com/pertain-dev/pertain/facts"
)

func (w window) isBrowser() bool {
	return browser.IsChromiumProgram(w.process) || browser.IsFirefoxProgram(w.process)
}

// wakeTime is how long a sleeping browser gets to build its tree.
const wakeTime = 120 * time.Millisecond

// activeTab asks UI Automation.
func (d *desktop) activeTab(ctx context.Context, w window) (browser.Tab, error) {
	s, err := d.accessible(ctx, w)
	if err != nil {
		return browser.Tab{}, err
	}
	for until := time.Now().Add(wakeTime); ; {
		t, ok, err := s.page(ctx)
		if err != nil {
			return browser.Tab{}, unanswered(ctx, err)
		}
		if ok {
			return t, nil
		}
		if time.Now().After(until) || !sleep(ctx, 10*time.Millisecond) {
			break
		}
	}
	return browser.Tab{}, facts.Unavailable("the browser does not tell the address of its page", "start it with --force-renderer-accessibility; in Firefox set accessibility.force_disabled to 0")
}

// pageProperties are what is asked of a page and of the field with its address.
var pageProperties = []property{propertyName, propertyHasValue, propertyValue, propertyHasFocus}

// addressFields are how the fields with the address can be told.
var addressFields = []struct {
	property property
	value    string
}{
	{propertyClassName, "OmniboxViewViews"}, // Chromium and its relatives
	{propertyClassName, "BraveOmniboxViewViews"},
	{propertyAutomationID, "urlbar-input"}, // Firefox
}

// page finds the page that shows. Its value is its address; where it has none,
// the field above it does, if nobody is typing there and the browser has left
// nothing of the address out.
func (s automationWindow) page(ctx context.Context) (browser.Tab, bool, error) {
	type answer struct {
		browser.Tab
		ok bool
	}
	a, err := ask(ctx, s.automation, func() (answer, error) {
		request, err := s.request(scopeElement, pageProperties...)
		if err != nil {
			return answer{}, err
		}
		defer request.release()
		root, err := s.core.object(slotElementFromHandleBuildCache, uintptr(s.window.handle), request.handle())
		if err != nil || root == nil {
			return answer{}, err
		}
		defer root.release()
		document, err := s.document(root, request)
		if err != nil || document == nil {
			return answer{}, err
		}
		defer document.release()
		title := strings.TrimSpace(document.cachedText(propertyName))
		if address := document.cachedText(propertyValue); document.cachedFlag(propertyHasValue) && isAddress(address) {
			return answer{browser.Tab{URL: address, Title: title}, true}, nil
		}
		for _, f := range addressFields {
			if address, ok := s.typedAddress(root, request, f.property, f.value); ok {
				return answer{browser.Tab{URL: address, Title: title}, true}, nil
			}
		}
		return answer{}, nil
	}, nil)
	return a.Tab, a.ok, err
}

// document is the first page in a window that shows; nil if there is none.
func (s automationWindow) document(root, request *comObject) (*comObject, error) {
	page, err := s.condition(propertyControlType, ole.NewVariant(ole.VT_I4, controlDocument))
	if err != nil {
		return nil, err
	}
	defer page.release()
	shows, err := s.condition(propertyIsOffscreen, ole.NewVariant(ole.VT_BOOL, 0))
	if err != nil {
		return nil, err
	}
	defer shows.release()
	both, err := s.core.object(slotCreateAndCondition, page.handle(), shows.handle())
	if err != nil {
		return nil, err
	}
	defer both.release()
	return root.object(slotFindFirstBuildCache, uintptr(scopeDescendants), both.handle(), request.handle())
}

// typedAddress is what a field with an address says.
func (s automationWindow) typedAddress(root, request *comObject, p property, value string) (string, bool) {
	text := ole.SysAllocString(value)
	defer ole.SysFreeString(text) //nolint:errcheck // it has no failure
	which, err := s.condition(p, ole.NewVariant(ole.VT_BSTR, int64(uintptr(unsafe.Pointer(text)))))
	if err != nil {
		return "", false
	}
	defer which.release()
	field, err := root.object(slotFindFirstBuildCache, uintptr(scopeDescendants), which.handle(), request.handle())
	if err != nil || field == nil {
		return "", false
	}
	defer field.release()
	address := field.cachedText(propertyValue)
	return address, !field.cachedFlag(propertyHasFocus) && isAddress(address)
}

// isAddress tells whether a text is a whole address: browsers like to leave
// parts out, and then the page's address is not known for certain.
func isAddress(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.Scheme != "" && (u.Host != "" || u.Opaque != "" || u.Scheme == "file") && !strings.ContainsRune(text, ' ')
}
