import { UNSCHEDULED, waveLimits } from '@pennant/contract/waves.ts'
import sql from 'sql-template-tag'
import type { ChangeTransaction } from '../../../db/database.ts'
import type { ChallengeRow } from '../../../world/model.ts'
import type { ChallengePatch } from './challenge-patch.ts'
import { readWaves, waveRows } from '../../news/waves/rows.ts'

/** A value of an edit that is refused: the name of the field, and why. */
export interface FieldProblem {
  readonly field: string
  readonly reason: string
}

/** The edit with the release time that follows from the wave of the challenge. */
export async function withWave(
  tx: ChangeTransaction,
  current: ChallengeRow | null,
  patch: ChallengePatch,
): Promise<{ readonly patch: ChallengePatch } | { readonly problem: FieldProblem }> {
  const before = current?.waveId ?? null
  const { waveId = before, releaseAt } = patch
  if (waveId === before) {
    if (before === null || releaseAt === undefined || releaseAt === current?.releaseAt) return { patch }
    return { problem: { field: 'releaseTime', reason: 'is the time of the wave; move the wave or leave it' } }
  }
  await touchWaves(tx, [before, waveId])
  if (waveId === null) return { patch: leaving(current, patch) }
  const [wave] = await readWaves(tx, [waveId])
  if (!wave) return { problem: { field: 'waveId', reason: 'no such wave' } }
  const [count] = await tx.query<{ count: number }>(sql`
    select count(*) from challenges where wave_id = ${waveId}`)
  if ((count?.count ?? 0) >= waveLimits.challenges)
    return {
      problem: { field: 'waveId', reason: `the wave has ${waveLimits.challenges} challenges already` },
    }
  return { patch: { ...patch, releaseAt: wave.openAt ?? UNSCHEDULED } }
}

/** As for the challenges of a deleted wave: what had no time becomes hidden. */
function leaving(current: ChallengeRow | null, patch: ChallengePatch): ChallengePatch {
  const isNever = (patch.releaseAt ?? UNSCHEDULED) === UNSCHEDULED && current?.releaseAt === UNSCHEDULED
  if (!isNever || patch.releaseAt === null) return patch
  return { ...patch, releaseAt: null, hidden: true }
}

/** The lists of challenges of these waves change, which their editors must notice. */
async function touchWaves(tx: ChangeTransaction, ids: readonly (string | null)[]): Promise<void> {
  const touched = ids.filter((id) => id !== null)
  await tx.query(sql`update waves set version = version + 1 where id = any(${touched})`)
  tx.changed(waveRows, touched)
}

/** An edit of one challenge may change the number that players see beside the countdown of its wave. */
export function touchCounts(
  tx: ChangeTransaction,
  before: ChallengeRow | null,
  after: ChallengeRow | null,
): void {
  const [old, next] = [before, after].map((row) => (row && !row.hidden ? row : null))
  const isSame =
    (old?.waveId ?? null) === (next?.waveId ?? null) &&
    old?.lockedShown === next?.lockedShown &&
    !old?.prerequisites?.length === !next?.prerequisites?.length
  const ids = new Set([old?.waveId, next?.waveId].filter((id) => typeof id === 'string'))
  if (!isSame && ids.size > 0) tx.changed(waveRows, [...ids])
}
