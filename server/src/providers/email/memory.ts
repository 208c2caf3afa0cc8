import { z } from 'zod'
import { provider } from '../provider.ts'
import type { Email, EmailMessage } from './email.ts'

/** Keeps mail instead of sending it: for tests, demos and a first look. */
export interface MemoryEmail extends Email {
  /** Oldest first; the oldest leave when there are too many. */
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
