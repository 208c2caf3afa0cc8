import type { FairPlayThresholds } from '@pennant/contract/fair-play.ts'
import { computeSignals } from './compute.ts'
import type { Facts } from './facts.ts'
import type { Signal } from './signal.ts'

export interface SignalInput {
  readonly facts: Facts
  readonly thresholds: FairPlayThresholds
}

/** Signals per message. */
const PAGE = 500

/** The computation as a task of another process, so that it delays no request. */
export async function* yieldSignals({ facts, thresholds }: SignalInput): AsyncGenerator<readonly Signal[]> {
  const signals = computeSignals(facts, thresholds)
  for (let from = 0; from < signals.length; from += PAGE) yield signals.slice(from, from + PAGE)
}
