import { adjustmentLimits } from '@pennant/contract/score-adjustments.ts'
import type { ImportedChallenge, ImportedFeedEvent, ImportedFeedScore } from '../contest.ts'
import { integerOf, textOf, type Json } from '../json.ts'
import { withoutMarkers } from '../links.ts'
import type { Report } from '../report.ts'
import { microsOf } from './values.ts'
import { accountOf, type Counted, type PlayContext } from './play.ts'

/** Points of an organiser or, negative, the price of a hint. Never 0. */
export interface Award extends Counted {
  readonly reason: string
  /** Of the hint that it paid for, in the source. */
  readonly hintNumber: number | null
}

export async function readAwards(context: PlayContext): Promise<Award[]> {
  const { report } = context
  const awards: Award[] = []
  for (const row of await context.archive.all('awards')) {
    const value = integerOf(row['value']) ?? 0
    const teamId = accountOf(row, context)
    const at = microsOf(row['date'])
    const number = integerOf(row['id'])
    if (value === 0) {
      if (row['category'] !== 'hints') report.without('awards', textOf(row['name']))
    } else if (teamId === undefined || at === null || number === null)
      report.loss(
        'awards-left',
        'Awards without a date or of accounts that are not imported are left out.',
        textOf(row['name']) || `award ${number}`,
      )
    else
      awards.push({ teamId, value, at, number, reason: reasonOf(row, report), hintNumber: hintNumberOf(row) })
  }
  return awards.toSorted((a, b) => a.at - b.at || a.number - b.number)
}

/** CTFd names the hint only in the name of the award. */
function hintNumberOf(row: Json): number | null {
  const match = row['category'] === 'hints' ? /^Hint (\d{1,10})$/.exec(textOf(row['name'])) : null
  return match ? Number(match[1]) : null
}

function reasonOf(row: Json, report: Report): string {
  const texts = [row['name'], row['description']].map((text) =>
    withoutMarkers(textOf(text)).replaceAll(/\s+/g, ' ').trim(),
  )
  const reason = texts.filter((text) => text !== '').join(': ') || 'Award'
  if (reason.length <= adjustmentLimits.reason) return reason
  report.loss(
    'award-texts',
    `Names and descriptions of awards are cut to ${adjustmentLimits.reason} characters.`,
    reason,
  )
  return `${reason.slice(0, adjustmentLimits.reason - 1)}…`
}

const AWARDS_ID = 'ctfd-awards'

interface Feed {
  readonly challenges: readonly ImportedChallenge[]
  readonly scores: readonly ImportedFeedScore[]
  readonly events: readonly ImportedFeedEvent[]
}

/** The sums of awards as pushed points of one challenge. */
export function feedOf(awards: readonly Award[]): Feed {
  const events = awards.map(({ teamId, value, at }) => ({
    challengeId: AWARDS_ID,
    teamId,
    delta: value,
    at,
  }))
  const sums = new Map<string, ImportedFeedScore>()
  for (const { challengeId, teamId, delta, at } of events) {
    const points = (sums.get(teamId)?.points ?? 0) + delta
    sums.set(teamId, { challengeId, teamId, points, scoredAt: at, delta, tickAt: at })
  }
  const scores = [...sums.values()].filter(({ points }) => points !== 0)
  return { challenges: scores.length > 0 ? [awardsChallenge()] : [], scores, events }
}

function awardsChallenge(): ImportedChallenge {
  return {
    id: AWARDS_ID,
    name: 'Awards',
    description: 'Points that organisers gave, and points that teams paid for hints.',
    category: 'misc',
    author: '',
    flags: [],
    files: [],
    points: { min: 0, max: 0 },
    tiebreakEligible: true,
    sortWeight: null,
    hidden: false,
    releaseAt: null,
    scoringKind: 'dynamic',
    scoringSecret: null,
    instancerConfig: null,
    adminBotConfig: null,
    tags: null,
    prerequisites: [],
    lockedShown: false,
  }
}
