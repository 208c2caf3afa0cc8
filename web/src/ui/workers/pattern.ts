export interface PatternTask {
  readonly pattern: string
  readonly flags: string
  readonly text: string
}

export type PatternVerdict = 'match' | 'noMatch' | 'broken'

/** Sent by the worker before it starts, so that loading time does not count towards the timeout. */
export const BEGUN = 'begun'

/** Whether a pattern matches, as the server evaluates it. Can run forever, so use it only in a worker. */
export function verdictOf({ pattern, flags, text }: PatternTask): PatternVerdict {
  if (pattern === '') return 'broken'
  try {
    return new RegExp(pattern, flags).test(text) ? 'match' : 'noMatch'
  } catch {
    return 'broken'
  }
}
