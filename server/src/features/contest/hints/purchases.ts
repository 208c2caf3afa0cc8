import { randomUUID } from 'node:crypto'
import { adjustmentLimits } from '@pennant/contract/score-adjustments.ts'
import sql from 'sql-template-tag'
import { byColumns } from '../../../db/acting-columns.ts'
import type { ChangeTransaction, Database } from '../../../db/database.ts'
import type { Acting } from '../../../lib/acting-person.ts'
import { createBatcher } from '../../../lib/batch.ts'
import type { Views, WorldView } from '../../../world/model.ts'
import {
  decide,
  knownHints,
  payableScore,
  purchaseReason,
  type Account,
  type Decision,
  type Wish,
} from './rules.ts'
import { adjustmentRows } from '../adjustments/rows.ts'
import { purchaseRows, purchasesOf } from './rows.ts'

export interface PurchaseDeps {
  readonly db: Database
  /** Everything. */
  readonly world: () => WorldView
  /** As participants see it. */
  readonly shown: () => WorldView
  /** Resolves once the world includes everything committed before the call. */
  readonly caughtUp: () => Promise<void>
  readonly now: () => number
}

/** Purchases per transaction; it holds the change lock. */
const MAX_BATCH = 128
/** Beyond that, requests are rejected and clients retry. */
const MAX_QUEUE = 4096

const maxAdjustments = adjustmentLimits.perTeam

/**
 * Buys hints, each once per team. Group commit: wishes that arrive while a commit is in flight share the next one, so that waiting
 * for the lock takes one connection of each process, however many players buy.
 */
export function createPurchases(deps: PurchaseDeps): (wish: Wish) => Promise<Decision> {
  const { db, world, shown, now } = deps
  const buy = createBatcher<Wish, Decision>({
    run: (wishes) => db.change((tx) => buyAll(tx, wishes, deps)),
    maxBatch: MAX_BATCH,
    maxQueue: MAX_QUEUE,
  })
  return async (wish) => {
    // What a team has, it never loses, so this needs no lock.
    const known = decide(world(), wish, {
      account: accountIn({ live: world(), shown: shown() }, wish.teamId),
      now: now(),
      maxAdjustments,
    })
    return known.kind === 'have' ? known : await buy(wish)
  }
}

/** Under the change lock no one else writes, so the world is exact once it has caught up. */
async function buyAll(
  tx: ChangeTransaction,
  wishes: readonly Wish[],
  { world, shown, caughtUp, now }: PurchaseDeps,
): Promise<Decision[]> {
  await caughtUp()
  const view = world()
  const accounts = await readAccounts(tx, [...new Set(wishes.map(({ teamId }) => teamId))])
  const views = { live: view, shown: shown() }
  const at = now()
  const bought: Bought[] = []
  const decisions = wishes.map((wish) => {
    const account = { ...accounts.of(wish.teamId), score: payableScore(views, wish.teamId) }
    const decision = decide(view, wish, { account, now: at, maxAdjustments })
    if (decision.kind !== 'buy') return decision
    const { hint, challenge } = decision
    const { hints } = knownHints(view, challenge.id, { teamId: wish.teamId, now: at })
    const number = hints.findIndex(({ id }) => id === hint.id) + 1
    const reason = purchaseReason(challenge, { number, maxLength: adjustmentLimits.reason })
    bought.push({ ...wish, id: randomUUID(), hintId: hint.id, price: hint.price, reason })
    accounts.pay(wish.teamId, hint)
    return decision
  })
  await insertAll(tx, bought, at)
  return decisions
}

interface Bought extends Acting {
  /** Of the score adjustment. */
  readonly id: string
  readonly hintId: string
  readonly teamId: string
  readonly price: number
  readonly reason: string
}

/** The primary key of the purchases would refuse a second one and roll everything back. */
async function insertAll(tx: ChangeTransaction, bought: readonly Bought[], at: number): Promise<void> {
  if (bought.length === 0) return
  const column = <K extends keyof Bought>(name: K) => bought.map((row) => row[name])
  const when = new Date(at)
  await tx.query(sql`
    insert into score_adjustments (id, team_id, points, reason, kind, at)
    select id, team_id, -price, reason, 'hint', ${when}
    from unnest(${column('id')}::text[], ${column('teamId')}::text[], ${column('price')}::int[],
      ${column('reason')}::text[]) as b (id, team_id, price, reason)`)
  await tx.query(sql`
    insert into hint_purchases (hint_id, team_id, price, at, adjustment_id, ${byColumns})
    select hint_id, team_id, price, ${when}, id, ${byColumns}
    from unnest(${column('hintId')}::text[], ${column('teamId')}::text[], ${column('price')}::int[],
      ${column('id')}::text[], ${column('personId')}::text[], ${column('apiTokenId')}::text[],
      ${column('apiTokenName')}::text[]) as b (hint_id, team_id, price, id, ${byColumns})`)
  tx.changed(
    purchaseRows,
    bought.flatMap(({ hintId, teamId }) => [hintId, teamId]),
  )
  tx.changed(adjustmentRows, [...new Set(column('teamId'))])
}

function accountIn(views: Views, teamId: string): Account {
  const owned = new Set(purchasesOf(views.live, teamId).map(({ hintId }) => hintId))
  const score = payableScore(views, teamId)
  return { score, spent: 0, adjustments: 0, hasBought: (hintId) => owned.has(hintId) }
}

/** The accounts of the teams, to which `pay` adds what this transaction is going to write. */
async function readAccounts(tx: ChangeTransaction, teamIds: readonly string[]) {
  const purchases = await tx.query<{ teamId: string; hintId: string }>(sql`
    select team_id as "teamId", hint_id as "hintId" from hint_purchases where team_id = any(${teamIds})`)
  const counts = await tx.query<{ teamId: string; count: number }>(sql`
    select team_id as "teamId", count(*) as count from score_adjustments where team_id = any(${teamIds})
    group by team_id`)
  const owned = new Map<string, Set<string>>()
  const spent = new Map<string, number>()
  const adjustments = new Map(counts.map(({ teamId, count }) => [teamId, count]))
  const own = (teamId: string, hintId: string) => {
    const hints = owned.get(teamId) ?? new Set()
    owned.set(teamId, hints.add(hintId))
  }
  for (const { teamId, hintId } of purchases) own(teamId, hintId)
  return {
    of: (teamId: string): Omit<Account, 'score'> => ({
      spent: spent.get(teamId) ?? 0,
      adjustments: adjustments.get(teamId) ?? 0,
      hasBought: (hintId) => owned.get(teamId)?.has(hintId) ?? false,
    }),
    pay(teamId: string, { id, price }: { readonly id: string; readonly price: number }) {
      own(teamId, id)
      spent.set(teamId, (spent.get(teamId) ?? 0) + price)
      adjustments.set(teamId, (adjustments.get(teamId) ?? 0) + 1)
    },
  }
}
