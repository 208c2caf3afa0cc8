import sql, { empty } from 'sql-template-tag'
import type { Queries } from '../../../db/database.ts'
import type { RowKind, RowsByKey } from '../../../world/row-kind.ts'
import type { Challenge, WorldView } from '../../../world/model.ts'
import { millis } from '../../../world/rows.ts'

// Hints of challenges: docs/decisions/0039-sell-hints-under-the-change-lock.md

export type ReleaseKind = 'manual' | 'time' | 'after'

export interface HintRow {
  readonly id: string
  readonly challengeId: string
  readonly position: number
  /** Markdown. Only for teams that may read it. */
  readonly text: string
  /** Whole points; 0 if free. */
  readonly price: number
  readonly releaseKind: ReleaseKind
  /** Of `time`, and of `manual` once an organiser has released it. Unix milliseconds. */
  readonly releaseAt: number | null
  /** Of `after`: minutes after the release of the challenge. */
  readonly releaseMinutes: number | null
  readonly version: number
}

/** A hint that a team has bought. */
export interface PurchaseRow {
  readonly hintId: string
  readonly teamId: string
  /** What it paid. */
  readonly price: number
  readonly at: number
  readonly adjustmentId: string
}

/** All hints. */
export interface Hints {
  readonly byId: ReadonlyMap<string, HintRow>
  /** In their order. Challenges without any are missing. */
  readonly byChallenge: ReadonlyMap<string, readonly HintRow[]>
}

const MINUTE_MS = 60_000

export function createHints(rows: readonly HintRow[]): Hints {
  const byId = new Map<string, HintRow>()
  const byChallenge = new Map<string, HintRow[]>()
  for (const row of rows.toSorted((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1))) {
    byId.set(row.id, row)
    const siblings = byChallenge.get(row.challengeId)
    if (siblings) siblings.push(row)
    else byChallenge.set(row.challengeId, [row])
  }
  return { byId, byChallenge }
}

/**
 * When a hint can be read or bought by those who see its challenge; null if an organiser has not released it. A challenge that is
 * released before the event counts from the start, because no one sees it earlier.
 */
export function hintReleaseAt(
  { releaseKind, releaseAt, releaseMinutes }: HintRow,
  challenge: { readonly releaseAt: number | null },
  { startTime }: { readonly startTime: number },
): number | null {
  if (releaseKind !== 'after') return releaseAt
  return Math.max(challenge.releaseAt ?? startTime, startTime) + (releaseMinutes ?? 0) * MINUTE_MS
}

export const hintRows: RowKind<HintRow, Hints> = {
  kind: 'hints',
  read: readHints,
  keyOf: ({ id }) => id,
  slice: (rows) => createHints([...rows.values()].flat()),
  releases: ({ byChallenge }, challenge, event) =>
    (byChallenge.get(challenge.id) ?? []).map((hint) => hintReleaseAt(hint, challenge, event)),
}

/** By team, in no particular order. A team sees its own purchases in spite of a freeze. */
export const purchaseRows: RowKind<PurchaseRow, RowsByKey<PurchaseRow>> = {
  kind: 'purchases',
  read: readPurchases,
  keyOf: ({ teamId }) => teamId,
  // Pairs of a hint and the team that bought it.
  keysOf: (ids) => ids.filter((_, index) => index % 2 === 1),
  slice: (rows) => rows,
  isByTeam: true,
}

/** All hints of a challenge, in their order, released or not. */
export function hintsOf(world: Pick<WorldView, 'rows'>, challengeId: string): readonly HintRow[] {
  return world.rows(hintRows).byChallenge.get(challengeId) ?? []
}

/** What a team has bought. */
export function purchasesOf(world: Pick<WorldView, 'rows'>, teamId: string): readonly PurchaseRow[] {
  return world.rows(purchaseRows).get(teamId) ?? []
}

/** The number of hints of a challenge that are released, bought or not. */
export function hintCountOf({ released }: Pick<Challenge, 'released'>): number {
  return released[hintRows.kind] ?? 0
}

/** The hints with the given ids, or all. */
export function readHints(db: Queries, ids?: readonly string[]): Promise<HintRow[]> {
  return db.query<HintRow>(sql`
    select id, challenge_id as "challengeId", position, content as text, price, release_kind as "releaseKind",
      ${millis('release_at')} as "releaseAt", release_minutes as "releaseMinutes", version
    from hints ${ids ? sql`where id = any(${ids})` : empty}`)
}

/** The purchases of the given teams, or all. */
export function readPurchases(db: Queries, teamIds?: readonly string[]): Promise<PurchaseRow[]> {
  return db.query<PurchaseRow>(sql`
    select hint_id as "hintId", team_id as "teamId", price, ${millis('at')} as at, adjustment_id as "adjustmentId"
    from hint_purchases ${teamIds ? sql`where team_id = any(${teamIds})` : empty}`)
}
