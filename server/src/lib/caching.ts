let areOff = false

/**
 * Whether caches of rendered and derived values may answer. Always true, except in the test that compares responses with and
 * without them (server/test/journeys/same-bytes.test.ts). Indexes that the world keeps up to date with each change
 * are no caches in this sense: server/src/world/fold/fold.test.ts compares them with a rebuilt world.
 */
export function mayUseCaches(): boolean {
  return !areOff
}

/** Runs work during which caches neither answer nor keep anything. For tests: requests of others are affected as well. */
export async function withoutCaches<T>(work: () => Promise<T>): Promise<T> {
  areOff = true
  try {
    return await work()
  } finally {
    areOff = false
  }
}
