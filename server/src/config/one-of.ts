import { z } from 'zod'
import type { Provider, ProviderContext } from '../providers/provider.ts'
import { sentenceOf } from '../lib/sentences.ts'
import { didYouMean } from '../lib/nearest.ts'
import { RCTF_ONLY } from './rctf-providers.ts'

/** A provider that the configuration selects, with validated options, not started yet. */
export interface Picked<Port, World extends ProviderContext = ProviderContext> {
  readonly name: string
  readonly options: unknown
  start(world: World): Port | Promise<Port>
}

const Choice = z.preprocess(
  // A provider without options may be given as a string.
  (value) => (typeof value === 'string' ? { name: value } : value),
  z.strictObject({ name: z.string(), options: z.record(z.string(), z.unknown()).default({}) }),
)

const lists = new WeakMap<z.core.$ZodType, readonly Provider<unknown>[]>()

/** The provider list of a schema made by `oneOf`: for environment names and the reference for operators. */
export function providersOf(schema: z.core.$ZodType): readonly Provider<unknown>[] | undefined {
  return lists.get(schema)
}

/** `{ name, options }`: selects a provider from the list and validates its options in the same pass. */
export function oneOf<Port, World extends ProviderContext = ProviderContext>(
  list: readonly Provider<Port, z.ZodType, World>[],
  description: string,
) {
  const schema = Choice.transform(({ name, options }, context): Picked<Port, World> => {
    const found = list.find((candidate) => candidate.name === name)
    if (!found) {
      const names = list.map((candidate) => candidate.name)
      const other = Object.hasOwn(RCTF_ONLY, name) ? `${name} ${RCTF_ONLY[name]}` : null
      const message = other ?? `no such provider${didYouMean(name, names)}; there are ${names.join(', ')}`
      context.addIssue({ code: 'custom', path: ['name'], message })
      return z.NEVER
    }
    const checked = found.options.safeParse(options, { error: sentenceOf })
    if (!checked.success) {
      for (const issue of checked.error.issues)
        context.issues.push({
          ...issue,
          path: ['options', ...issue.path],
          input: options,
        } as z.core.$ZodRawIssue)
      return z.NEVER
    }
    return { name, options: checked.data, start: (world) => found.start(checked.data, world) }
  }).describe(description)
  lists.set(schema, list)
  return schema
}
