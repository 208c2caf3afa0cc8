import { runInThisContext } from 'node:vm'
import type { ZodError } from 'zod'
import { Challenge } from '../author/challenge.ts'
import { Options } from '../author/options.ts'

export const AUTHOR_MODULE = '@pennant/bot'

type Run = (module: { exports: { challenge?: unknown } }, require: (name: string) => unknown) => void

/**
 * Runs compiled code and returns the challenge that it exports. Rethrows what the code throws; throws a
 * CodeError if the export is not a challenge.
 */
export function evaluate(code: string): Options {
  // No import callback, so a dynamic import that the compiler missed fails too.
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
  if (name === AUTHOR_MODULE) return { Challenge }
  throw new TypeError(`Only '${AUTHOR_MODULE}' may be imported, not '${name}'.`)
}

function describe({ issues }: ZodError): string {
  return issues.map(({ path, message }) => `${path.join('.') || 'the options'}: ${message}`).join('\n')
}
