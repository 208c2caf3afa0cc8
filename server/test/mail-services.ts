import { sendJson, startHttpService, type RequestResponder, type HttpService } from './http-service.ts'
import { isSignedByAws } from './signed-by-aws.ts'

/** A mail that a service has accepted. */
export interface AcceptedMail {
  readonly from: string
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string
  readonly html: string
  /** All fields of the request. */
  readonly fields: Readonly<Record<string, unknown>>
}

export interface MailService extends HttpService {
  readonly accepted: readonly AcceptedMail[]
}

type Accept = (mail: AcceptedMail) => boolean

/** The services reject this recipient and accept all others. */
export const refusedRecipient = 'refused@example.org'

/** Fakes of the mail services that require the same credentials and fields. */
export const mailServices = {
  postmark:
    (accept: Accept): RequestResponder =>
    (asked, response) => {
      if (asked.method !== 'POST' || asked.url !== '/email') return sendJson(response, 404, {})
      if (asked.headers['x-postmark-server-token'] !== 'right-token')
        return sendJson(response, 401, { ErrorCode: 10, Message: 'No token right-token' })
      const { From, To, Subject, TextBody, HtmlBody, ...fields } = JSON.parse(String(asked.body))
      const mail = { from: From, to: [To], subject: Subject, text: TextBody, html: HtmlBody, fields }
      if (!accept(mail)) return sendJson(response, 422, { ErrorCode: 406, Message: 'Inactive recipient' })
      return sendJson(response, 200, { To, ErrorCode: 0, Message: 'OK', MessageID: 'x' })
    },

  mailgun:
    (accept: Accept): RequestResponder =>
    (asked, response) => {
      if (asked.method !== 'POST' || asked.url !== '/v3/mg.example.org/messages')
        return sendJson(response, 404, { message: 'Domain not found' })
      if (asked.headers.authorization !== `Basic ${Buffer.from('api:right-key').toString('base64')}`)
        return void response.writeHead(401).end('Forbidden')
      const { from, to, subject, text, html, ...fields } = Object.fromEntries(
        new URLSearchParams(String(asked.body)),
      )
      const mail = { from, to: [to], subject, text, html, fields } as AcceptedMail
      if (!accept(mail)) return sendJson(response, 400, { message: 'to parameter is not valid' })
      return sendJson(response, 200, { id: '<x@mg.example.org>', message: 'Queued. Thank you.' })
    },

  ses:
    (accept: Accept): RequestResponder =>
    (asked, response) => {
      if (asked.method !== 'POST' || asked.url !== '/v2/email/outbound-emails')
        return sendJson(response, 404, {})
      const account = {
        keyId: 'AKIDEXAMPLE',
        keySecret: 'right-secret',
        region: 'eu-central-1',
        service: 'ses',
      }
      if (!isSignedByAws(asked, account))
        return sendJson(response, 403, { message: 'The request signature we calculated does not match' })
      const { FromEmailAddress, Destination, Content, ...fields } = JSON.parse(String(asked.body))
      const { Subject, Body } = Content.Simple
      const mail = {
        from: FromEmailAddress,
        to: Destination.ToAddresses,
        subject: Subject.Data,
        text: Body.Text.Data,
        html: Body.Html.Data,
        fields,
      }
      // The real service accepts only ASCII senders.
      // oxlint-disable-next-line no-control-regex
      if (!/^[\x00-\x7f]*$/.test(mail.from) || !accept(mail))
        return sendJson(response, 400, { message: 'Email address is not verified.' })
      return sendJson(response, 200, { MessageId: 'x' })
    },
}

export async function startMailService(name: keyof typeof mailServices): Promise<MailService> {
  const accepted: AcceptedMail[] = []
  const accept = (mail: AcceptedMail) => {
    if (mail.to.includes(refusedRecipient)) return false
    accepted.push(mail)
    return true
  }
  return Object.assign(await startHttpService(mailServices[name](accept)), { accepted })
}
