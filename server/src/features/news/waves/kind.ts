import type { Kind } from '../../contest/kinds/kind.ts'
import type { StateEvent } from '../../contest/kinds/stream-kind.ts'
import { undoOfChange, UndoRefusedError } from '../../contest/kinds/undo-kind.ts'
import { waveArchive } from './archive.ts'
import { waveRows } from './rows.ts'
import { nextWave } from './rules.ts'
import { loggedWave, restoreWave, WaveRefusedError, type WaveProblem } from './store.ts'

/** Compared with the last one sent: waves that are not announced must not be noticed. */
const nextEvent: StateEvent<'wave'> = {
  name: 'wave',
  part: 'challenges',
  data: ({ world, now }) => ({ next: nextWave(world, now) }),
}

/** Also a move. Refused where players would lose challenges that they see. */
const undoUpdate = undoOfChange(({ id, before }) => ({
  perms: ['challsRead', 'challsWrite'],
  current: async (tx) => await loggedWave(tx, id),
  async apply(tx, by) {
    try {
      await restoreWave(tx, id, { values: before, writer: { ...by, force: false } })
    } catch (error) {
      throw error instanceof WaveRefusedError ? new UndoRefusedError(refusedFields(error.refusal)) : error
    }
    return []
  },
}))

function refusedFields(refusal: WaveProblem): string[] {
  if ('released' in refusal) return ['openAt']
  return 'problem' in refusal && refusal.problem === 'name' ? ['name'] : ['challengeIds']
}

export const waveKind: Kind = {
  rows: [waveRows],
  states: [nextEvent],
  undo: { 'wave.update': undoUpdate },
  archive: waveArchive,
  nameOf: (id, world) => world.rows(waveRows).find((wave) => wave.id === id)?.name,
}
