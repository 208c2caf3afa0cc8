import * as contract from '@pennant/contract/fair-play.ts'
import type { Database } from '../../../db/database.ts'
import { on, type Endpoint } from '../../../http/handler.ts'
import { createSemaphore } from '../../../lib/semaphore.ts'
import type { WorldView } from '../../../world/model.ts'
import { computeFromDatabase, countKinds } from './compute.ts'
import { deleteDecoy, insertDecoy, readDecoys } from './decoys.ts'
import { readDesk, readSignals, readSuggestions, writeThresholds } from './store.ts'
import { kindView, named, signalView } from './views.ts'

export interface FairPlayDeps {
  readonly db: Database
  readonly world: () => WorldView
}

/** A preview is a whole computation. */
const PREVIEWS = { slots: 1, maxQueue: 4 }

/** Endpoints of referees: docs/reference/fair-play.md */
export function fairPlayRoutes(deps: FairPlayDeps): Endpoint[] {
  return [...deskRoutes(deps), ...signalRoutes(deps), ...decoyRoutes(deps)]
}

function deskRoutes({ db, world }: FairPlayDeps): Endpoint[] {
  const inSlot = createSemaphore(PREVIEWS)
  return [
    on(contract.readFairPlay, async () => contract.goodFairPlay(await deskData(db))),

    on(contract.updateFairPlayThresholds, async ({ body: { data }, team, ip }) => {
      const isWritten = await writeThresholds(db, data, { actorId: team.id, ip })
      const current = await deskData(db)
      return isWritten
        ? contract.goodFairPlay(current)
        : contract.badFairPlayVersion({ version: current.version })
    }),

    on(contract.previewFairPlay, async ({ body: { data } }) => {
      const { thresholds } = await readDesk(db)
      const wanted = contract.FairPlayThresholds.parse({ ...thresholds, ...data.thresholds })
      const { signals, playing } = await inSlot(() => computeFromDatabase({ db, world }, wanted))
      return contract.goodFairPlayPreview({ playing, kinds: countKinds(signals).map(kindView) })
    }),
  ]
}

function signalRoutes({ db, world }: FairPlayDeps): Endpoint[] {
  return [
    on(contract.listFairPlaySignals, async ({ query: { userId, ...filter } }) => {
      const page = await readSignals(db, { ...filter, ...(userId !== undefined && { teamIds: [userId] }) })
      const view = world()
      return contract.goodFairPlaySignals({
        total: page.total,
        signals: page.signals.map((signal) => signalView(signal, view)),
      })
    }),

    on(contract.listFairPlaySuggestions, async () => {
      const rows = await readSuggestions(db, contract.fairPlayLimits.suggestions)
      const view = world()
      return contract.goodFairPlaySuggestions({
        suggestions: rows.map(({ teamIds, hard, behavioural, lastAt }) => ({
          teams: teamIds.map((id) => named(id, view)),
          hard,
          behavioural,
          lastAt,
        })),
      })
    }),
  ]
}

function decoyRoutes({ db, world }: FairPlayDeps): Endpoint[] {
  return [
    on(contract.listFairPlayDecoys, async () =>
      contract.goodFairPlayDecoys({ decoys: await readDecoys(db) }),
    ),

    on(contract.createFairPlayDecoy, async ({ body: { data }, team, ip }) => {
      const isRight = world()
        .challenges()
        .some(({ flags }) => flags.some(({ config }) => config['flag'] === data.flag))
      if (isRight) return contract.badFairPlayDecoyKnown()
      const made = await insertDecoy(db, data, { actorId: team.id, ip })
      if (made === 'known') return contract.badFairPlayDecoyKnown()
      if (made === 'full') return contract.badFairPlayDecoyCount({ max: contract.fairPlayLimits.decoys })
      return contract.goodFairPlayDecoy({ decoy: made })
    }),

    on(contract.deleteFairPlayDecoy, async ({ params: { id }, team, ip }) =>
      (await deleteDecoy(db, id, { actorId: team.id, ip }))
        ? contract.goodFairPlayDecoyDelete()
        : contract.badFairPlayDecoy(),
    ),
  ]
}

async function deskData(db: Database) {
  const { computedAt, receiptsSince, summary, thresholds, version } = await readDesk(db)
  return {
    computedAt,
    receiptsSince,
    playing: summary?.playing ?? 0,
    isCut: summary?.isCut ?? false,
    kinds: (summary?.kinds ?? []).map(kindView),
    thresholds,
    version,
  }
}
