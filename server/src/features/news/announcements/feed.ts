import type { AnnouncementRow } from './rows.ts'

export interface FeedSource {
  /** Of the site, without a trailing slash. */
  readonly origin: string
  readonly title: string
  /** Newest first. */
  readonly rows: readonly AnnouncementRow[]
  readonly path: string
}

/** An Atom feed (RFC 4287). Texts are plain: feed readers show the Markdown as it was written. */
export function atomFeed({ origin, title, rows, path }: FeedSource): string {
  const updatedAt = rows.reduce((latest, row) => Math.max(latest, updateOf(row)), 0)
  const lines = [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `<id>${text(origin + path)}</id>`,
    `<title>${text(title)}</title>`,
    `<updated>${instant(updatedAt)}</updated>`,
    `<author><name>${text(title)}</name></author>`,
    `<link rel="self" type="application/atom+xml" href="${text(origin + path)}"/>`,
    `<link rel="alternate" type="text/html" href="${text(`${origin}/`)}"/>`,
    ...rows.flatMap((row) => entry(row, origin)),
    '</feed>',
  ]
  return `${lines.join('\n')}\n`
}

function entry(row: AnnouncementRow, origin: string): string[] {
  const { id, title, content, severity, publishAt } = row
  return [
    '<entry>',
    `<id>urn:uuid:${text(id)}</id>`,
    `<title>${text(title)}</title>`,
    `<published>${instant(publishAt)}</published>`,
    `<updated>${instant(updateOf(row))}</updated>`,
    `<category term="${severity}"/>`,
    `<link rel="alternate" type="text/html" href="${text(`${origin}/announcements#${id}`)}"/>`,
    `<content type="text">${text(content)}</content>`,
    '</entry>',
  ]
}

function updateOf({ publishAt, editedAt }: AnnouncementRow): number {
  return Math.max(publishAt, editedAt ?? 0)
}

function instant(at: number): string {
  return new Date(at).toISOString()
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
/** Characters that XML 1.0 has no notation for. */
// oxlint-disable-next-line no-control-regex -- exactly the control characters are meant
const UNKNOWN_TO_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu

function text(value: string): string {
  return value.replace(UNKNOWN_TO_XML, '').replace(/[&<>"]/g, (character) => ESCAPES[character] ?? '')
}
