import { z } from 'zod'
import { provider, ProviderError } from '../provider.ts'
import type { Moderation } from './moderation.ts'

/** Returns a configured verdict, and keeps the pictures it was called with: for tests and demos. */
export interface MemoryModeration extends Moderation {
  /** Oldest first; the oldest are dropped beyond the limit. */
  readonly seen: readonly Buffer[]
}

const MAX_KEPT = 100

export const memoryModeration = provider<MemoryModeration>()({
  name: 'moderation/memory',
  options: z.strictObject({
    verdict: z
      .enum(['allow', 'refuse', 'none'])
      .default('allow')
      .describe('Verdict for every image; `none`: moderation fails.'),
  }),

  start({ verdict }) {
    const seen: Buffer[] = []
    return {
      seen,
      async isAllowed(picture) {
        seen.push(picture)
        if (seen.length > MAX_KEPT) seen.shift()
        if (verdict === 'none') throw new ProviderError('moderation/memory returns no verdict')
        return verdict === 'allow'
      },
    }
  },
})
