import { z } from 'zod'
import { callService } from '../call-service.ts'
import { provider } from '../provider.ts'
import { headersOf, type Email } from './email.ts'
import { ServiceUrl } from '../../lib/service-url.ts'
import { SEND_LIMIT_MS } from './send-limit.ts'

export const mailgunEmail = provider<Email>()({
  name: 'emails/mailgun',
  options: z.strictObject({
    apiKey: z.string().min(1).describe('API key.'),
    domain: z
      .string()
      .regex(/^[\w.-]+$/, { error: 'must be a domain, such as mg.example.org' })
      .describe('Sending domain.'),
    apiUrl: ServiceUrl.default('https://api.mailgun.net').describe(
      'URL of the API; `https://api.eu.mailgun.net` for domains in the EU region.',
    ),
  }),

  start({ apiKey, domain, apiUrl }, context) {
    const authorization = `Basic ${Buffer.from(`api:${apiKey}`).toString('base64')}`
    return {
      async send(message) {
        const { to, from, subject, text, html } = message
        // Links contain tokens, so click tracking must not rewrite them.
        const body = new URLSearchParams({ from, to, subject, text, html, 'o:tracking': 'no' })
        for (const { name, value } of headersOf(message)) body.set(`h:${name}`, value)
        await callService(
          {
            service: 'emails/mailgun',
            url: `${apiUrl}/v3/${domain}/messages`,
            headers: { authorization },
            body,
            limitMs: SEND_LIMIT_MS,
            secrets: [apiKey],
          },
          context,
        )
      },
    }
  },
})
