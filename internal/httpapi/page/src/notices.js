// When the user is told of slow strategies: in few words and not often.

const period = 10 * 60_000 // ms in which a strategy is told of once
const gap = 60_000 // ms between any two

const timeouts = ['strategy.timeout', 'condition.timeout', 'regex.timeout', 'visual.query_timeout']

// isSlow tells whether a diagnostic is about a time limit.
export function isSlow(diagnostic) {
  return timeouts.includes(diagnostic.code)
}

// newBell makes a function that gives the sentence to show for an answer of
// `match`, or ''. Answers hold their notices each time; what was told is known
// here, so that each page tells it, and each only now and then.
export function newBell() {
  const told = {} // when, by id
  let last = -Infinity
  return function ring(match, now) {
    if (match.notices.length === 0 || now - last < gap) return ''
    const ids = match.diagnostics.filter(isSlow).map((d) => d.strategy)
    if (ids.length === 0) ids.push(match.notices[0].code)
    if (ids.every((id) => now - told[id] < period)) return ''
    last = now
    for (const id of ids) told[id] = now
    return match.notices[0].message
  }
}
