import { createHash } from 'node:crypto'
import type { WaveCheck } from '@pennant/contract/wave-checks.ts'
import type { z } from 'zod'
import type { Challenge, ChallengeRow, WorldView } from '../../../world/model.ts'
import type { WaveCheckRow } from './store.ts'

export function challengesOf(world: WorldView, waveId: string): Challenge[] {
  return world.challenges().filter((challenge) => challenge.waveId === waveId)
}

const fingerprints = new WeakMap<ChallengeRow, string>()

/** Identifies what was checked of a challenge. Moving its wave, and its place in the list, change nothing of that. */
export function fingerprintOf(challenge: ChallengeRow): string {
  const known = fingerprints.get(challenge)
  if (known !== undefined) return known
  const { id, n, hidden, flags, files, scoringKind, scoringSecret, instancerConfig } = challenge
  const { adminBotConfig, prerequisites } = challenge
  const content = [
    id,
    n,
    hidden,
    flags,
    files,
    scoringKind,
    scoringSecret,
    instancerConfig,
    adminBotConfig,
    prerequisites,
  ]
  const made = createHash('sha256').update(JSON.stringify(content)).digest('hex')
  fingerprints.set(challenge, made)
  return made
}

/** The last run as it applies to what the wave contains now. */
export function waveCheckView(
  world: WorldView,
  waveId: string,
  row: WaveCheckRow | null,
): z.input<typeof WaveCheck> {
  const results = new Map(row?.results.map((result) => [result.id, result]))
  return {
    state: stateOf(row),
    startedAt: row && Math.round(row.startedAt),
    finishedAt: row?.finishedAt == null ? null : Math.round(row.finishedAt),
    challenges: challengesOf(world, waveId).map((challenge) => {
      const { id, name } = challenge
      const result = results.get(id)
      if (!result) return { id, name, state: 'unchecked', checks: [] }
      const isSame = result.fingerprint === fingerprintOf(challenge)
      return { id, name, state: isSame ? 'checked' : 'outdated', checks: [...result.checks] }
    }),
  }
}

function stateOf(row: WaveCheckRow | null) {
  if (!row) return 'never'
  if (row.finishedAt !== null) return 'finished'
  return row.isDead ? 'interrupted' : 'running'
}
