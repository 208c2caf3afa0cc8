import { z } from 'zod'
import { adminBotProviders } from '../providers/admin-bot/all.ts'
import { instancerProviders } from '../providers/instancer/all.ts'
import { oneOf } from './one-of.ts'
import { didYouMean } from '../lib/nearest.ts'

const InstancerName = z.string().min(1).max(100)

/** Instancers and the admin bot. */
export const instanceKeys = {
  instancers: z
    .record(InstancerName, oneOf(instancerProviders, 'Engine that runs instances.'))
    .default({})
    .describe(
      'Engines that run instances of challenges: a map from names of your choice to `name` and `options` of a provider. See [instances.md](instances.md).',
    ),
  defaultInstancer: InstancerName.optional().describe(
    'The entry of `instancers` for challenges that name none. Required if there are several.',
  ),
  instances: z
    .strictObject({
      maxRunning: z
        .int()
        .min(1)
        .max(100_000)
        .default(200)
        .describe(
          'Maximum number of instances of all teams. Further starts are refused with the time when a slot becomes free.',
        ),
      maxPerTeam: z.int().min(1).max(1000).default(3).describe('Maximum number of instances of one team.'),
      maxStarting: z
        .int()
        .min(1)
        .max(64)
        .default(8)
        .describe('Maximum number of concurrent starts of one process; others are queued.'),
    })
    .prefault({})
    .describe('Limits on instances. See [instances.md](instances.md).'),
  adminBot: z
    .strictObject({
      provider: oneOf(adminBotProviders, 'Service that visits the submitted pages.'),
      maxLogsPerUserChallenge: z
        .int()
        .min(1)
        .max(1000)
        .default(5)
        .describe('Number of logs kept per team and challenge; older ones are deleted.'),
    })
    .optional()
    .describe('The admin bot. Absent: off. See [admin-bot.md](admin-bot.md).'),
}

interface InstancerKeys {
  readonly instancers?: Readonly<Record<string, unknown>>
  readonly defaultInstancer?: string | undefined
}

/**
 * The instancer of challenges that name none; undefined when the configuration does not set it, or has no
 * instancers.
 */
export function defaultInstancerOf({ instancers = {}, defaultInstancer }: InstancerKeys): string | undefined {
  const names = Object.keys(instancers)
  return defaultInstancer ?? (names.length === 1 ? names[0] : undefined)
}

/** The problem with the default instancer, or null. */
export function defaultInstancerProblem(keys: InstancerKeys): string | null {
  const names = Object.keys(keys.instancers ?? {})
  const chosen = defaultInstancerOf(keys)
  if (chosen === undefined) return names.length > 1 ? `must be one of ${names.join(', ')}` : null
  return names.includes(chosen) ? null : `no such instancer: ${chosen}${didYouMean(chosen, names)}`
}
