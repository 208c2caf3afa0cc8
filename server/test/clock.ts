/** A clock that only advances when the test moves it. */
export interface TestClock {
  now(): number
  advance(ms: number): void
}

export function createClock(start: number): TestClock {
  let at = start
  return {
    now: () => at,
    advance(ms) {
      at += ms
    },
  }
}
