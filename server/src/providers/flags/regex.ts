import { z } from 'zod'
import type { Log } from '../../lib/log.ts'
import type { RegexTester } from '../../lib/regex.ts'
import { flagProvider } from './flags.ts'

const Config = z
  .strictObject({
    pattern: z.string().min(1).describe('A JavaScript pattern, found anywhere: anchor it yourself.'),
    flags: z
      .string()
      .regex(/^(?!.*(.).*\1)(?!.*u.*v)(?!.*v.*u)[dgimsuvy]*$/, {
        error: 'must be some of d, g, i, m, s, u, v, y: each once, not u and v together',
      })
      .optional(),
    flagValue: z
      .string()
      .min(1)
      .optional()
      .describe('The flag handed to instances and bots; the pattern must match it.'),
  })
  .superRefine(({ pattern, flags }, context) => {
    const message = syntaxProblem(pattern, flags)
    if (message !== null) context.addIssue({ code: 'custom', path: ['pattern'], message })
  })

function syntaxProblem(pattern: string, flags: string | undefined): string | null {
  try {
    // Reading a pattern is quick, whatever it is; only matching can take long.
    void new RegExp(pattern, flags)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : 'is not a pattern'
  }
}

/** Patterns come from organisers but run on what players send: a bad pair would stall the process, so they run apart. */
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
          if (matches === null)
            log.warn({ challengeId }, 'a flag pattern took too long and counts as no match')
          return matches ? { cheatedFrom: null } : null
        },
        valueFor: () => flagValue ?? null,
      }
    },
  })
}
