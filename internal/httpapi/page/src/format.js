// How numbers and contexts are shown.

export function time(ms) {
  return ms < 0.1 ? `${Math.max(1, Math.round(ms * 1000))} µs` : `${ms.toFixed(ms < 10 ? 2 : 0)} ms`
}

export function count(n, noun, nouns = `${noun}s`) {
  return `${n} ${n === 1 ? noun : nouns}`
}

const line = 62 // characters: what is seen of a line in the playground

// readable writes JSON to be read and edited: what fits into a line is on one.
// taken is how much of the first line is used already.
export function readable(value, indent = '', taken = 0) {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const room = Math.max(line - Math.max(taken, indent.length), 54) // deep down, lines are longer rather than many
  if (JSON.stringify(value).length <= room && spaced(value).length <= room) return spaced(value)
  const inner = indent + '  '
  const parts = Array.isArray(value)
    ? value.map((v) => inner + readable(v, inner))
    : Object.entries(value).map(([key, v]) => {
        const start = `${inner}${JSON.stringify(key)}: `
        return start + readable(v, inner, start.length)
      })
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return parts.length === 0 ? open + close : `${open}\n${parts.join(',\n')}\n${indent}${close}`
}

function spaced(value) {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const parts = Object.entries(value).map(([key, v]) => `${JSON.stringify(key)}: ${spaced(v)}`)
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`
}
