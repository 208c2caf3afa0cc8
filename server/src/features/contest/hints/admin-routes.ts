import * as contract from '@pennant/contract/hints.ts'
import { badChallenge } from '@pennant/contract/replies.ts'
import type { Database } from '../../../db/database.ts'
import { on, type Actor, type Endpoint } from '../../../http/handler.ts'
import { type HintRow, hintReleaseAt, hintRows, hintsOf } from './rows.ts'
import type { WorldView } from '../../../world/model.ts'
import { isReleased } from './rules.ts'
import { countPurchases, editHint, insertHint, releaseNow, removeHint, reorderHints } from './store.ts'
import { adminHintView } from './views.ts'

export interface AdminHintDeps {
  readonly db: Database
  readonly world: () => WorldView
  readonly now: () => number
}

export function adminHintRoutes({ db, world, now }: AdminHintDeps): Endpoint[] {
  async function viewsOf(rows: readonly HintRow[]) {
    const view = world()
    const purchases = await countPurchases(
      db,
      rows.map(({ id }) => id),
    )
    return rows.map((row) => {
      const challenge = view.challenge(row.challengeId) ?? { releaseAt: null }
      const releaseAt = hintReleaseAt(row, challenge, view)
      return adminHintView(row, { releaseAt, purchases: purchases.get(row.id) ?? 0 })
    })
  }

  async function listOf(challengeId: string) {
    return contract.goodAdminHints({ hints: await viewsOf(hintsOf(world(), challengeId)) })
  }

  /** As it is now: the world includes everything that this process has committed. */
  async function find(id: string) {
    const row = world().rows(hintRows).byId.get(id)
    const [hint] = row ? await viewsOf([row]) : []
    return hint
  }

  async function saved(id: string) {
    const hint = await find(id)
    // Another organiser deleted it since the commit.
    return hint ? contract.goodAdminHint({ hint }) : contract.badHint()
  }

  return [
    on(contract.listAdminHints, async ({ params: { id } }) =>
      world().challenge(id) ? await listOf(id) : badChallenge(),
    ),

    on(contract.createHint, async ({ params: { id }, body: { data }, team, ip }) => {
      const made = await insertHint(db, id, { texts: data, by: byOf(team, ip) })
      if (made === 'challenge') return badChallenge()
      if ('max' in made) return contract.badHintCount(made)
      const hint = await find(made.id)
      if (!hint) throw new Error('a hint was deleted while it was created')
      return contract.goodAdminHint({ hint })
    }),

    on(contract.orderHints, async ({ params: { id }, body: { data }, team, ip }) => {
      if (!world().challenge(id)) return badChallenge()
      const written = await reorderHints(db, id, { hintIds: data.hintIds, by: byOf(team, ip) })
      return written === 'order' ? contract.badHintOrder() : await listOf(id)
    }),

    on(contract.updateHint, async ({ params: { id }, body: { data }, team, ip }) => {
      const { version, ...patch } = data
      const written = await editHint(db, { id, version, patch }, byOf(team, ip))
      if (written === null) return contract.badHint()
      return written === 'written' ? await saved(id) : contract.badHintVersion(written)
    }),

    on(contract.releaseHint, async ({ params: { id }, team, ip }) => {
      const at = now()
      const isDone = (hint: HintRow) => isReleased(world(), hint, at)
      const released = await releaseNow(db, id, { by: byOf(team, ip), now: at, isReleased: isDone })
      return released ? await saved(id) : contract.badHint()
    }),

    on(contract.deleteHint, async ({ params: { id }, query: { refund }, team, ip }) => {
      const removed = await removeHint(db, id, { refund: refund === 'true', by: byOf(team, ip) })
      if (!removed) return contract.badHint()
      return 'refunded' in removed ? contract.goodHintDelete(removed) : contract.badHintBought(removed)
    }),
  ]
}

function byOf({ id }: Actor, ip: string) {
  return { actorId: id, ip }
}
