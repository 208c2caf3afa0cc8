import { z } from 'zod'
import { callService } from '../call-service.ts'
import { provider } from '../provider.ts'
import { headersOf, type Email } from './email.ts'
import { asciiSender } from './sender.ts'
import { ServiceUrl } from '../../lib/service-url.ts'
import { SEND_LIMIT_MS } from './send-limit.ts'

/** Amazon SES, API version 2. The vendor's SDK would be a hundred times the size of this file. */
export const sesEmail = provider<Email>()({
  name: 'emails/ses',
  options: z.strictObject({
    awsKeyId: z.string().min(1).describe('Id of an access key with permission for `ses:SendEmail`.'),
    awsKeySecret: z.string().min(1).describe('Its secret.'),
    awsRegion: z
      .string()
      .regex(/^[a-z0-9-]+$/, { error: 'must be a region, such as eu-central-1' })
      .describe('AWS region, such as `eu-central-1`.'),
    apiUrl: ServiceUrl.optional().describe('URL of the API. Default: that of the region.'),
  }),

  async start({ awsKeyId, awsKeySecret, awsRegion, apiUrl }, context) {
    const { AwsV4Signer } = await import('aws4fetch')
    const url = `${apiUrl ?? `https://email.${awsRegion}.amazonaws.com`}/v2/email/outbound-emails`
    return {
      async send(message) {
        const { to, from, subject, text, html } = message
        const headers = headersOf(message)
        const body = JSON.stringify({
          FromEmailAddress: asciiSender(from),
          Destination: { ToAddresses: [to] },
          Content: {
            Simple: {
              Subject: part(subject),
              Body: { Text: part(text), Html: part(html) },
              ...(headers.length > 0 && {
                Headers: headers.map(({ name, value }) => ({ Name: name, Value: value })),
              }),
            },
          },
        })
        const signed = await new AwsV4Signer({
          method: 'POST',
          url,
          headers: { 'content-type': 'application/json' },
          body,
          accessKeyId: awsKeyId,
          secretAccessKey: awsKeySecret,
          service: 'ses',
          region: awsRegion,
          datetime: new Date(context.now()).toISOString().replace(/[:-]|\.\d{3}/g, ''),
        }).sign()
        await callService(
          {
            service: 'emails/ses',
            url: signed.url,
            headers: signed.headers,
            body,
            limitMs: SEND_LIMIT_MS,
            secrets: [awsKeySecret],
          },
          context,
        )
      },
    }
  },
})

function part(data: string) {
  return { Data: data, Charset: 'UTF-8' }
}
