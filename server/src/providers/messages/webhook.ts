import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { callService } from '../call-service.ts'
import { provider } from '../provider.ts'
import type { AskedQuestion, Blood, Markup, Message, Messages, PublicAnnouncement } from './messages.ts'
import { HttpUrl } from '../../lib/service-url.ts'
import { SEND_LIMIT_MS } from './send-limit.ts'

/** It sends data, not text. */
const markup: Markup = { text: (value) => value, url: (value) => value }

export const webhookMessages = provider<Messages>()({
  name: 'messages/webhook',
  options: z.strictObject({
    url: HttpUrl.describe('URL that receives the POST requests.'),
    secret: z
      .string()
      .min(1)
      .optional()
      .describe('Secret that signs the requests, in the same way as score pushes.'),
  }),

  start({ url, secret }, context) {
    const { pathname, search } = new URL(url)
    const secrets = [url, pathname + search, ...(secret === undefined ? [] : [secret])]
    return {
      markup,
      template: '',

      async send(message, signal) {
        const { id, ...event } = eventOf(message)
        const body = JSON.stringify(event)
        const timestamp = String(context.now())
        await callService(
          {
            service: 'messages/webhook',
            url,
            headers: {
              'content-type': 'application/json',
              // A post whose response was lost is sent again: receivers deduplicate by this key.
              'idempotency-key': id,
              ...(secret === undefined ? {} : signature(secret, timestamp, body)),
            },
            body,
            limitMs: SEND_LIMIT_MS,
            signal,
            secrets,
          },
          context,
        )
      },
    }
  },
})

function eventOf(message: Message) {
  if ('blood' in message) return bloodEvent(message.blood)
  return 'question' in message ? questionEvent(message) : announcementEvent(message)
}

function questionEvent({ question }: { readonly question: AskedQuestion }) {
  const { id, team, subject, challenge, time, url } = question
  return { id, event: 'question', team, subject, challenge, time, url }
}

function bloodEvent({ id, bloodNumber, team, challenge, time }: Blood) {
  return { id, event: 'blood', bloodNumber, team, challenge, time }
}

function announcementEvent({ announcement }: { readonly announcement: PublicAnnouncement }) {
  const { id, title, content, severity, time, url } = announcement
  return { id, event: 'announcement', title, content, severity, time, url }
}

/** Signed like a score push: docs/reference/pushed-scores.md#signature */
function signature(secret: string, timestamp: string, body: string): Record<string, string> {
  const mac = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
  return { 'x-svc-timestamp': timestamp, 'x-svc-signature': `sha256=${mac}` }
}
