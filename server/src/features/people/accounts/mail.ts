import { escapeHtml } from '../../../lib/escape-html.ts'
import { z } from 'zod'
import type { Queries } from '../../../db/database.ts'
import { addToOutbox, OUTBOX_CHANNEL } from '../../../db/outbox.ts'
import type { Bus } from '../../../lib/key-value.ts'
import type { Log } from '../../../lib/log.ts'
import type { Email } from '../../../providers/email/email.ts'

/** An email as queued in the outbox. It never contains a team name, which is user input. */
const MailPayload = z.discriminatedUnion('kind', [
  z.object({
    kind: z.enum(['register', 'recover', 'update', 'person', 'personAddress']),
    to: z.string(),
    token: z.string(),
  }),
  // The link of the applicant's team.
  z.object({ kind: z.literal('approved'), to: z.string(), token: z.string() }),
  z.object({ kind: z.literal('refused'), to: z.string(), reason: z.string() }),
  // Never sent. Recovery for an unknown address queues this row so that it takes as long as for a known one.
  z.object({ kind: z.literal('none'), to: z.string(), token: z.string() }),
])

export type Mail = z.infer<typeof MailPayload>

interface Wording {
  readonly title: string
  readonly text: string
  readonly button: string
}

const wordings: Readonly<Record<Exclude<Mail['kind'], 'none' | 'refused'>, Wording>> = {
  register: {
    title: 'Verify your email',
    text: 'Someone (hopefully you) registered a team with this email address. Follow the link to create the team. The link works once and expires soon.',
    button: 'Create team',
  },
  recover: {
    title: 'Recover your account',
    text: 'Someone (hopefully you) asked for a link to sign in as your team. Anyone who has the link can sign in as your team, so keep it private.',
    button: 'Sign in',
  },
  approved: {
    title: 'Your team is registered',
    text: 'Your team was created and takes part. Anyone who has the link can sign in as your team, so keep it private.',
    button: 'Sign in',
  },
  update: {
    title: 'Update your email',
    text: 'Someone (hopefully you) wants to use this email address for a team. Follow the link to confirm it. The link works once and expires soon.',
    button: 'Confirm email address',
  },
  person: {
    title: 'Sign in',
    text: 'Someone (hopefully you) asked for a link to sign in with this email address. The link works once and expires soon.',
    button: 'Sign in',
  },
  personAddress: {
    title: 'Confirm your email',
    text: 'Someone (hopefully you) wants to sign in with this email address in future. Follow the link to confirm it. The link works once and expires soon.',
    button: 'Confirm email address',
  },
}

const IGNORE = 'If you did not request this, you can ignore this email.'

export interface MailSettings {
  readonly ctfName: string
  /** Shown at the top of the email. */
  readonly logoUrl?: string | undefined
}

export interface MailAddress {
  readonly address: string
  /** Display name. Absent: the name of the contest. */
  readonly name?: string | undefined
}

export interface MailSenderOptions {
  readonly email: Email
  readonly settings: () => MailSettings
  /** Public URL of the site, without a trailing slash. */
  readonly origin: string
  readonly from: MailAddress
}

/** How long an email is worth sending: registration and email-change links expire, sign-in links do not. */
export function mailLifetimeMs(payload: unknown, loginTimeoutMs: number): number {
  const { success, data } = MailPayload.safeParse(payload)
  return success && data.kind !== 'recover' && data.kind !== 'none' ? loginTimeoutMs : Infinity
}

/** The page of the site that accepts a one-time token. */
export function verifyLink(origin: string, token: string): string {
  return `${origin}/verify?token=${encodeURIComponent(token)}`
}

/**
 * The same page for a team token. Team tokens do not expire, so the token is in the fragment: browsers do not
 * send it, and no proxy can log it.
 */
export function signInLink(origin: string, teamToken: string): string {
  return `${origin}/verify#token=${encodeURIComponent(teamToken)}`
}

