import { editDistance, findNearest } from '../../../lib/nearest.ts'
import { isMap, type Json, type Problem } from './translation.ts'

/** Words with which the formats hide a challenge. */
const VISIBILITY = ['state', 'hidden', 'visible', 'visibility', 'skip']
const SYNONYMS = ['hide', 'draft', 'publish', 'published', 'public', 'private', 'invisible', 'unlisted']
/** Words that mean other things too, unless their value is one of visibility. */
const AMBIGUOUS = ['active', 'enable', 'enabled', 'disable', 'disabled', 'show', 'display']
const VALUE = /^(?:true|false|yes|no|on|off|hidden|hide|visible|shown?|locked|public|private|draft)$/i

/** More than this many of one map are reported as a count: each one is compared with all known names. */
const MAX_REPORTED = 30
/** A longer name is no misspelling of a key. */
const MAX_COMPARED_LENGTH = 40

/** What to say about keys that the format does not know. A misspelt one must not publish a challenge. */
export function unknownKeys(text: Json, known: ReadonlySet<string>): Problem[] {
  const unknown = Object.keys(text).filter((key) => !known.has(key))
  const problems = unknown.map((key, index) => {
    if (looksLikeVisibility(key, text[key])) return visibilityProblem(key, known)
    const nearest =
      index < MAX_REPORTED && key.length <= MAX_COMPARED_LENGTH ? findNearest(key, [...known]) : null
    const guess = nearest === null ? '' : `; did you mean ${nearest}?`
    const message = `is not a key of this format and is left out${guess}`
    return { level: 'warning', lint: 'unknown-key', field: key, message } as const
  })
  // Errors first: none of them is only counted.
  const sorted = problems.toSorted((a, b) => Number(a.level === 'warning') - Number(b.level === 'warning'))
  const rest = sorted.length - MAX_REPORTED
  if (rest <= 0) return problems
  const message = `${rest} more keys are unknown and are left out`
  return [...sorted.slice(0, MAX_REPORTED), { level: 'warning', lint: 'unknown-key', field: '', message }]
}

function visibilityProblem(key: string, known: ReadonlySet<string>): Problem {
  const right = VISIBILITY.find((word) => known.has(word))
  const remedy = right === undefined ? 'remove it' : `write ${right}, or remove it`
  const message = `is not a key of this format, but looks as if it decides who sees the challenge: ${remedy}`
  return { level: 'error', lint: 'unknown-visibility', field: key, message }
}

/** Short words are close to many others: two wrong letters need a value that shows the meaning. */
function looksLikeVisibility(key: string, value: unknown): boolean {
  if (key.length > MAX_COMPARED_LENGTH) return false
  const name = key
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '')
    .replace(/^is/, '')
  const isSaid = typeof value === 'string' && VALUE.test(value.trim())
  if (SYNONYMS.includes(name) || (isSaid && AMBIGUOUS.includes(name))) return true
  return VISIBILITY.some((word) => {
    const distance = editDistance(name, word)
    return distance <= 1 || (distance === 2 && (isSaid || (word.length > 5 && !isMap(value))))
  })
}
