import { cut } from '../../../lib/cut.ts'

/** Controls, and characters that change the direction of what follows them, on pages of others too. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/gu

/** A text as one line of at most `maxLength` characters, without characters that cannot be seen. */
export function plainLine(text: string, maxLength: number): string {
  // The rest cannot be shown, whatever is left of the beginning.
  const line = cut(text, 8 * maxLength)
    .replaceAll(UNPRINTABLE, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return line.length <= maxLength ? line : `${cut(line, maxLength - 1)}…`
}

/** The beginning of a Markdown text without its markup. Not safe as HTML. */
export function plainExcerpt(markdown: string, maxLength: number): string {
  const text = cut(markdown, 8 * maxLength)
    .replaceAll(/^(?:```|~~~|:::).*$/gm, '')
    .replaceAll(/<[^<>]{0,200}>/g, '')
    .replaceAll(/!\[[^[\]]{0,200}\]\([^()]{0,500}\)/g, '')
    .replaceAll(/\[([^[\]]{0,200})\]\([^()]{0,500}\)/g, '$1')
    .replaceAll(/^ {0,3}(?:#{1,6} |> ?|[-*+] |\d{1,9}[.)] )+/gm, '')
    .replaceAll(/[*_`]{1,3}/g, '')
  return plainLine(text, maxLength)
}
