import { warnUnsupported, type Reader } from './reader.ts'
import type { Json } from './translation.ts'

/**
 * Hints of CTFd: texts, or maps with a text, cost and title. They are released with the challenge, as CTFd shows them with
 * it. `textKey` is the key of the text in a map.
 */
export function hintsOf(hints: readonly (string | Reader)[], textKey: 'content' | 'hint'): readonly Json[] {
  const release = { after: 0 }
  // Authors leave the empty hint of a template.
  const entryOf = (text: string, price = 0) => (text.trim() === '' ? [] : [{ text, price, release }])
  return hints.flatMap((hint): Json[] => {
    if (typeof hint === 'string') return entryOf(hint)
    const content = hint.string(textKey)
    const price = priceOf(hint)
    const title = hint.string('title')
    // Only the requirements of other hints refer to it.
    hint.ignore('key', 'type')
    if (areRequired(hint.raw('requirements')))
      warnUnsupported(
        hint,
        ['requirements'],
        'has no counterpart in Pennant: the hint can be read or bought without it',
      )
    if (content === undefined) hint.report(textKey, 'is missing')
    return content === undefined ? [] : entryOf(titled(title, content), price)
  })
}

function priceOf(hint: Reader): number {
  const cost = hint.string('cost')?.trim() ?? ''
  if (/^\+?\d{1,15}(?:\.0*)?$/.test(cost)) return Number(cost)
  if (cost !== '') hint.report('cost', 'must be a whole number of points, 0 or more')
  return 0
}

/** A text below its title. */
export function titled(title: string | undefined, text: string): string {
  return title === undefined || title.trim() === '' ? text : `**${escaped(title)}**\n\n${text}`
}

/** An export of CTFd writes empty lists where nothing is set. */
function areRequired(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value !== undefined && value !== ''
  return Object.values(value).some(areRequired)
}

/** Plain text in Markdown. */
function escaped(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/[\\`*_[\]<>]/g, String.raw`\$&`)
}
