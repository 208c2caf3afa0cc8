/** Sets a timer and returns a function that cancels it. A type of our own, so that tests can inject a virtual clock. */
export type SetTimer = (ms: number, run: () => void) => () => void

export const setTimer: SetTimer = (ms, run) => {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}
