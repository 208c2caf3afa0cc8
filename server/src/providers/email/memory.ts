import { z } from 'zod'
import { provider } from '../provider.ts'
import type { Email, EmailMessage } from './email.ts'

/** Keeps emails in memory instead of sending them: for tests, demos and trying Pennant out. */
export interface MemoryEmail extends Email {
  /** Oldest first; the oldest are dropped beyond the limit. */
  readonly sent: readonly EmailMessage[]
}

const MAX_KEPT = 1000

export const memoryEmail = provider<MemoryEmail>()({
  name: 'emails/memory',
  options: z.strictObject({}),

  start() {
    const sent: EmailMessage[] = []
    return {
      sent,
      async send(message) {
        sent.push(message)
        if (sent.length > MAX_KEPT) sent.shift()
      },
    }
  },
})
