import type { ChallengeV2 } from '@pennant/contract/challenges.ts'
import type { ProfileV2 } from '@pennant/contract/teams.ts'
import type { z } from 'zod'

export type Team = z.output<typeof ProfileV2>
export type Challenge = z.output<typeof ChallengeV2>

/** Data that only the team itself can see. */
export interface OwnFacts {
  readonly isBanned: boolean
}
