import { flagProblem, looksCut } from '@pennant/contract/flag-text.ts'
import type { FlagEntry } from '../../world/model.ts'
import type { Report } from './report.ts'

/** A flag as it can be submitted here: without outer white space. Empty for one that no player can submit. */
export function submittable(entry: FlagEntry, name: string, report: Report): FlagEntry[] {
  const config = { ...entry.config }
  for (const key of ['flag', 'flagValue'] as const) {
    const text = config[key]
    if (typeof text !== 'string') continue
    const trimmed = text.trim()
    if (trimmed !== text)
      report.note(
        'flag-spaces',
        'White space around flags is removed, because players never submit it.',
        name,
      )
    const problem = flagProblem(trimmed)
    if (problem !== null) {
      report.loss('flag-text', 'Flags that no player can submit are left out.', `${name}: ${problem}`)
      return []
    }
    if (looksCut(trimmed))
      report.note(
        'flag-cut',
        'Flags have a { without a } after it: in YAML, " #" ends a flag without quotes. Compare them with their source.',
        name,
      )
    config[key] = trimmed
  }
  return [{ ...entry, config }]
}
