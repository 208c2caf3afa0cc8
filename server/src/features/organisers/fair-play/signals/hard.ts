import type { AttemptFact, ChallengeFact, Facts } from './facts.ts'
import { signal, type Signal } from './signal.ts'

// What a team can hardly have without someone else's help.

export function hardSignals(facts: Facts): Signal[] {
  const owners = ownersOf(facts)
  const decoys = new Map(facts.decoys.map(({ id, flag }) => [flag, id]))
  const closed = closedFlags(facts.challenges)
  return facts.attempts.flatMap((attempt) => [
    ...foreignFlag(attempt, owners),
    ...decoyFlag(attempt, decoys),
    ...closedFlag(attempt, closed),
  ])
}

/** Text to the only team that has it. */
function ownersOf({ minted }: Facts): ReadonlyMap<string, string | null> {
  const owners = new Map<string, string | null>()
  for (const { flag, teamId } of minted) {
    const known = owners.get(flag)
    // Two teams may have the same variant: then it shows nothing.
    owners.set(flag, known === undefined || known === teamId ? teamId : null)
  }
  return owners
}

function foreignFlag(attempt: AttemptFact, owners: ReadonlyMap<string, string | null>): Signal[] {
  const { text, teamId, challengeId, at, id, result } = attempt
  const owner = owners.has(text) ? owners.get(text) : attempt.ownerId
  if (!owner || owner === teamId) return []
  return [
    signal({
      kind: 'foreignFlag',
      teamIds: [teamId, owner],
      challengeId,
      at,
      submissionIds: [id],
      evidence: { result },
    }),
  ]
}

function decoyFlag(attempt: AttemptFact, decoys: ReadonlyMap<string, string>): Signal[] {
  const { text, teamId, challengeId, at, id } = attempt
  const decoyId = decoys.get(text.trim())
  if (decoyId === undefined) return []
  return [
    signal({
      kind: 'decoyFlag',
      teamIds: [teamId],
      challengeId,
      at,
      submissionIds: [id],
      evidence: { decoyId },
    }),
  ]
}

interface Closed {
  readonly challengeId: string
  readonly openedAt: number
}

/** Text of a flag to the challenge that has it, without texts that belong to several. */
function closedFlags(challenges: readonly ChallengeFact[]): ReadonlyMap<string, Closed> {
  const closed = new Map<string, Closed>()
  const shared = new Set<string>()
  for (const { id, flags, openedAt } of challenges)
    for (const flag of flags) {
      if (closed.has(flag)) shared.add(flag)
      closed.set(flag, { challengeId: id, openedAt: openedAt ?? Infinity })
    }
  for (const flag of shared) closed.delete(flag)
  return closed
}

/** The flag of a challenge that no team could read at that time, sent to another one. */
function closedFlag(attempt: AttemptFact, closed: ReadonlyMap<string, Closed>): Signal[] {
  const { text, teamId, at, id } = attempt
  const owner = closed.get(text)
  if (!owner || owner.challengeId === attempt.challengeId || at >= owner.openedAt) return []
  return [
    signal({
      kind: 'closedFlag',
      teamIds: [teamId],
      challengeId: owner.challengeId,
      at,
      submissionIds: [id],
      evidence: { sentTo: attempt.challengeId },
    }),
  ]
}
