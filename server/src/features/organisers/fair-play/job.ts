import { MINUTE_MS } from '@pennant/contract/durations.ts'
import type { Database } from '../../../db/database.ts'
import type { WorldView } from '../../../world/model.ts'
import { computeFromDatabase } from './compute.ts'
import { deleteOrphans, readDesk, readFactsMark, storeSignals } from './store.ts'

/** Minutes do not matter: organisers work on cases for hours. */
const EVERY_MS = 5 * MINUTE_MS

export interface SignalsJobDeps {
  readonly db: Database
  readonly world: () => WorldView
  readonly now: () => number
  /** Raw signals were erased, and are not computed again. */
  readonly isErased: () => boolean
}

/** Computes the signals when a fact has changed. A job of the worker. */
export function signalsJob({ db, world, now, isErased }: SignalsJobDeps) {
  let computedMark = ''
  return {
    name: 'fair play signals',
    everyMs: EVERY_MS,
    async run(signal: AbortSignal) {
      const mark = await readFactsMark(db)
      if (mark === computedMark || isErased()) return
      await deleteOrphans(db)
      const { thresholds } = await readDesk(db)
      await storeSignals(db, await computeFromDatabase({ db, world }, thresholds, signal), now())
      computedMark = mark
    },
  }
}
