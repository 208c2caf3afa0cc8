import { setImmediate } from 'node:timers/promises'

/** Work that is done for longer without a pause delays every request noticeably. */
const MAX_TURN_MS = 8

/**
 * For long loops in the server's thread: the returned function resolves after other work had its turn, or returns undefined if
 * this one is not over yet.
 */
export function createTurns(): () => Promise<void> | undefined {
  let begun = performance.now()
  return () => {
    if (performance.now() - begun < MAX_TURN_MS) return undefined
    return setImmediate().then(() => {
      begun = performance.now()
    })
  }
}