/** The page of the site that signs a person in. The token is in the fragment, so that no proxy logs it. */
export function personLink(origin: string, token: string): string {
  return `${origin}/sign-in/link#token=${encodeURIComponent(token)}`
}

const links = {
  register: verifyLink,
  update: verifyLink,
  recover: signInLink,
  approved: signInLink,
  person: personLink,
  personAddress: personLink,
}

/**
 * Sends the outbox rows of kind `mail`. Rejects if the email could not be handed over; the worker retries.
 */
export function createMailSender({ email, settings, origin, from }: MailSenderOptions) {
  return async (payload: unknown): Promise<void> => {
    const mail = MailPayload.parse(payload)
    if (mail.kind === 'none') return
    const { ctfName, logoUrl } = settings()
    const name = oneLine(ctfName)
    if (mail.kind === 'refused')
      return await email.send({ to: mail.to, from: senderOf(from, name), ...refusalMail(name, mail.reason) })
    const wording = wordings[mail.kind]
    const link = links[mail.kind](origin, mail.token)
    await email.send({
      to: mail.to,
      from: senderOf(from, name),
      subject: `[${name}] ${wording.title}`,
      text: [name, wording.text, link, IGNORE].join('\n\n'),
      html: htmlOf({ name, link, logoUrl, wording }),
    })
  }
}

/** `"Name" <address>`. */
export function senderOf({ address, name }: MailAddress, contest: string): string {
  return `"${oneLine(name ?? contest).replace(/["\\]/g, String.raw`\$&`)}" <${address}>`
}

/** Queues one email and wakes the outbox worker. */
export async function queueMail(deps: { db: Queries; bus: Bus; log: Log }, mail: Mail): Promise<void> {
  await deps.db.query(addToOutbox('mail', mail))
  wakeOutbox(deps)
}

/** Call after the commit. A lost wake-up only delays delivery, because the worker also polls. */
export function wakeOutbox({ bus, log }: { bus: Bus; log: Log }): void {
  bus
    .publish(OUTBOX_CHANNEL)
    .catch((error: unknown) => log.warn({ err: error }, 'could not wake the outbox worker'))
}

function refusalMail(name: string, reason: string) {
  const text = ['Your registration was refused.', ...(reason === '' ? [] : [`Reason: ${reason}`])]
  return {
    subject: `[${name}] Your registration`,
    text: [name, ...text].join('\n\n'),
    html: `<p><strong>${escapeHtml(name)}</strong></p>\n${text.map((each) => `<p>${escapeHtml(each)}</p>`).join('\n')}`,
  }
}

interface HtmlParts {
  readonly name: string
  readonly link: string
  readonly logoUrl: string | undefined
  readonly wording: Wording
}

function htmlOf({ name, link, logoUrl, wording }: HtmlParts): string {
  const href = escapeHtml(link)
  const body = `<p>${wording.text}</p>
<p><a href="${href}">${wording.button}</a></p>
<p>If the button does not work, open this link: <br><span style="word-break: break-all">${href}</span></p>
<p>${IGNORE}</p>`
  return pageOf({ name, logoUrl, title: wording.title, body })
}

interface PageParts {
  readonly name: string
  readonly logoUrl: string | undefined
  readonly title: string
  /** HTML. */
  readonly body: string
}

/** The HTML of an email. */
export function pageOf({ name, logoUrl, title, body }: PageParts): string {
  const head = logoUrl
    ? `<img src="${escapeHtml(logoUrl)}" alt="${escapeHtml(name)}" height="48">`
    : `<strong>${escapeHtml(name)}</strong>`
  return `<!doctype html>
<html lang="en">
<body style="font-family: sans-serif; line-height: 1.5; max-width: 34em; margin: 2em auto; padding: 0 1em">
<p>${head}</p>
<h1 style="font-size: 1.25em">${escapeHtml(title)}</h1>
${body}
</body>
</html>
`
}

/** Removes control characters to prevent header injection. */
export function oneLine(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u001f\u007f\u2028\u2029]+/g, ' ').trim()
}
