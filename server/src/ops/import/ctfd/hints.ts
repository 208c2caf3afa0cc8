import { hintLimits } from '@pennant/contract/hints.ts'
import { groupBy } from '../../../lib/group-by.ts'
import type { ImportedRow } from '../contest.ts'
import { uuidOf } from '../ids.ts'
import { columnsOf } from '../insert.ts'
import { integerOf, textOf, type Json } from '../json.ts'
import { withoutMarkers } from '../links.ts'
import type { Report } from '../report.ts'
import type { Challenges } from './challenges.ts'
import type { CtfdLinks } from './links.ts'
import { prerequisitesOf } from './requirements.ts'

/** A hint that is imported, released with its challenge. */
export interface ReadHint {
  readonly id: string
  readonly challengeId: string
  /** Of its challenge. */
  readonly challengeName: string
  readonly position: number
  /** May contain markers of `links.ts`. */
  readonly text: string
  readonly price: number
}

export function hintRow({ challengeName, text, ...hint }: ReadHint): ImportedRow {
  const columns = {
    ...columnsOf(hint),
    content: text,
    release_kind: 'after',
    release_minutes: 0,
    version: 1,
    created_at: new Date(0).toISOString(),
  }
  const limit = { part: `hint ${hint.position}`, max: hintLimits.text }
  return { columns, content: { where: challengeName, limit } }
}

/** By the id of the source. */
export type Hints = ReadonlyMap<number, ReadHint>

interface Context {
  readonly challenges: Challenges
  readonly links: CtfdLinks
  readonly report: Report
}

interface Found {
  readonly number: number
  readonly row: Json
  readonly challengeId: string
  readonly challengeName: string
}

/** Hints are released with their challenge, because CTFd shows them with it. */
export function readHints(rows: readonly Json[], context: Context): Hints {
  const { challenges, report } = context
  const names = new Map(challenges.challenges.map(({ id, name }) => [id, name]))
  const found = rows.flatMap((row): Found[] => {
    const number = integerOf(row['id'])
    const challengeId = challenges.idOf(row['challenge_id'])
    if (number !== null && challengeId !== undefined)
      return [{ number, row, challengeId, challengeName: names.get(challengeId) ?? challengeId }]
    report.loss(
      'hints-left',
      'Hints of challenges that no longer exist, and those without a text, are left out.',
      `hint ${number}`,
    )
    return []
  })
  reportRequirements(found, report)
  const read = found
    .toSorted((a, b) => a.number - b.number)
    .flatMap((each) => {
      const text = textOfHint(each, context)
      return text === null ? [] : [{ each, text }]
    })
  const kept = [...groupBy(read, ({ each }) => each.challengeId).values()].flatMap((own) =>
    own.map((hint, at) => ({ ...hint, position: at + 1 })),
  )
  return new Map(
    kept
      .toSorted((a, b) => a.each.number - b.each.number)
      .filter(({ each, position }, at) => isWithinLimits({ each, position, at }, report))
      .map(({ each, text, position }) => {
        const { number, challengeId, challengeName } = each
        const price = priceOf(each, report)
        const id = uuidOf('ctfd hint', String(number))
        return [number, { id, challengeId, challengeName, position, text, price }]
      }),
  )
}

function reportRequirements(found: readonly Found[], report: Report): void {
  const known = new Set(found.map(({ number }) => number))
  for (const { row, challengeName } of found)
    if (prerequisitesOf(row, known).length > 0) report.without('hintRequirements', challengeName)
}

interface Placed {
  readonly each: Found
  readonly position: number
  /** Among all. */
  readonly at: number
}

function isWithinLimits({ each, position, at }: Placed, report: Report): boolean {
  if (position <= hintLimits.perChallenge && at < hintLimits.stored) return true
  report.loss(
    'many-hints',
    `Challenges have up to ${hintLimits.perChallenge} hints, a contest ${hintLimits.stored}. Later ones are left out.`,
    each.challengeName,
  )
  return false
}

/** Markdown, below the title if there is one. Null without a text. */
function textOfHint({ row, number, challengeName }: Found, { links, report }: Context): string | null {
  const title = withoutMarkers(textOf(row['title'])).replaceAll(/\s+/g, ' ').trim()
  const content = textOf(row['content'])
  const text = [
    title === '' ? '' : `**${title.replaceAll(/[\\`*_[\]<>]/g, String.raw`\$&`)}**`,
    content.trim(),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
  if (text === '') {
    report.loss(
      'hints-left',
      'Hints of challenges that no longer exist, and those without a text, are left out.',
      `hint ${number}`,
    )
    return null
  }
  if (text.length <= hintLimits.text) return links.text(text)
  report.loss('long-hints', `Hints are cut to ${hintLimits.text} characters.`, challengeName)
  return links.text(`${text.slice(0, hintLimits.text - 1)}…`)
}

function priceOf({ row, challengeName }: Found, report: Report): number {
  const cost = integerOf(row['cost']) ?? 0
  const price = Math.min(Math.max(cost, 0), hintLimits.price)
  if (price !== cost)
    report.loss(
      'hint-prices',
      `Prices of hints are between 0 and ${hintLimits.price} points. Others become the nearest one.`,
      `${challengeName}: ${cost}`,
    )
  return price
}
