import { z } from 'zod'
import type { Log } from '../../lib/log.ts'
import type { RegexTester } from '../../lib/regex.ts'
import { flagProvider } from './flags.ts'

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
    flagValue: z.string().min(1).optional().meta({
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

/**
 * Organisers' patterns run on players' input. A slow pattern would block the process, so matching runs in a
 * separate one.
 */
export function regexFlags({ regex, log }: { readonly regex: RegexTester; readonly log: Log }) {
  return flagProvider({
    name: 'flags/regex',
    config: Config,

    async problemOf({ pattern, flags = '', flagValue }) {
      if (flagValue === undefined) return null
      const matches = await regex.test({ pattern, flags, text: flagValue })
      if (matches === null) return 'flagValue: takes too long to match the pattern'
      return matches ? null : 'flagValue: is not matched by the pattern'
    },

    open({ pattern, flags = '', flagValue }) {
      return {
        async accepts({ challengeId, text }) {
          const matches = await regex.test({ pattern, flags, text })
          if (matches === null) log.warn({ challengeId }, 'a flag pattern timed out and counts as no match')
          return matches ? { cheatedFrom: null } : null
        },
        valueFor: () => flagValue ?? null,
      }
    },
  })
}
