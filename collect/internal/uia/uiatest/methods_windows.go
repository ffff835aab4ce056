package uiatest

import (
	"github.com/go-ole/go-ole"

	"github.com/pertain-dev/pertain/collect/internal/com"
	"github.com/pertain-dev/pertain/collect/internal/uia/api"
)

// knownMethods are those that the collectors may call.
func knownMethods() map[string]method {
	return map[string]method{
		"QueryInterface": func(o *object, iid, out, _, _ uintptr) uintptr {
			if ole.IsEqualGUID(Address[ole.GUID](iid), api.IIDAutomation2) && !o.fake.NoCache2 {
				o.pointer().Hold()
				return give(out, o)
			}
			return NoInterface
		},
		"AddRef": func(o *object, _, _, _, _ uintptr) uintptr {
			o.fake.mu.Lock()
			defer o.fake.mu.Unlock()
			if o.refs <= 0 {
				o.fake.unexpected = append(o.fake.unexpected, "AddRef of what is gone")
			}
			o.refs++
			return uintptr(o.refs)
		},
		"Release": func(o *object, _, _, _, _ uintptr) uintptr {
			o.fake.mu.Lock()
			defer o.fake.mu.Unlock()
			o.refs--
			if o.refs < 0 {
				o.fake.unexpected = append(o.fake.unexpected, "Release of what is gone")
			}
			if o.refs == 0 {
				delete(o.fake.live, o)
			}
			return uintptr(max(o.refs, 0))
		},
		"put_AutoSetFocus":       func(o *object, v, _, _, _ uintptr) uintptr { return o.fake.limit("focus", v) },
		"put_ConnectionTimeout":  func(o *object, v, _, _, _ uintptr) uintptr { return o.fake.limit("connection", v) },
		"put_TransactionTimeout": func(o *object, v, _, _, _ uintptr) uintptr { return o.fake.limit("transaction", v) },
		"CreateCacheRequest": func(o *object, out, _, _, _ uintptr) uintptr {
			r := o.fake.object("request")
			r.wanted = map[api.Property]bool{}
			return give(out, r)
		},
		"get_ControlViewCondition": func(o *object, out, _, _, _ uintptr) uintptr {
			c := o.fake.object("condition")
			c.accept = func(*Node) bool { return true }
			return give(out, c)
		},
		"get_ControlViewWalker": func(o *object, out, _, _, _ uintptr) uintptr { return give(out, o.fake.object("walker")) },
		"CreatePropertyCondition": func(o *object, p, value, out, _ uintptr) uintptr {
			v := Address[ole.VARIANT](value)
			want := v.Value()
			c := o.fake.object("condition")
			c.accept = func(n *Node) bool { return n.property(api.Property(p)) == want }
			return give(out, c)
		},
		"CreateAndCondition": func(o *object, a, b, out, _ uintptr) uintptr {
			one, two := Address[object](a).accept, Address[object](b).accept
			c := o.fake.object("condition")
			c.accept = func(n *Node) bool { return one(n) && two(n) }
			return give(out, c)
		},
		"AddProperty": func(o *object, p, _, _, _ uintptr) uintptr { o.wanted[api.Property(p)] = true; return 0 },
		"put_TreeScope": func(o *object, s, _, _, _ uintptr) uintptr {
			o.scope = api.Scope(s)
			return 0
		},
		"ElementFromHandleBuildCache": func(o *object, handle, request, out, _ uintptr) uintptr {
			if o.fake.Failure != 0 {
				return uintptr(o.fake.Failure)
			}
			if handle != o.fake.Handle {
				return uintptr(com.ErrGone)
			}
			if Address[object](request).scope == api.ScopeSubtree && o.fake.HangWhole != nil {
				<-o.fake.HangWhole
			}
			return give(out, o.fake.element(o.fake.Window, request))
		},
		"GetFocusedElementBuildCache": func(o *object, request, out, _, _ uintptr) uintptr {
			if o.fake.Focus == nil {
				return give(out, nil)
			}
			return give(out, o.fake.element(o.fake.Focus, request))
		},
		"GetCachedPropertyValue": func(o *object, p, out, _, _ uintptr) uintptr {
			if o.cached == nil || !o.cached.wanted[api.Property(p)] {
				o.fake.note("a property that was not asked for")
				return invalidArg
			}
			return o.node.write(api.Property(p), out)
		},
		"GetCurrentPropertyValue": func(o *object, p, out, _, _ uintptr) uintptr { return o.node.write(api.Property(p), out) },
		"GetCachedChildren": func(o *object, out, _, _, _ uintptr) uintptr {
			if o.cached == nil || o.cached.scope != api.ScopeSubtree {
				return invalidArg
			}
			if len(o.node.Children) == 0 {
				return give(out, nil)
			}
			return give(out, o.fake.array(o.node.Children, o.cached))
		},
		"FindAllBuildCache": func(o *object, s, condition, request, out uintptr) uintptr {
			if o.node.Hang != nil {
				<-o.node.Hang
			}
			if api.Scope(s) != api.ScopeChildren || condition == 0 {
				return invalidArg
			}
			return give(out, o.fake.array(o.node.Children, Address[object](request)))
		},
		"FindFirstBuildCache": func(o *object, s, condition, request, out uintptr) uintptr {
			if api.Scope(s) != api.ScopeDescendants {
				return invalidArg
			}
			if n := o.node.first(Address[object](condition).accept); n != nil {
				return give(out, o.fake.element(n, request))
			}
			return give(out, nil)
		},
		"get_Length": func(o *object, out, _, _, _ uintptr) uintptr { *Address[int32](out) = int32(len(o.list)); return 0 },
		"GetElement": func(o *object, i, out, _, _ uintptr) uintptr {
			if int(i) >= len(o.list) {
				return invalidArg
			}
			if o.list[i].node == nil {
				r := o.fake.object("range")
				r.text = o.list[i].text
				return give(out, r)
			}
			e := o.fake.object("element")
			e.node, e.cached = o.list[i].node, o.list[i].cached
			return give(out, e)
		},
		"GetParentElementBuildCache": func(o *object, child, request, out, _ uintptr) uintptr {
			n := Address[object](child).node
			if n.parent == nil {
				return give(out, nil)
			}
			return give(out, o.fake.element(n.parent, request))
		},
		"GetCurrentPatternAs": func(o *object, number, iid, out, _ uintptr) uintptr {
			id := Address[ole.GUID](iid)
			switch {
			case number == 10014 && ole.IsEqualGUID(id, api.IIDTextPattern) && o.node.text != nil:
				p := o.fake.object("text")
				p.node = o.node
				return give(out, p)
			case number == 10002 && ole.IsEqualGUID(id, api.IIDValuePattern) && o.node.property(api.PropertyHasValue) == true:
				p := o.fake.object("value")
				p.node = o.node
				return give(out, p)
			}
			return give(out, nil)
		},
		"get_DocumentRange": func(o *object, out, _, _, _ uintptr) uintptr {
			r := o.fake.object("range")
			r.text = *o.node.text
			return give(out, r)
		},
		"text.GetSelection": func(o *object, out, _, _, _ uintptr) uintptr {
			a := o.fake.object("array")
			for _, s := range o.node.selected {
				a.list = append(a.list, &object{text: s})
			}
			return give(out, a)
		},
		"range.GetText": func(o *object, limit, out, _, _ uintptr) uintptr {
			text := o.text
			if n := int(int32(limit)); n >= 0 && n < len(text) {
				text = text[:n]
			}
			return writeText(out, text)
		},
		"get_CurrentValue": func(o *object, out, _, _, _ uintptr) uintptr {
			s, _ := o.node.property(api.PropertyValue).(string)
			return writeText(out, s)
		},
	}
}

func (f *Automation) limit(name string, value uintptr) uintptr {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.Limits[name] = value
	return 0
}

// writeText gives a new BSTR, which the caller frees.
func writeText(out uintptr, text string) uintptr {
	*Address[*int16](out) = ole.SysAllocStringLen(text)
	return 0
}
