import type { RegexTester } from '../../lib/regex.ts'
import type { BotSettings } from './settings.ts'

type Inputs = Readonly<Record<string, string>>

/** What the challenge asks for, out of what was sent, in its own order. */
export function configuredInputs({ inputs: rules }: BotSettings, given: Inputs): Inputs {
  return Object.fromEntries(
    Object.keys(rules).flatMap((name) => {
      const value = Object.hasOwn(given, name) ? given[name] : undefined
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

export interface WrongInput {
  readonly field: string
  readonly error: string
}

/** The first input that is not as its rule wants it. A pattern that takes too long does not match. */
export async function findWrongInput(
  { inputs: rules }: BotSettings,
  given: Inputs,
  regex: Pick<RegexTester, 'test'>,
): Promise<WrongInput | null> {
  for (const [field, { pattern, flags = '' }] of Object.entries(rules)) {
    const text = Object.hasOwn(given, field) ? given[field] : undefined
    if (text === undefined) return { field, error: `The input ${field} is missing.` }
    if (!isPattern(pattern, flags)) return { field, error: `The rule of the input ${field} is broken.` }
    const matches = await regex.test({ pattern, flags, text })
    if (!matches) return { field, error: `The input ${field} does not have the right form.` }
  }
  return null
}

/** Compiling does not run it. */
function isPattern(pattern: string, flags: string): boolean {
  try {
    return new RegExp(pattern, flags) instanceof RegExp
  } catch {
    return false
  }
}
