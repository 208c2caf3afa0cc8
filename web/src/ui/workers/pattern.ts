export interface PatternTask {
  readonly pattern: string
  readonly flags: string
  readonly text: string
}

export type PatternVerdict = 'match' | 'noMatch' | 'broken'

/** What the worker says before it tries: from here its time counts, however long it took to load. */
export const BEGUN = 'begun'

/** Whether a pattern is found in a text, as the server looks for it. It may take for ever: only for a worker. */
export function verdictOf({ pattern, flags, text }: PatternTask): PatternVerdict {
  if (pattern === '') return 'broken'
  try {
    return new RegExp(pattern, flags).test(text) ? 'match' : 'noMatch'
  } catch {
    return 'broken'
  }
}
