import { z } from 'zod'
import { callService } from '../call-service.ts'
import { provider } from '../provider.ts'
import { headersOf, type Email } from './email.ts'
import { ServiceUrl } from '../../lib/service-url.ts'
import { SEND_LIMIT_MS } from './send-limit.ts'

export const postmarkEmail = provider<Email>()({
  name: 'emails/postmark',
  options: z.strictObject({
    serverToken: z.string().min(1).describe('API token of the Postmark server.'),
    apiUrl: ServiceUrl.default('https://api.postmarkapp.com').describe('URL of the API.'),
  }),

  start({ serverToken, apiUrl }, context) {
    return {
      async send(message) {
        const { to, from, subject, text, html } = message
        const headers = headersOf(message)
        const mail = {
          From: from,
          To: to,
          Subject: subject,
          TextBody: text,
          HtmlBody: html,
          // Links contain tokens, so click tracking must not rewrite them.
          TrackLinks: 'None',
          TrackOpens: false,
          ...(headers.length > 0 && {
            Headers: headers.map(({ name, value }) => ({ Name: name, Value: value })),
          }),
        }
        await callService(
          {
            service: 'emails/postmark',
            url: `${apiUrl}/email`,
            headers: {
              accept: 'application/json',
              'content-type': 'application/json',
              'x-postmark-server-token': serverToken,
            },
            body: JSON.stringify(mail),
            limitMs: SEND_LIMIT_MS,
            secrets: [serverToken],
          },
          context,
        )
      },
    }
  },
})
