// What the playground begins with, and what it keeps.

export const sampleStrategy = `---
name: Explain the error
priority: 50
when:
  all:
    - attachments.selection.text:
        regex: "error|panic"
    - visual.exists:
        query: "//TextEdit[@focused=true]"
---
Explain this error and how to fix it:

{attachments.selection.text}
`

export const sampleContext = `attachments:
  selection:
    text: "panic: runtime error"
visual:
  roots:
    - type: TopLevel
      name: Editor
      bounds: { x: 0, y: 0, width: 400, height: 240 }
      children:
        - type: ToolBar
          bounds: { x: 0, y: 0, width: 400, height: 30 }
        - type: TextEdit
          states: [focused]
          bounds: { x: 10, y: 40, width: 270, height: 190 }
        - type: Button
          name: Run
          bounds: { x: 290, y: 40, width: 100, height: 30 }
`

const keys = { source: 'pertain-source', like: 'pertain-like', loaded: 'pertain-loaded', before: 'pertain-before' }

// firstDraft is what was written in this tab before it was loaded anew. Of
// contexts nothing is kept: they may hold what was on the screen.
export function firstDraft() {
  return {
    source: sessionStorage.getItem(keys.source) ?? sampleStrategy,
    like: sessionStorage.getItem(keys.like) ?? '', // id of the saved strategy that source began as
    loaded: sessionStorage.getItem(keys.loaded) ?? sampleStrategy, // what source was before anything was typed
    before: JSON.parse(sessionStorage.getItem(keys.before) ?? 'null'), // the last text by the user's hand that loading has replaced
    context: sampleContext,
    seen: '', // when the context was loaded from the screen
    missing: [], // what could not be collected then
    input: '',
    query: '//TextEdit[@focused=true]',
  }
}

export function keepDraft(draft) {
  sessionStorage.setItem(keys.source, draft.source)
  sessionStorage.setItem(keys.like, draft.like)
  sessionStorage.setItem(keys.loaded, draft.loaded)
  sessionStorage.setItem(keys.before, JSON.stringify(draft.before))
}
