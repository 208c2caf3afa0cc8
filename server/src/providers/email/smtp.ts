import { z } from 'zod'
import { credentialUrl } from '../../lib/service-url.ts'
import { provider } from '../provider.ts'
import { headersOf, type Email } from './email.ts'

/**
 * A server that does not respond in time is considered down. Both timeouts are below the outbox's timeout for
 * one email.
 */
const CONNECT_TIMEOUT_MS = 10_000
const SEND_TIMEOUT_MS = 25_000

export const smtpEmail = provider<Email>()({
  name: 'emails/smtp',
  options: z.strictObject({
    /** `smtp://` uses STARTTLS if the server supports it; `smtps://` is encrypted from the start. */
    smtpUrl: credentialUrl(/^smtps?:\/\//i, 'smtp:// or smtps://'),
  }),

  async start({ smtpUrl }) {
    const { createTransport } = await import('nodemailer')
    const transport = createTransport({
      url: smtpUrl,
      pool: true,
      maxConnections: 4,
      connectionTimeout: CONNECT_TIMEOUT_MS,
      greetingTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: SEND_TIMEOUT_MS,
      // Messages are rendered text and need no access to files or URLs.
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    return {
      async send(message) {
        const { to, from, subject, text, html } = message
        await transport.sendMail({
          to: { name: '', address: to },
          from,
          subject,
          text,
          html,
          headers: headersOf(message).map(({ name, value }) => ({ key: name, value })),
          signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
        })
      },
      async verify() {
        await transport.verify()
      },
      close: () => transport.close(),
    }
  },
})
