import { z } from 'zod'
import { adminBotProviders } from '../providers/admin-bot/all.ts'
import { instancerProviders } from '../providers/instancer/all.ts'
import { oneOf } from './one-of.ts'
import { didYouMean } from '../lib/nearest.ts'

const InstancerName = z.string().min(1).max(100)

/** What runs copies of challenges and visits them. */
export const instanceKeys = {
  instancers: z
    .record(InstancerName, oneOf(instancerProviders, 'What runs instances.'))
    .default({})
    .describe(
      'What runs instances of challenges: a map of names of your own to `name` and `options` of a provider. See [instances.md](instances.md).',
    ),
  defaultInstancer: InstancerName.optional().describe(
    'The entry of `instancers` for challenges that name none. Needed when there are several.',
  ),
  instances: z
    .strictObject({
      maxRunning: z
        .int()
        .min(1)
        .max(100_000)
        .default(200)
        .describe(
          'Instances of all teams at once. Further starts are refused with the time when a place is free.',
        ),
      maxPerTeam: z.int().min(1).max(1000).default(3).describe('Instances of one team at once.'),
      maxStarting: z
        .int()
        .min(1)
        .max(64)
        .default(8)
        .describe('Starts that one process has under way at once; others wait in line.'),
      maxWait: z
        .int()
        .min(0)
        .max(120_000)
        .default(25_000)
        .describe('Milliseconds that a start waits in line before it is refused.'),
    })
    .prefault({})
    .describe('Limits for instances. See [instances.md](instances.md).'),
  adminBot: z
    .strictObject({
      provider: oneOf(adminBotProviders, 'Who visits what teams send.'),
      maxLogsPerUserChallenge: z
        .int()
        .min(1)
        .max(1000)
        .default(5)
        .describe('Logs kept of a team on a challenge; older ones are dropped.'),
    })
    .optional()
    .describe('The admin bot. Absent: off. See [admin-bot.md](admin-bot.md).'),
}

interface InstancerKeys {
  readonly instancers?: Readonly<Record<string, unknown>>
  readonly defaultInstancer?: string | undefined
}

/** The instancer of challenges that name none; undefined when the configuration leaves it open, or has none. */
export function defaultInstancerOf({ instancers = {}, defaultInstancer }: InstancerKeys): string | undefined {
  const names = Object.keys(instancers)
  return defaultInstancer ?? (names.length === 1 ? names[0] : undefined)
}

/** What is wrong with the choice of the default, or null. */
export function defaultInstancerProblem(keys: InstancerKeys): string | null {
  const names = Object.keys(keys.instancers ?? {})
  const chosen = defaultInstancerOf(keys)
  if (chosen === undefined) return names.length > 1 ? `must be one of ${names.join(', ')}` : null
  return names.includes(chosen) ? null : `no such instancer: ${chosen}${didYouMean(chosen, names)}`
}
