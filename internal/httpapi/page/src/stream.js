// The server's events, read with fetch: EventSource cannot send the token.
import { answer, headers } from './api.js'

export const pause = 2000 // ms before a stream that ended is opened again
const patience = 3000 // ms that opening it may take before that is told
const silence = 40_000 // ms: the server sends something every 15 s, so this one is dead

// readStream reads the stream until the signal, and opens it again when it ends.
// onEvent(name, data) gets the events, onId(id) the place in them, and
// onState(connected) what has become of the connection. What was missed in between
// is told: the server is sent the last id, at first `last`; '' is none.
// rest(ms, signal) waits before the stream is opened again.
export async function readStream({ last, onEvent, onId, onState, rest }, signal) {
  const reached = (id) => {
    last = id
    onId(id)
  }
  while (!signal.aborted) {
    const since = last
    if (!since) reached('none') // from now on, whatever happens in between counts
    const slow = setTimeout(() => onState(false), patience)
    const dead = new AbortController()
    try {
      const response = await fetch('/api/v1/events', {
        headers: headers(since ? { 'Last-Event-ID': since } : {}),
        signal: AbortSignal.any([signal, dead.signal]),
      })
      clearTimeout(slow)
      if (response.status === 401) return answer(response).catch(() => {})
      if (response.ok) {
        onState(true)
        if (since) onEvent('change', { part: 'context' }) // which the server does not watch while nobody listens
        await read(response.body, dead, onEvent, reached)
      }
    } catch {
      // The server is gone, or the page is; the former may come back.
    }
    clearTimeout(slow)
    if (signal.aborted) return
    onState(false)
    await rest(pause, signal)
  }
}

function read(body, dead, onEvent, onId) {
  return readEvents(body, onEvent, onId, (next) => {
    const watch = setTimeout(() => dead.abort(), silence)
    return next.finally(() => clearTimeout(watch))
  })
}

// readEvents reads a body of events to its end. wait(promise) may watch each read.
export async function readEvents(body, onEvent, onId = () => {}, wait = (next) => next) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const { value, done } = await wait(reader.read())
    if (done) return
    text += value
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const block = text.slice(0, end)
      text = text.slice(end + 2)
      const field = (name) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? ''
      const [id, event, data] = ['id', 'event', 'data'].map(field)
      if (id) onId(id)
      if (event && data) onEvent(event, JSON.parse(data))
    }
  }
}
