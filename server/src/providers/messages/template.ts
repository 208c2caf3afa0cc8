import Mustache from 'mustache'
import { cut } from '../../lib/cut.ts'
import type { Blood, Markup } from './messages.ts'

export interface TemplateOptions {
  readonly template: string
  readonly markup: Markup
  /** One for each rank; none beyond the list. The operator's own text, so it is not escaped. */
  readonly emojis: readonly string[]
  /** Public URL of the site, without a trailing slash. */
  readonly origin: string
}

/** Longer names would push the rest out of the message. */
const MAX_NAME = 200

const WORDS = ['zeroth', 'first', 'second', 'third']

/** Fills a message template: docs/reference/providers.md#blood-messages */
export function renderBlood(blood: Blood, { template, markup, emojis, origin }: TemplateOptions): string {
  const { bloodNumber, team, challenge } = blood
  const text = (value: string) => markup.text(cut(value.replace(/\s+/g, ' '), MAX_NAME))
  const ordinal = ordinalOf(bloodNumber)
  const word = WORDS[bloodNumber] ?? ordinal
  const variables = {
    teamName: text(team.name),
    teamUrl: markup.url(`${origin}/profile/${encodeURIComponent(team.id)}`),
    bloodEmoji: emojis[bloodNumber - 1] ?? '',
    bloodNumber,
    bloodNumOrdinal: ordinal,
    bloodNumSentence: ordinal,
    bloodNumWord: word,
    bloodNumTitle: word.charAt(0).toUpperCase() + word.slice(1),
    challengeCategory: text(challenge.category),
    challengeName: text(challenge.name),
  }
  // Already escaped for the target above; HTML escaping would corrupt it.
  return Mustache.render(template, variables, undefined, { escape: String })
}

function ordinalOf(n: number): string {
  const isTeen = n % 100 >= 11 && n % 100 <= 13
  const suffix = isTeen ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th')
  return `${n}${suffix}`
}

/** The problem with a template, or null. */
export function templateProblem(template: string): string | null {
  try {
    Mustache.parse(template)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
