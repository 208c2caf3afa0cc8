import { CEREMONY_TEAMS } from '@pennant/contract/replay.ts'
import { HOUR_MS } from '@pennant/contract/durations.ts'

/** Seconds. */
export const PACE = { least: 0.3, most: 30, usual: 2 } as const
const USUAL_TEAMS = 50

export interface CeremonySettings {
  readonly from: number
  readonly until: number
  readonly limit: number
  readonly division: string | undefined
  /** Seconds between two steps while it plays. */
  readonly pace: number
}

interface Event {
  readonly startTime: number
  readonly endTime: number
  /** While participants see the standings of this time. */
  readonly freezeTime?: number | undefined
  readonly divisions: Readonly<Record<string, string>>
}

export type Problem = 'time' | 'limit' | 'pace' | 'division' | 'unknown'

/**
 * The ceremony of an address: docs/operate/ceremony.md. Without a period, the time since the freeze, or else the last hour.
 */
export function readCeremony(
  search: URLSearchParams,
  { event, now }: { readonly event: Event; readonly now: number },
): { readonly settings: CeremonySettings; readonly problems: readonly Problem[] } {
  const { startTime, endTime, freezeTime, divisions } = event
  const problems = new Set<Problem>()
  const number = (name: string, { usual, problem }: { usual: number; problem: Problem }) => {
    const text = search.get(name)
    if (text === null) return usual
    if (/^\d{1,15}(?:\.\d{1,3})?$/.test(text)) return Number(text)
    problems.add(problem)
    return usual
  }
  const until = number('until', { usual: Math.max(startTime, Math.min(now, endTime)), problem: 'time' })
  const usualFrom = Math.max(startTime, freezeTime ?? until - HOUR_MS)
  const from = number('from', { usual: Math.min(usualFrom, until - 1), problem: 'time' })
  const limit = number('limit', { usual: USUAL_TEAMS, problem: 'limit' })
  const pace = number('pace', { usual: PACE.usual, problem: 'pace' })
  const division = search.get('division') ?? ''
  if (from >= until || !Number.isInteger(from) || !Number.isInteger(until)) problems.add('time')
  if (limit < 1 || limit > CEREMONY_TEAMS || !Number.isInteger(limit)) problems.add('limit')
  if (pace < PACE.least || pace > PACE.most) problems.add('pace')
  if (division !== '' && !Object.hasOwn(divisions, division)) problems.add('division')
  const known = ['from', 'until', 'limit', 'division', 'pace']
  if ([...search.keys()].some((name) => !known.includes(name))) problems.add('unknown')
  const settings = { from, until, limit, pace, division: division === '' ? undefined : division }
  return { settings, problems: [...problems] }
}
