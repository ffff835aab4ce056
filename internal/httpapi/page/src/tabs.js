// All tabs of the page share one event stream: browsers open six connections to
// a server, and a stream holds one for as long as it lasts. The tab that has the
// lock reads the stream and passes on what comes; when it is closed, the browser
// gives the lock to the next one, which goes on after the last event.
import { pause, readStream } from './stream.js'

const name = 'pertain-events' // of the lock and of the channel
const often = 10_000 // ms between two questions whether somebody reads the stream
const patience = 3000 // ms in which that is answered by a tab that is not asleep

// listen calls onEvent(name, data) for each event and onState(connected), until
// the signal.
export function listen(onEvent, onState, signal) {
  if (navigator.locks) share(onEvent, onState, signal)
  else whileSeen(onEvent, onState, signal)
}

function share(onEvent, onState, signal) {
  const channel = new BroadcastChannel(name)
  let reads = null // ends what this tab reads; null: another one does
  let connected = null // null: not known yet
  let last = '' // id of the last event
  let tried = 0 // when there was last news of the connection
  let wake = () => {} // opens the stream now
  let timer, verdict

  function set(state) {
    connected = state
    onState(state)
  }

  function settle() {
    clearTimeout(verdict)
    verdict = undefined
  }

  const report = () => channel.postMessage({ kind: 'state', connected, last })

  channel.onmessage = ({ data }) => {
    if (data.kind === 'ask') {
      if (!reads) return
      report()
      // A hidden tab's own clock may be slow; the one who asks is seen.
      if (!connected && Date.now() - tried >= pause) wake()
      return
    }
    if (reads) return // the tab that had the lock before does not know it yet
    settle()
    last = data.last || last || 'none'
    if (data.kind === 'state' && data.connected !== null) set(data.connected)
    if (data.kind === 'event') onEvent(data.name, data.data)
  }

  // Whether somebody reads the stream is for the tabs to ask that are seen. A tab
  // that has the lock and sleeps loses it.
  function ask() {
    clearTimeout(timer)
    if (signal.aborted) return
    timer = setTimeout(ask, connected ? often : pause)
    if (reads || document.hidden) return
    channel.postMessage({ kind: 'ask' })
    verdict ??= setTimeout(() => {
      settle()
      set(false)
      lead({ steal: true })
    }, patience)
  }

  // lead reads the stream as soon as, and as long as, this tab has the lock.
  async function lead(options) {
    const mine = new AbortController()
    const lost = () => mine.abort()
    signal.addEventListener('abort', lost)
    await navigator.locks.request(name, options, () => !signal.aborted && open(mine)).catch(() => {}) // another tab has taken it
    signal.removeEventListener('abort', lost)
    mine.abort()
    if (reads === mine) reads = null
    if (!signal.aborted && !options.steal) lead(options) // who has stolen the lock is in the queue all the time
  }

  async function open(mine) {
    settle()
    reads?.abort()
    reads = mine
    await readStream({
      last,
      onId: (id) => (last = id),
      onEvent(name, data) {
        channel.postMessage({ kind: 'event', name, data, last })
        onEvent(name, data)
      },
      onState(state) {
        if (mine.signal.aborted) return
        tried = Date.now()
        set(state)
        report()
      },
      rest: (ms, signal) => Promise.race([rest(ms, signal), new Promise((done) => (wake = done))]),
    }, mine.signal)
  }

  document.addEventListener('visibilitychange', ask, { signal })
  signal.addEventListener('abort', () => {
    clearTimeout(timer)
    settle()
    channel.close()
  })
  lead({ signal })
  ask()
}

// Without locks, which browsers have for addresses of this machine and for
// https alone, each tab reads a stream of its own while it is seen.
function whileSeen(onEvent, onState, signal) {
  let last = ''
  let seen = new AbortController()
  function turn() {
    seen.abort()
    seen = new AbortController()
    if (document.hidden) {
      onState(false)
      return
    }
    readStream({ last, onEvent, onId: (id) => (last = id), onState, rest }, AbortSignal.any([signal, seen.signal]))
  }
  document.addEventListener('visibilitychange', turn, { signal })
  turn()
}

function rest(ms, signal) {
  return new Promise((done) => {
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      done()
    })
  })
}
