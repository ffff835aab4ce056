// How numbers are shown.

export function time(ms) {
  return ms < 0.1 ? `${Math.max(1, Math.round(ms * 1000))} µs` : `${ms.toFixed(ms < 10 ? 2 : 0)} ms`
}

export function count(n, noun) {
  return `${n} ${noun}${n === 1 ? '' : 's'}`
}
