import { runInThisContext } from 'node:vm'
import type { ZodError } from 'zod'
import { Challenge } from '../author/challenge.ts'
import { Options } from '../author/options.ts'

export const authorModule = '@pennant/bot'

type Run = (module: { exports: { challenge?: unknown } }, require: (name: string) => unknown) => void

/**
 * Runs compiled code to its end and takes the challenge that it exports. Throws what the code throws, and an error for
 * the author when what it exports is no challenge.
 */
export function evaluate(code: string): Options {
  // Without a way to import: a dynamic import that the compiler could not see fails too.
  const run = runInThisContext(`(function (module, require) { const exports = module.exports; ${code}\n})`, {
    filename: 'challenge.ts',
  }) as Run
  const module: { exports: { challenge?: unknown } } = { exports: {} }
  run(module, requireAuthorModule)
  const { challenge } = module.exports
  if (!(challenge instanceof Challenge))
    throw new TypeError('The code must export `challenge`, a new Challenge({ … }).')
  const options = Options.safeParse(challenge.options)
  if (options.success) return options.data
  throw new TypeError(describe(options.error))
}

function requireAuthorModule(name: string): unknown {
  if (name === authorModule) return { Challenge }
  throw new TypeError(`Only '${authorModule}' may be imported, not '${name}'.`)
}

function describe({ issues }: ZodError): string {
  return issues.map(({ path, message }) => `${path.join('.') || 'the options'}: ${message}`).join('\n')
}
