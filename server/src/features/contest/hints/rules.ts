import type { Acting } from '../../../lib/acting-person.ts'
import type { HintRelease } from '@pennant/contract/hints.ts'
import { hasPermissions } from '@pennant/contract/permissions.ts'
import type { z } from 'zod'
import { cut } from '../../../lib/cut.ts'
import { type HintRow, hintReleaseAt, hintRows, hintsOf, purchasesOf } from './rows.ts'
import type { Challenge, Views, WorldView } from '../../../world/model.ts'
import { findPublicChallenge } from '../challenges/rules.ts'
import { adjustmentsOf } from '../adjustments/rows.ts'

/** What organisers write of a hint. Whether one that waits for them is released is not part of it. */
export interface HintContent {
  readonly text: string
  readonly price: number
  readonly release: z.output<typeof HintRelease>
}

export function contentOf(row: HintRow): HintContent {
  return { text: row.text, price: row.price, release: releaseOf(row) }
}

export function releaseOf({ releaseKind, releaseAt, releaseMinutes }: HintRow): HintContent['release'] {
  if (releaseKind === 'time') return { kind: 'time', at: releaseAt ?? 0 }
  return releaseKind === 'after' ? { kind: 'after', minutes: releaseMinutes ?? 0 } : { kind: 'manual' }
}

/** A player wants a hint and has confirmed a price. */
export interface Wish extends Acting {
  readonly challengeId: string
  readonly hintId: string
  readonly teamId: string
  readonly price: number
}

/** What the database says about the team, which the world may not know yet. */
export interface Account {
  /** `payableScore` of the world. */
  readonly score: number
  /** What it has paid since the world was read. */
  readonly spent: number
  readonly adjustments: number
  readonly hasBought: (hintId: string) => boolean
}

export type Refusal =
  | 'challenge'
  | 'hint'
  | 'banned'
  | 'notStarted'
  | 'ended'
  | 'solved'
  | 'full'
  | 'points'
  | { readonly price: number }

/** `have`: the team may read it, nothing is charged. `buy`: it has to pay. */
export type Decision =
  | { readonly kind: 'have'; readonly hint: HintRow }
  | { readonly kind: 'buy'; readonly hint: HintRow; readonly challenge: Challenge }
  | { readonly kind: 'refused'; readonly why: Refusal }

export function isReleased(world: WorldView, hint: HintRow, now: number): boolean {
  const challenge = world.challenge(hint.challengeId)
  return challenge !== undefined && (hintReleaseAt(hint, challenge, world) ?? Infinity) <= now
}

/** The hints of a challenge that the team may know of, released or bought, and the ids of those that it bought. */
export function knownHints(
  world: WorldView,
  challengeId: string,
  { teamId, now }: { readonly teamId: string | null; readonly now: number },
): { readonly hints: readonly HintRow[]; readonly paid: ReadonlyMap<string, number> } {
  const purchases = teamId === null ? [] : purchasesOf(world, teamId)
  const paid = new Map(purchases.map(({ hintId, price }) => [hintId, price]))
  const hints = hintsOf(world, challengeId).filter(
    (hint) => paid.has(hint.id) || isReleased(world, hint, now),
  )
  return { hints, paid }
}

/**
 * What a team can pay with. While the standings are frozen, it depends on nothing that the team may not know: its score of the freeze,
 * its own later solves at the values of the freeze, and what it has paid since.
 */
export function payableScore({ live, shown }: Views, teamId: string): number {
  const { frozenAt } = shown
  const { score } = shown.standing(teamId)
  if (frozenAt === null) return score
  const isLater = (at: number) => at > frozenAt
  const solved = live
    .solvesOfTeam(teamId)
    .filter(({ createdAt }) => isLater(createdAt))
    .map(({ challengeId }) => shown.challenge(challengeId))
  const paid = adjustmentsOf(live, teamId).filter(({ kind, at }) => kind === 'hint' && isLater(at))
  const points = [
    ...solved.map((challenge) =>
      challenge?.isPublic && challenge.scoringKind !== 'dynamic' ? challenge.points : 0,
    ),
    ...paid.map((adjustment) => adjustment.points),
  ]
  return points.reduce((sum, each) => sum + each, score)
}

/** `world` is the contest with everything. */
export function decide(
  world: WorldView,
  { challengeId, hintId, teamId, price }: Wish,
  { account, now, maxAdjustments }: { account: Account; now: number; maxAdjustments: number },
): Decision {
  const team = world.team(teamId)
  if (!team) return refused('banned')
  const challenge = findPublicChallenge(world, challengeId, team)
  if (!challenge) return refused('challenge')
  // The gate was checked before the lock; the event may have been moved since.
  if (now < world.startTime && !hasPermissions(team.perms, ['challsRead'])) return refused('notStarted')
  const hint = world.rows(hintRows).byId.get(hintId)
  if (!hint || hint.challengeId !== challengeId) return refused('hint')
  const hasBought = account.hasBought(hintId)
  if (!hasBought && !isReleased(world, hint, now)) return refused('hint')
  if (hasBought || hint.price === 0) return { kind: 'have', hint }
  const why = obstacle(world, hint, { team, account, price, now, maxAdjustments })
  return why === null ? { kind: 'buy', hint, challenge } : refused(why)
}

interface Offer {
  readonly team: { readonly id: string; readonly banned: boolean }
  readonly account: Account
  readonly price: number
  readonly now: number
  readonly maxAdjustments: number
}

/** Why the team cannot pay now; null if it can. */
function obstacle(
  world: WorldView,
  hint: HintRow,
  { team, account, price, now, maxAdjustments }: Offer,
): Refusal | null {
  if (team.banned) return 'banned'
  if (now < world.startTime) return 'notStarted'
  if (now >= world.endTime) return 'ended'
  if (world.hasSolved(hint.challengeId, team.id)) return 'solved'
  if (hint.price !== price) return { price: hint.price }
  if (account.adjustments >= maxAdjustments) return 'full'
  return account.score - account.spent < hint.price ? 'points' : null
}

function refused(why: Refusal): Decision {
  return { kind: 'refused', why }
}

/** The reason of the score adjustment. The number counts the hints that the team knew. */
export function purchaseReason(
  { name }: Pick<Challenge, 'name'>,
  { number, maxLength }: { readonly number: number; readonly maxLength: number },
): string {
  return cut(`Hint ${number} of ${name}`, maxLength)
}
