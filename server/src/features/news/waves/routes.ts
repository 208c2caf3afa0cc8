import { badBody, badChallenge } from '@pennant/contract/replies.ts'
import * as contract from '@pennant/contract/waves.ts'
import type { Database } from '../../../db/database.ts'
import { on, type Actor, type Endpoint } from '../../../http/handler.ts'
import type { WorldView } from '../../../world/model.ts'
import { nextWave } from './rules.ts'
import { editWave, insertWave, removeWave, shiftWave, type WaveProblem, type WaveWriter } from './store.ts'
import { waveView } from './views.ts'
import { waveRows } from './rows.ts'

export interface WaveDeps {
  readonly db: Database
  readonly world: () => WorldView
  readonly now: () => number
}

export function waveRoutes(deps: WaveDeps): Endpoint[] {
  const { world, now } = deps
  return [
    on(contract.readNextWave, () => contract.goodNextWave({ next: nextWave(world(), now()) })),

    on(contract.listWaves, () => {
      const view = world()
      return contract.goodWaves({ waves: view.rows(waveRows).map((row) => waveView(view, row)) })
    }),

    ...writeRoutes(deps),
  ]
}

function writeRoutes({ db, world, now }: WaveDeps): Endpoint[] {
  const writerOf = (team: Actor, ip: string, force: boolean): WaveWriter => ({
    actorId: team.id,
    ip,
    now: now(),
    startTime: world().startTime,
    force,
  })

  /** The wave as it is now: the world includes everything that this process has committed. */
  function find(id: string) {
    const view = world()
    const row = view.rows(waveRows).find((each) => each.id === id)
    return row && waveView(view, row)
  }

  function saved(id: string) {
    const wave = find(id)
    // Another organiser deleted it since the commit.
    return wave ? contract.goodWave({ wave }) : contract.badWave()
  }

  return [
    on(contract.createWave, async ({ body: { data }, team, ip }) => {
      const { challengeIds, force, ...texts } = data
      const written = await insertWave(db, { texts, challengeIds }, writerOf(team, ip, force))
      if (!('id' in written)) return createRefusal(written)
      const wave = find(written.id)
      if (!wave) throw new Error('a wave was deleted while it was created')
      return contract.goodWave({ wave })
    }),

    on(contract.updateWave, async ({ params: { id }, body: { data }, team, ip }) => {
      const { version, challengeIds, force, ...patch } = data
      const written = await editWave(db, { id, version, patch, challengeIds }, writerOf(team, ip, force))
      if ('id' in written) return saved(id)
      const refusal = editRefusal(written)
      if (refusal) return refusal
      return 'problem' in written && written.problem === 'challenge' ? badChallenge() : contract.badWaveName()
    }),

    on(contract.moveWave, async ({ params: { id }, body: { data }, team, ip }) => {
      const { version, byMs, force } = data
      const written = await shiftWave(db, { id, version, byMs }, writerOf(team, ip, force))
      if ('id' in written) return saved(id)
      const refusal = editRefusal(written)
      if (refusal) return refusal
      if ('problem' in written && written.problem === 'unscheduled') return contract.badWaveUnscheduled()
      return badBody({ reason: 'data.byMs: the wave would be too far away' })
    }),

    on(contract.deleteWave, async ({ params: { id }, team, ip }) =>
      (await removeWave(db, id, { actorId: team.id, ip })) ? contract.goodWaveDelete() : contract.badWave(),
    ),
  ]
}

function createRefusal(refusal: WaveProblem) {
  if ('released' in refusal) return contract.badWaveReleased({ challengeIds: [...refusal.released] })
  if ('problem' in refusal && refusal.problem === 'count')
    return contract.badWaveCount({ max: contract.waveLimits.stored })
  return 'problem' in refusal && refusal.problem === 'challenge' ? badChallenge() : contract.badWaveName()
}

/** The refusals that each edit may have; null for those of a single route. */
function editRefusal(refusal: WaveProblem) {
  if ('released' in refusal) return contract.badWaveReleased({ challengeIds: [...refusal.released] })
  if ('version' in refusal) return contract.badWaveVersion({ version: refusal.version })
  return refusal.problem === 'missing' ? contract.badWave() : null
}
