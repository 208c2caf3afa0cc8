import type { Reader } from './reader.ts'
import { isMap, type Json } from './translation.ts'

interface HintList {
  readonly reader: Reader
  /** Where the list is. */
  readonly field: string
  /** The key of the text in a map. */
  readonly textKey: 'content' | 'hint'
}

/** Hints of CTFd: texts, or maps with text, cost and title. They are released with the challenge, as CTFd shows them with it. */
export function hintsOf(given: unknown, { reader, field, textKey }: HintList): readonly Json[] | undefined {
  if (given === undefined) return undefined
  if (!Array.isArray(given)) {
    reader.report(field, 'must be a list')
    return undefined
  }
  return given.flatMap((hint: unknown, index): Json[] => {
    const release = { after: 0 }
    const place = `${field}.${index}`
    if (typeof hint === 'string') return [{ text: hint, release }]
    const content = isMap(hint) ? hint[textKey] : undefined
    if (!isMap(hint) || typeof content !== 'string') {
      reader.report(place, `must be text, or a map with ${textKey}`)
      return []
    }
    warnOfRest(hint, { reader, field: place, textKey })
    const { cost, title } = hint
    const text = typeof title === 'string' && title !== '' ? `**${escaped(title)}**\n\n${content}` : content
    return [{ text, price: priceOf(cost, reader, place), release }]
  })
}

function priceOf(cost: unknown, reader: Reader, place: string): number {
  if (cost === undefined || cost === '' || cost === 'null') return 0
  if (typeof cost === 'string' && /^\+?\d{1,15}$/.test(cost.trim())) return Number(cost)
  reader.report(place, 'cost must be a whole number of points, 0 or more')
  return 0
}

function warnOfRest(hint: Json, { reader, field, textKey }: HintList): void {
  const warning = { level: 'warning', lint: 'unsupported' } as const
  for (const [key, value] of Object.entries(hint)) {
    if ([textKey, 'cost', 'title'].includes(key) || isEmpty(value) || value === 'standard') continue
    const message =
      key === 'requirements'
        ? 'requirements of hints have no counterpart in Pennant: the hint can be read or bought without them'
        : `${key} has no counterpart in Pennant and is left out`
    reader.report(field, message, warning)
  }
}

/** What an export of CTFd writes where nothing is set. */
function isEmpty(value: unknown): boolean {
  if (isMap(value)) return Object.values(value).every(isEmpty)
  return Array.isArray(value) ? value.length === 0 : value === '' || value === 'null'
}

/** Plain text in Markdown. */
function escaped(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/[\\`*_[\]<>]/g, String.raw`\$&`)
}
