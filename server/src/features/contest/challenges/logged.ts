import { loggedChange, type LoggedChange } from '../../../lib/logged-fields.ts'
import type { ChallengeRow } from '../../../world/model.ts'

/**
 * What the action log keeps of each field of a challenge. `secret`: readers of the log must not learn the value. Settings of
 * instances and the code of the admin bot often contain flags.
 */
const fields: Readonly<Record<keyof ChallengeRow, 'shown' | 'secret' | 'omitted'>> = {
  id: 'omitted',
  n: 'omitted',
  version: 'omitted',
  name: 'shown',
  description: 'shown',
  category: 'shown',
  author: 'shown',
  flags: 'secret',
  files: 'shown',
  pointsMin: 'shown',
  pointsMax: 'shown',
  tiebreakEligible: 'shown',
  tiebreakChoice: 'shown',
  sortWeight: 'shown',
  hidden: 'shown',
  releaseAt: 'shown',
  scoringKind: 'shown',
  scoringSecret: 'secret',
  instancerConfig: 'secret',
  adminBotConfig: 'secret',
  tags: 'shown',
  waveId: 'shown',
  prerequisites: 'shown',
  lockedShown: 'shown',
}

const kept = Object.entries(fields).filter(([, how]) => how !== 'omitted')
const secret = kept.filter(([, how]) => how === 'secret').map(([name]) => name)

/** A change of a challenge for the action log; null for one that does not exist. */
export function challengeChange(before: ChallengeRow | null, after: ChallengeRow | null): LoggedChange {
  return loggedChange(before && loggedFields(before), after && loggedFields(after), secret)
}

export function loggedFields(row: ChallengeRow): Readonly<Record<string, unknown>> {
  return Object.fromEntries(kept.map(([name]) => [name, row[name as keyof ChallengeRow] ?? null]))
}
