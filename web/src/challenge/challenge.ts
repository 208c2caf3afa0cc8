import type { ChallengeV2 } from '@pennant/contract/challenges.ts'
import type { z } from 'zod'

/** A challenge as participants receive it. */
export type Challenge = z.output<typeof ChallengeV2>
