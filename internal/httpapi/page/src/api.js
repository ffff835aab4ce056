// Everything that talks to the server. The token comes in the fragment of the
// address, which browsers never send, and is taken out of it at once.

const key = 'pertain-token'

export function takeToken() {
  const found = /^#token=([\w.~-]+)$/.exec(location.hash)
  if (found) {
    sessionStorage.setItem(key, found[1])
    history.replaceState(null, '', '#/now')
  }
  return sessionStorage.getItem(key) !== null
}

export function keepToken(text) {
  const found = /(?:#token=)?([\w.~-]+)\s*$/.exec(text.trim())
  if (found) sessionStorage.setItem(key, found[1])
  return found !== null
}

function headers(more = {}) {
  return { Authorization: `Bearer ${sessionStorage.getItem(key) ?? ''}`, ...more }
}

// ApiError has the server's sentence, and its word for programs.
export class ApiError extends Error {
  constructor(code, message) {
    super(message)
    this.code = code
  }
}

async function answer(response) {
  const body = await response.json().catch((problem) => {
    if (problem.name === 'AbortError') throw problem // nobody waits for it any more
    return null
  })
  if (response.status === 401) {
    sessionStorage.removeItem(key)
    dispatchEvent(new Event('pertain-token-lost'))
  }
  if (!response.ok || body === null) {
    throw new ApiError(body?.error?.code ?? 'unknown', body?.error?.message ?? `The server answered ${response.status}.`)
  }
  return body
}

async function ask(path, options) {
  let response
  try {
    response = await fetch(path, options)
  } catch (problem) {
    if (problem.name === 'AbortError') throw problem
    throw new ApiError('offline', 'The server does not answer. Is `pertain serve` still running?')
  }
  return answer(response)
}

export function get(path, query = {}, signal = undefined) {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) search.append(name, one)
  }
  const tail = search.size > 0 ? `?${search}` : ''
  return ask(`/api/v1/${path}${tail}`, { headers: headers(), signal })
}

export function post(path, body, signal = undefined) {
  return ask(`/api/v1/${path}`, {
    method: 'POST',
    headers: headers({ 'Content-Type': 'application/json' }),
    body: JSON.stringify(body),
    signal,
  })
}

// listen calls onEvent(name, data) for each event and onState(connected), until
// the signal; a stream that ends is opened again. EventSource cannot send the
// token, so the stream is read with fetch. What was missed in between is told: the
// server is sent the id of the last event.
export async function listen(onEvent, onState, signal) {
  let last = ''
  while (!signal.aborted) {
    try {
      const response = await fetch('/api/v1/events', { headers: headers(last ? { 'Last-Event-ID': last } : {}), signal })
      if (response.status === 401) return answer(response).catch(() => {})
      if (response.ok) {
        onState(true)
        last ||= 'none' // from now on, everything that happens in between counts
        await read(response.body.pipeThrough(new TextDecoderStream()).getReader(), onEvent, (id) => (last = id))
      }
    } catch {
      // The server is gone, or the page is; the former may come back.
    }
    if (signal.aborted) return
    onState(false)
    await new Promise((done) => setTimeout(done, 2000))
  }
}

async function read(reader, onEvent, onId) {
  let text = ''
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return
    text += value
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const block = text.slice(0, end)
      text = text.slice(end + 2)
      const id = /^id: (.*)$/m.exec(block)?.[1]
      if (id) onId(id)
      const name = /^event: (.*)$/m.exec(block)?.[1]
      const data = /^data: (.*)$/m.exec(block)?.[1]
      if (name && data) onEvent(name, JSON.parse(data))
    }
  }
}
