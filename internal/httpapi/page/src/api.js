// Questions to the server; its events are in stream.js. The token comes in the fragment of the
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

export function headers(more = {}) {
  return { Authorization: `Bearer ${sessionStorage.getItem(key) ?? ''}`, ...more }
}

// ApiError has the server's sentence, and its word for programs.
export class ApiError extends Error {
  constructor(code, message, missing = []) {
    super(message)
    this.code = code
    this.missing = missing // what the user has not agreed to
  }
}

export async function answer(response) {
  const body = await response.json().catch((problem) => {
    if (problem.name === 'AbortError') throw problem // nobody waits for it any more
    return null
  })
  if (response.status === 401) {
    sessionStorage.removeItem(key)
    dispatchEvent(new Event('pertain-token-lost'))
  }
  if (!response.ok || body === null) {
    throw new ApiError(body?.error?.code ?? 'unknown', body?.error?.message ?? `The server answered ${response.status}.`, body?.error?.missing)
  }
  return body
}

const long = 4000 // ms after which the user is told that an answer is waited for

// late counts the questions that have waited for long; it is told by an event with
// 1 or -1.
function late(change) {
  dispatchEvent(new CustomEvent('pertain-waiting', { detail: change }))
}

async function ask(path, options) {
  let waiting = false
  const timer = setTimeout(() => {
    waiting = true
    late(1)
  }, long)
  try {
    const response = await fetch(path, options).catch((problem) => {
      if (problem.name === 'AbortError') throw problem
      throw new ApiError('offline', 'The server does not answer. Is `pertain serve` still running?')
    })
    return await answer(response)
  } finally {
    clearTimeout(timer)
    if (waiting) late(-1)
  }
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
