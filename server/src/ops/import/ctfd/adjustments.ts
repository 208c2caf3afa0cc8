import { adjustmentLimits } from '@pennant/contract/score-adjustments.ts'
import { groupBy } from '../../../lib/group-by.ts'
import { uuidOf } from '../ids.ts'
import type { Report } from '../report.ts'
import type { Award } from './awards.ts'

/** Points that organisers gave or took, or the price of a hint. */
export interface Adjustment {
  readonly id: string
  readonly teamId: string
  /** Not 0. */
  readonly points: number
  /** Shown to players. */
  readonly reason: string
  readonly kind: 'manual' | 'hint'
  readonly at: number
  /** Null if it counts. */
  readonly undoneAt: number | null
}

interface Adjusting {
  /** Unix microseconds, moved apart from those of solves. */
  readonly timeOf: (award: Award) => number
  /** The prices of purchases, which are adjustments too. */
  readonly prices: readonly Adjustment[]
  readonly report: Report
}

/** A score adjustment for each award that is not the price of a purchase. */
export function adjustmentsOf(awards: readonly Award[], adjusting: Adjusting): Adjustment[] {
  const purchases = groupBy(adjusting.prices, ({ teamId }) => teamId)
  return [...groupBy(awards, ({ teamId }) => teamId).values()].flatMap((own) => {
    const all = own.map((award): Adjustment => ({
      id: uuidOf('ctfd award', String(award.number)),
      teamId: award.teamId,
      points: award.value,
      reason: award.reason,
      kind: 'manual',
      at: adjusting.timeOf(award),
      undoneAt: null,
    }))
    const [first] = own
    const bought = first ? (purchases.get(first.teamId)?.length ?? 0) : 0
    return combined(all, { max: adjustmentLimits.perTeam - bought, report: adjusting.report })
  })
}

/** Teams have a limited number of adjustments. More are combined, so that the score stays. */
function combined(
  all: readonly Adjustment[],
  { max, report }: { readonly max: number; readonly report: Report },
): readonly Adjustment[] {
  const excess = all.length - max
  if (excess <= 0) return all
  const earliest = all.slice(0, excess + 1)
  const last = earliest.at(-1) as Adjustment
  report.loss(
    'many-awards',
    `Accounts have more than ${adjustmentLimits.perTeam} awards; the earliest ones are combined.`,
    last.teamId,
  )
  const points = earliest.reduce((sum, each) => sum + each.points, 0)
  const sum = { ...last, points, reason: 'Awards' }
  return [...(points === 0 ? [] : [sum]), ...all.slice(excess + 1)]
}
