import { z } from 'zod'
import type { Queries } from '../../../db/database.ts'
import type { Email } from '../../../providers/email/email.ts'
import { renderMailing, type MailingFrame } from './render.ts'
import { findTexts, hasOptedOut } from './store.ts'

const Payload = z.object({
  /** Null for one that an organiser sends to themselves, with its texts. */
  mailing: z.string().nullable(),
  to: z.string(),
  name: z.string(),
  texts: z.object({ subject: z.string(), content: z.string(), topic: z.enum(['event', 'other']) }).optional(),
})

/** Sends the outbox rows of kind `mailing`. One that was stopped, or that the receiver unsubscribed from since, is dropped. */
export function createMailingSender(db: Queries, email: Email, frame: MailingFrame) {
  return async (payload: unknown): Promise<void> => {
    const { mailing, to, name, texts: own } = Payload.parse(payload)
    const texts = mailing === null ? own : await findTexts(db, mailing)
    if (!texts || (mailing !== null && texts.topic === 'other' && (await hasOptedOut(db, to)))) return
    await email.send(renderMailing(texts, { address: to, name }, frame))
  }
}
