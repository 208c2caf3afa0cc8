import { z } from 'zod'
import type { Log } from '../../lib/log.ts'
import { REGEX_LIMIT_MS, type RegexBudget, type RegexTester } from '../../lib/regex.ts'
import { FlagText, flagProvider, type Attempt } from './flags.ts'
import { worstCases } from './worst-cases.ts'

const Config = z
  .strictObject({
    pattern: z.string().min(1).meta({
      title: 'Pattern',
      description: 'JavaScript regular expression. It matches anywhere in the flag unless it is anchored.',
    }),
    flags: z
      .string()
      .regex(/^(?!.*(.).*\1)(?!.*u.*v)(?!.*v.*u)[dgimsuvy]*$/, {
        error: 'must consist of d, g, i, m, s, u, v, y, each at most once, and not both u and v',
      })
      .optional()
      .meta({ title: 'Pattern flags' }),
    flagValue: FlagText.optional().meta({
      title: 'Flag value',
      description: 'Flag given to instances and the admin bot; the pattern must match it.',
    }),
  })
  .superRefine(({ pattern, flags }, context) => {
    const message = syntaxProblem(pattern, flags)
    if (message !== null) context.addIssue({ code: 'custom', path: ['pattern'], message })
  })

function syntaxProblem(pattern: string, flags: string | undefined): string | null {
  try {
    // Parsing a pattern is always fast; only matching can be slow.
    void new RegExp(pattern, flags)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : 'is not a pattern'
  }
}

/** The lane of patterns that organisers save, which take turns with those that teams wait for. */
const CHECKED = 'saved patterns'
/** Characters of a text that a message shows. */
const SHOWN = 20

/**
 * Organisers' patterns run on players' input. A slow pattern would block the process, so matching runs in a
 * separate one.
 */
export function regexFlags({ regex, log }: { readonly regex: RegexTester; readonly log: Log }) {
  /** By the attempt, which is the same for all patterns of a submission. */
  const budgets = new WeakMap<Attempt, RegexBudget>()
  function budgetOf(attempt: Attempt): RegexBudget {
    const budget = budgets.get(attempt) ?? { leftMs: REGEX_LIMIT_MS }
    budgets.set(attempt, budget)
    return budget
  }
  return flagProvider({
    name: 'flags/regex',
    config: Config,

    async problemOf({ pattern, flags = '', flagValue }) {
      for (const text of worstCases(pattern))
        if ((await regex.test({ pattern, flags, text, lane: CHECKED })) === null)
          return `pattern: takes too long, for example on a text that begins with ${JSON.stringify(text.slice(0, SHOWN))}. Avoid repetitions inside of repetitions, and begin the pattern with ^.`
      if (flagValue === undefined) return null
      const matches = await regex.test({ pattern, flags, text: flagValue, lane: CHECKED })
      if (matches === null) return 'flagValue: takes too long to match the pattern'
      return matches ? null : 'flagValue: is not matched by the pattern'
    },

    open({ pattern, flags = '', flagValue }) {
      return {
        async accepts(attempt) {
          const { challengeId, text } = attempt
          const budget = budgetOf(attempt)
          const matches = await regex.test({ pattern, flags, text, lane: challengeId, budget })
          if (matches === null) log.warn({ challengeId }, 'a flag pattern timed out and counts as no match')
          return matches ? { cheatedFrom: null } : null
        },
        valueFor: () => flagValue ?? null,
      }
    },
  })
}
