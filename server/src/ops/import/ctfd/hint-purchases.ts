import { adjustmentLimits } from '@pennant/contract/score-adjustments.ts'
import { purchaseReason } from '../../../features/contest/hints/rules.ts'
import type { ImportedRow } from '../contest.ts'
import { uuidOf } from '../ids.ts'
import { columnsOf } from '../insert.ts'
import { integerOf, textOf, type Json } from '../json.ts'
import { byId, microsOf } from './values.ts'
import type { Adjustment } from './adjustments.ts'
import type { Award } from './awards.ts'
import type { Hints, ReadHint } from './hints.ts'
import { accountOf, type PlayContext } from './play.ts'

export interface Purchases {
  readonly purchases: readonly ImportedRow[]
  /** The prices, one for each purchase. */
  readonly adjustments: readonly Adjustment[]
  /** Awards that are not the price of a purchase. */
  readonly others: readonly Award[]
}

interface Buying {
  readonly hints: Hints
  readonly awards: readonly Award[]
  /** Whether the prices count as the prices of hints. Otherwise the awards count in another way, or not at all. */
  readonly isCharged: boolean
  readonly context: PlayContext
}

/** A score adjustment is needed for other reasons too. */
const MAX_PER_TEAM = adjustmentLimits.perTeam - 1

/**
 * An unlock of CTFd and the negative award of its price are one purchase. Without the award, the team has the hint and
 * its points: the price is an adjustment that was undone.
 */
export async function readPurchases(buying: Buying): Promise<Purchases> {
  const { hints, awards, isCharged, context } = buying
  const { archive, report } = context
  const prices = pricesOf(awards)
  const paid = new Set<Award>()
  const purchases: ImportedRow[] = []
  const adjustments: Adjustment[] = []
  const counts = new Map<string, number>()
  const rows = await archive.all('unlocks')
  for (const { hint, target, teamId, at: unlockedAt } of readUnlocks(rows, { hints, context })) {
    const award = prices.get(pairOf(teamId, target))
    const price = award ? -award.value : hint.price
    // Everyone may read it.
    if (price === 0) continue
    const at = award?.at ?? unlockedAt
    const count = counts.get(teamId) ?? 0
    if (at === null || count >= MAX_PER_TEAM) {
      report.loss(
        'purchases-left',
        `Unlocks without a date, and those beyond ${MAX_PER_TEAM} of an account, are left out.`,
        `hint ${target}`,
      )
      continue
    }
    if (!award)
      report.note(
        'free-unlocks',
        'Accounts have unlocked hints without paying. They may read them.',
        `hint ${target}`,
      )
    counts.set(teamId, count + 1)
    if (award) paid.add(award)
    const id = uuidOf('ctfd unlock', String(target), teamId)
    const reason = purchaseReason(
      { name: hint.challengeName },
      { number: hint.position, maxLength: adjustmentLimits.reason },
    )
    purchases.push({ columns: columnsOf({ hintId: hint.id, teamId, price, at, adjustmentId: id }) })
    const undoneAt = award && isCharged ? null : at
    adjustments.push({ id, teamId, points: -price, reason, kind: 'hint', at, undoneAt })
  }
  const others = awards.filter((award) => !paid.has(award))
  for (const { hintNumber, value } of others)
    if (hintNumber !== null && value < 0)
      report.note(
        'other-prices',
        'Prices of hints that are not imported, or that nobody unlocked, are deductions.',
        `hint ${hintNumber}`,
      )
  return { purchases, adjustments, others }
}

function pairOf(teamId: string, hint: number): string {
  return JSON.stringify([teamId, hint])
}

/** The first price that an account paid for a hint. */
function pricesOf(awards: readonly Award[]): ReadonlyMap<string, Award> {
  const prices = new Map<string, Award>()
  for (const award of awards) {
    if (award.hintNumber === null || award.value >= 0) continue
    const pair = pairOf(award.teamId, award.hintNumber)
    if (!prices.has(pair)) prices.set(pair, award)
  }
  return prices
}

interface Unlock {
  readonly hint: ReadHint
  /** Id of the hint in the source. */
  readonly target: number
  readonly teamId: string
  readonly at: number | null
}

/** The first of each account and hint. In teams mode several users of a team can have unlocked one. */
function readUnlocks(
  rows: readonly Json[],
  { hints, context }: { readonly hints: Hints; readonly context: PlayContext },
): Unlock[] {
  const { report } = context
  const unlocks = new Map<string, Unlock>()
  for (const row of byId(rows)) {
    const type = textOf(row['type'])
    if (type !== 'hints' && type !== '') {
      report.without('unlocks', type)
      continue
    }
    const target = integerOf(row['target'])
    const hint = target === null ? undefined : hints.get(target)
    const teamId = accountOf(row, context)
    if (target === null || !hint)
      report.note('other-unlocks', 'Unlocks of hints that are not imported are left out.', `hint ${target}`)
    else if (teamId === undefined)
      report.loss('unlocks-left', 'Unlocks of accounts that are not imported are left out.', `hint ${target}`)
    else {
      const pair = pairOf(teamId, target)
      const at = microsOf(row['date'])
      const known = unlocks.get(pair)
      if (!known || known.at === null) unlocks.set(pair, { hint, target, teamId, at })
    }
  }
  return [...unlocks.values()]
}
