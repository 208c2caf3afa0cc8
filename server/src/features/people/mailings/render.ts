import type { EmailMessage } from '../../../providers/email/email.ts'
import { escapeHtml } from '../../../lib/escape-html.ts'
import { oneLine, pageOf, senderOf, type MailAddress, type MailSettings } from '../accounts/mail.ts'

export interface MailingTexts {
  readonly subject: string
  /** `{name}` stands for the receiver. */
  readonly content: string
  readonly topic: 'event' | 'other'
}

export interface MailingFrame {
  readonly settings: () => MailSettings
  /** Public URL of the site, without a trailing slash. */
  readonly origin: string
  readonly from: MailAddress
  /** Seals an address for the link that unsubscribes it. */
  readonly seal: (address: string) => string
}

/** One mail as it is sent. */
export function renderMailing(
  { subject, content, topic }: MailingTexts,
  { address, name }: { readonly address: string; readonly name: string },
  { settings, origin, from, seal }: MailingFrame,
): EmailMessage {
  const { ctfName, logoUrl } = settings()
  const contest = oneLine(ctfName)
  // Not `replaceAll` with a text: a name may contain its patterns.
  const text = content.replaceAll('{name}', () => oneLine(name))
  const token = topic === 'other' ? encodeURIComponent(seal(address)) : null
  const link = token === null ? null : `${origin}/unsubscribe#token=${token}`
  const why = `You get this mail because your team is registered at ${contest} (${origin}).`
  return {
    to: address,
    from: senderOf(from, contest),
    subject: `[${contest}] ${subject}`,
    text: [text, '-- ', why, ...(link === null ? [] : [`No more mail like this: ${link}`])].join('\n\n'),
    html: pageOf({ name: contest, logoUrl, title: subject, body: bodyOf({ text, why, link }) }),
    ...(token !== null && { unsubscribeUrl: `${origin}/api/v2/mailings/unsubscribe?token=${token}` }),
  }
}

function bodyOf({
  text,
  why,
  link,
}: {
  readonly text: string
  readonly why: string
  readonly link: string | null
}) {
  const paragraphs = text.split(/\n{2,}/).map((part) => `<p>${linked(part).replaceAll('\n', '<br>\n')}</p>`)
  const end = link === null ? '' : ` <a href="${escapeHtml(link)}">No more mail like this</a>`
  return [...paragraphs, '<hr>', `<p><small>${escapeHtml(why)}${end}</small></p>`].join('\n')
}

const LINK = /https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)]/g

/** Escaped, with links. */
function linked(text: string): string {
  let html = ''
  let end = 0
  for (const { 0: url, index } of text.matchAll(LINK)) {
    html += `${escapeHtml(text.slice(end, index))}<a href="${escapeHtml(url)}">${escapeHtml(url)}</a>`
    end = index + url.length
  }
  return html + escapeHtml(text.slice(end))
}
