import * as contract from '@pennant/contract/wave-checks.ts'
import { badWave } from '@pennant/contract/waves.ts'
import type { Database } from '../../../db/database.ts'
import { on, type Endpoint } from '../../../http/handler.ts'
import type { WorldView } from '../../../world/model.ts'
import type { WaveChecks } from './runner.ts'
import { findRun } from './store.ts'
import { waveCheckView } from './views.ts'
import { waveRows } from '../../../features/news/waves/rows.ts'

export interface WaveCheckRouteDeps {
  readonly db: Database
  readonly world: () => WorldView
  readonly waveChecks: WaveChecks
}

export function waveCheckRoutes({ db, world, waveChecks }: WaveCheckRouteDeps): Endpoint[] {
  const viewOf = async (id: string) => waveCheckView(world(), id, await findRun(db, id))
  return [
    on(contract.readWaveCheck, async ({ params: { id } }) =>
      world()
        .rows(waveRows)
        .some((wave) => wave.id === id)
        ? contract.goodWaveCheck(await viewOf(id))
        : badWave(),
    ),

    on(contract.startWaveCheck, async ({ params: { id }, team, ip }) => {
      const begun = await waveChecks.start(id, { actorId: team.id, ip })
      if (begun === 'missing') return badWave()
      if (begun !== 'begun') return contract.badWaveCheckBusy({ waveId: begun.busyWith })
      return contract.goodWaveCheckStart(await viewOf(id))
    }),
  ]
}
