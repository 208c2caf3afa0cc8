import { signalTiers, type FairPlaySignal } from '@pennant/contract/fair-play.ts'
import type { z } from 'zod'
import type { WorldView } from '../../../world/model.ts'
import type { KindCount } from './compute.ts'
import type { Signal } from './signals/signal.ts'

export function signalView(
  { id, kind, teamIds, challengeId, at, submissionIds, evidence }: Signal,
  world: WorldView,
): z.input<typeof FairPlaySignal> {
  return {
    id,
    kind,
    tier: signalTiers[kind],
    teams: teamIds.map((teamId) => named(teamId, world)),
    challenge: challengeId === null ? null : namedChallenge(challengeId, world),
    at,
    submissionIds: [...submissionIds],
    evidence: { ...evidence },
  }
}

export function kindView({ kind, signals, teams }: KindCount) {
  return { kind, tier: signalTiers[kind], signals, teams }
}

export function named(id: string, world: WorldView) {
  return { id, name: world.team(id)?.name ?? id }
}

export function namedChallenge(id: string, world: WorldView) {
  return { id, name: world.challenge(id)?.name ?? id }
}
