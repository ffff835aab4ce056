// Prints a table of random extended globs, names, and whether minimatch and picomatch match them:
//
//	node peers.mjs NODE_MODULES SEED PATTERNS > extended.txt
//
// NODE_MODULES is a folder in which minimatch and picomatch are installed. A line is the pattern, a tab, and for each name of
// the first line `1` or `0` by minimatch, then `1` or `0` by picomatch, or `-` where one is known to mean something else: in
// minimatch negated groups that hold a star alone or that a star or another group follows; for picomatch
// negated groups at all, and groups that it takes literally because a backtracking matcher might not end.
import {createRequire} from 'node:module'
import {resolve} from 'node:path'

const require = createRequire(resolve(process.argv[2]) + '/')
const {minimatch} = require('minimatch')
const picomatch = require('picomatch')

let state = Number(process.argv[3]) | 0
const random = n => {
  state = (Math.imul(state, 1664525) + 1013904223) | 0
  return (state >>> 16) % n
}
const pick = list => list[random(list.length)]

const names = [
  'a', 'b', 'c', 'ab', 'ba', 'abc', 'aab', 'abab', 'a.ts', 'b.ts', 'ab.ts', 'a.d.ts', '.ts', '.a.ts', '1', '2', '3', '2a', '10', 'B',
  'src/a.ts', 'src/b.ts', 'src/ab.ts', 'src/x/a.ts', 'src/x/a.d.ts', 'a/b', 'a/b/c', 'ab/2.ts', 'src/2', 'c.d', 'a|b', '@a',
]

// minimatch writes braces out before it looks for groups: in a repeated or negated group they then mean something that nobody
// wants. Groups inside of groups it takes so long for that the table would not end.
const atom = braces => pick(['a', 'b', 'c', 'ab', '.ts', '.d', '?', '*', '[ab]', '[^a]', '2', ...(braces ? ['{a,b}', '{1..3}', '{a..c}', '{c..a}'] : [])])
const part = (depth, braces) => {
  let out = ''
  for (let i = random(2); i >= 0; i--) out += depth > 0 && random(2) === 0 ? group(depth - 1, braces) : atom(braces)
  return out
}
const group = (depth, braces) => {
  const sign = pick(['@', '?', '*', '+', '!'])
  braces &&= sign === '@' || sign === '?'
  const alts = [part(depth, braces)]
  for (let i = random(3); i > 0; i--) alts.push(braces && random(8) === 0 ? '' : part(depth, braces))
  return sign + '(' + alts.join('|').replace(/\*+/g, '*') + ')' // `**` in a group crosses slashes in one and not in the other
}
const segment = () => random(4) === 0 ? pick(['src', '*', 'a']) : part(1, true)

const plainGroup = /[*+]\((?=([^()|]*))\1\)/
const comparable = pattern => {
  // It takes `(?` and `)?` for signs of its own, and a last segment that may be empty for one that may be missing.
  if (/!\(|\(\?|\)[?*+]|\/[?*]\([^/]*$/.test(pattern)) return false
  // A repeated group with alternatives, wildcards or groups inside may be taken literally.
  const rest = pattern.replace(new RegExp(plainGroup, 'g'), m => /[*?{[.]/.test(m.slice(2)) ? m : 'x')
  return !/[*+]\(/.test(rest) && !/\(\)|\|\)|\(\||\|\|/.test(pattern) && !/\*\*./.test(pattern.replace(/(^|\/)\*\*(?=\/|$)/g, ''))
}

console.log(names.join('\t'))
for (let n = Number(process.argv[4]); n > 0; n--) {
  let pattern = segment()
  for (let i = random(3); i > 0; i--) pattern = pick(['**', segment()]) + '/' + pattern
  const mini = pattern.includes('!(') && /\)[*@?+!]|[(|]\*[|)]|[(|][|)]/.test(pattern) ? '-' : names.map(name => minimatch(name, pattern, {dot: true, nonegate: true, nocomment: true}) ? 1 : 0).join('')
  const pico = comparable(pattern) ? names.map(name => picomatch.isMatch(name, pattern, {dot: true}) ? 1 : 0).join('') : '-'
  console.log(pattern + '\t' + mini + '\t' + pico)
}
