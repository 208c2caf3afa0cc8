import { z } from 'zod'
import type { Queries } from '../../db/database.ts'
import { addToOutbox, outboxChannel } from '../../db/outbox.ts'
import type { Bus } from '../../lib/key-value.ts'
import type { Log } from '../../lib/log.ts'
import type { Email } from '../../providers/email/email.ts'

/** A mail on its way out, as the outbox keeps it. It names no team: names are texts of strangers. */
const MailPayload = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['register', 'recover', 'update']), to: z.string(), token: z.string() }),
  // Goes nowhere. A recovery for an unknown address leaves one, so that it takes the time of a known one.
  z.object({ kind: z.literal('none'), to: z.string(), token: z.string() }),
])

export type Mail = z.infer<typeof MailPayload>

interface Wording {
  readonly title: string
  readonly text: string
  readonly button: string
}

const wordings: Readonly<Record<Exclude<Mail['kind'], 'none'>, Wording>> = {
  register: {
    title: 'Verify your email',
    text: 'Somebody, hopefully you, registered a team with this address. Follow the link to create the team. It works once and only for a short time.',
    button: 'Create the team',
  },
  recover: {
    title: 'Recover your account',
    text: 'Somebody, hopefully you, asked for a way into the team with this address. Whoever has the link can sign in as the team: keep it to yourselves.',
    button: 'Sign in',
  },
  update: {
    title: 'Update your email',
    text: 'Somebody, hopefully you, wants to use this address for a team. Follow the link to confirm it. It works once and only for a short time.',
    button: 'Confirm the address',
  },
}

const IGNORE = 'If you did not ask for this, do nothing and delete this mail.'

export interface MailSettings {
  readonly ctfName: string
  /** Shown at the top. */
  readonly logoUrl?: string | undefined
}

export interface MailSenderOptions {
  readonly email: Email
  readonly settings: () => MailSettings
  /** Public address of the site, without a trailing slash. */
  readonly origin: string
  /** Address of the sender. */
  readonly from: string
}

/** How long a mail is of use: links that make a team or change an address end, those that sign in do not. */
export function mailLifetimeMs(payload: unknown, loginTimeoutMs: number): number {
  const { success, data } = MailPayload.safeParse(payload)
  return success && (data.kind === 'register' || data.kind === 'update') ? loginTimeoutMs : Infinity
}

/** The page of the site that takes the token. */
export function verifyLink(origin: string, token: string): string {
  return `${origin}/verify?token=${encodeURIComponent(token)}`
}

/** Sends the outbox rows of kind `mail`. Rejects when the mail could not be handed over; the worker tries again. */
export function createMailSender({ email, settings, origin, from }: MailSenderOptions) {
  return async (payload: unknown): Promise<void> => {
    const mail = MailPayload.parse(payload)
    if (mail.kind === 'none') return
    const { ctfName, logoUrl } = settings()
    const wording = wordings[mail.kind]
    const name = oneLine(ctfName)
    const link = verifyLink(origin, mail.token)
    await email.send({
      to: mail.to,
      from: `"${name.replace(/["\\]/g, String.raw`\$&`)}" <${from}>`,
      subject: `[${name}] ${wording.title}`,
      text: [name, wording.text, link, IGNORE].join('\n\n'),
      html: htmlOf({ name, link, logoUrl, wording }),
    })
  }
}

/** Queues one mail by itself; the worker is woken. */
export async function queueMail(deps: { db: Queries; bus: Bus; log: Log }, mail: Mail): Promise<void> {
  await deps.db.query(addToOutbox('mail', mail))
  wakeOutbox(deps)
}

/** After the commit. A lost wake-up only delays: the worker also polls. */
export function wakeOutbox({ bus, log }: { bus: Bus; log: Log }): void {
  bus.publish(outboxChannel).catch((error: unknown) => log.warn({ err: error }, 'the outbox was not woken'))
}

interface HtmlParts {
  readonly name: string
  readonly link: string
  readonly logoUrl: string | undefined
  readonly wording: Wording
}

function htmlOf({ name, link, logoUrl, wording }: HtmlParts): string {
  const href = escapeHtml(link)
  const head = logoUrl
    ? `<img src="${escapeHtml(logoUrl)}" alt="${escapeHtml(name)}" height="48">`
    : `<strong>${escapeHtml(name)}</strong>`
  return `<!doctype html>
<html lang="en">
<body style="font-family: sans-serif; line-height: 1.5; max-width: 34em; margin: 2em auto; padding: 0 1em">
<p>${head}</p>
<h1 style="font-size: 1.25em">${wording.title}</h1>
<p>${wording.text}</p>
<p><a href="${href}">${wording.button}</a></p>
<p>If the link does not open, copy this address: <br><span style="word-break: break-all">${href}</span></p>
<p>${IGNORE}</p>
</body>
</html>
`
}

/** Without control characters: a header must not grow another header. */
function oneLine(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u001f\u007f\u2028\u2029]+/g, ' ').trim()
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
