import type { RegexTester } from '../../../lib/regex.ts'
import type { BotSettings } from './settings.ts'

type Inputs = Readonly<Record<string, string>>

/** Picks the inputs that the challenge defines from those submitted, in the challenge's order. */
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

/** Finds the first input that violates its rule. A pattern that times out counts as no match. */
export async function findWrongInput(
  { inputs: rules }: BotSettings,
  given: Inputs,
  regex: Pick<RegexTester, 'test'>,
): Promise<WrongInput | null> {
  for (const [field, { pattern, flags = '' }] of Object.entries(rules)) {
    const text = Object.hasOwn(given, field) ? given[field] : undefined
    if (text === undefined) return { field, error: `The input ${field} is missing.` }
    if (!isPattern(pattern, flags)) return { field, error: `The pattern of the input ${field} is invalid.` }
    const matches = await regex.test({ pattern, flags, text })
    if (!matches) return { field, error: `The input ${field} does not match the required format.` }
  }
  return null
}

/** Compiling a pattern does not run it, so it cannot hang. */
function isPattern(pattern: string, flags: string): boolean {
  try {
    return new RegExp(pattern, flags) instanceof RegExp
  } catch {
    return false
  }
}
