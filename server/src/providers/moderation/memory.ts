import { z } from 'zod'
import { provider, ProviderError } from '../provider.ts'
import type { Moderation } from './moderation.ts'

/** Gives the verdict it was told to, and keeps what it was shown: for tests and demos. */
export interface MemoryModeration extends Moderation {
  /** Oldest first; the oldest leave when there are too many. */
  readonly seen: readonly Buffer[]
}

const MAX_KEPT = 100

export const memoryModeration = provider<MemoryModeration>()({
  name: 'moderation/memory',
  options: z.strictObject({
    verdict: z
      .enum(['allow', 'refuse', 'none'])
      .default('allow')
      .describe('What it says of every picture; `none`: it fails.'),
  }),

  start({ verdict }) {
    const seen: Buffer[] = []
    return {
      seen,
      async isAllowed(picture) {
        seen.push(picture)
        if (seen.length > MAX_KEPT) seen.shift()
        if (verdict === 'none') throw new ProviderError('moderation/memory gives no verdict')
        return verdict === 'allow'
      },
    }
  },
})
