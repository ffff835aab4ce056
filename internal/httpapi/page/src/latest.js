// Answers that are asked for again while the user types.

// latest asks after a pause and hands over the answer, unless something newer
// was asked for meanwhile: the function that it returns ends the question, and an
// answer that is already on its way is dropped. It is made for $effect, which
// calls that function before it runs again.
export function latest(pause, ask, done, failed) {
  const stop = new AbortController()
  const timer = setTimeout(async () => {
    try {
      const answer = await ask(stop.signal)
      if (!stop.signal.aborted) done(answer)
    } catch (problem) {
      if (!stop.signal.aborted) failed(problem)
    }
  }, pause)
  return () => {
    clearTimeout(timer)
    stop.abort()
  }
}
