import type { FairPlayThresholds, SignalKind } from '@pennant/contract/fair-play.ts'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import type { Database } from '../../../db/database.ts'
import { runIsolated } from '../../../lib/isolated.ts'
import type { WorldView } from '../../../world/model.ts'
import { readFacts } from './read-facts.ts'
import type { Signal } from './signals/signal.ts'
import type { SignalInput } from './signals/task.ts'

/** 100,000 rows of each kind need about 200 MiB. */
const MAX_MEMORY_MIB = 512
const LIMIT_MS = MINUTE_MS

export interface KindCount {
  readonly kind: SignalKind
  readonly signals: number
  /** Teams that a signal is about. */
  readonly teams: number
}

export interface Computed {
  readonly signals: readonly Signal[]
  /** Teams that sent a flag. */
  readonly playing: number
  readonly attempts: number
  readonly isCut: boolean
}

/** Reads the facts and computes the signals in another process. */
export async function computeFromDatabase(
  { db, world }: { readonly db: Database; readonly world: () => WorldView },
  thresholds: FairPlayThresholds,
  signal?: AbortSignal,
): Promise<Computed> {
  const { facts, isCut } = await readFacts(db, world())
  const input: SignalInput = { facts, thresholds }
  const signals: Signal[] = []
  const work = {
    task: 'fair-play-signals',
    input,
    maxMemoryMib: MAX_MEMORY_MIB,
    limitMs: LIMIT_MS,
    ...(signal && { signal }),
  }
  for await (const page of runIsolated<readonly Signal[]>(work)) signals.push(...page)
  return {
    signals,
    playing: new Set(facts.attempts.map(({ teamId }) => teamId)).size,
    attempts: facts.attempts.length,
    isCut,
  }
}

/** Signals and teams of each kind that has some. */
export function countKinds(signals: readonly Pick<Signal, 'kind' | 'teamIds'>[]): KindCount[] {
  const counts = new Map<SignalKind, { signals: number; readonly teams: Set<string> }>()
  for (const { kind, teamIds } of signals) {
    const count = counts.get(kind) ?? { signals: 0, teams: new Set<string>() }
    counts.set(kind, count)
    count.signals += 1
    if (teamIds[0] !== undefined) count.teams.add(teamIds[0])
  }
  return [...counts].map(([kind, { signals: total, teams }]) => ({ kind, signals: total, teams: teams.size }))
}
