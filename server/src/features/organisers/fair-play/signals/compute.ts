import { signalKinds, type FairPlayThresholds } from '@pennant/contract/fair-play.ts'
import { groupBy } from '../../../../lib/group-by.ts'
import { contextSignals } from './context.ts'
import type { Facts } from './facts.ts'
import { hardSignals } from './hard.ts'
import { unreadSolves } from './reading.ts'
import { sameRhythms } from './rhythm.ts'
import { byTime, type Signal } from './signal.ts'
import { fastSolves } from './speed.ts'
import { equalWrongFlags } from './wrong-flags.ts'

/** Signals of one kind. A kind with more says nothing: its threshold is wrong for the event. */
export const MAX_SIGNALS_OF_KIND = 2000

/** All signals, by time. The same facts and thresholds always give the same signals with the same ids. */
export function computeSignals(facts: Facts, thresholds: FairPlayThresholds): Signal[] {
  const found = [
    ...hardSignals(facts),
    ...equalWrongFlags(facts, thresholds),
    ...unreadSolves(facts, thresholds),
    ...sameRhythms(facts, thresholds),
    ...fastSolves(facts, thresholds),
    ...contextSignals(facts, thresholds),
  ]
  const unique = new Map(found.map((each) => [each.id, each]))
  const byKind = groupBy(unique.values(), ({ kind }) => kind)
  return signalKinds
    .flatMap((kind) => (byKind.get(kind) ?? []).toSorted(byTime).slice(0, MAX_SIGNALS_OF_KIND))
    .toSorted(byTime)
}
