import type { Config } from '../config/config.ts'
import { adminBotRoutes } from '../features/engines/admin-bot/routes.ts'
import { adminInstanceRoutes } from '../features/engines/instances/admin-routes.ts'
import { instanceRoutes } from '../features/engines/instances/routes.ts'
import { personNames } from '../features/people/persons/rows.ts'
import { reporter } from '../db/report.ts'
import type { Endpoint } from '../http/handler.ts'
import type { InstanceRuntime } from './instance-runtime.ts'
import type { Providers } from './providers.ts'
import type { Stores } from './stores.ts'

/** Instance and admin-bot endpoints. Without a provider the routes respond that they do not exist. */
export function instanceEndpoints(
  { adminBot: botConfig }: Config,
  { db, world, now, limiter, log }: Stores,
  { instancers, adminBot, flags, regex, runtime }: Providers & { readonly runtime: InstanceRuntime },
): Endpoint[] {
  const maxLogs = botConfig?.maxLogsPerUserChallenge ?? 1
  const onChange = reporter({ db, log }, 'instances')
  const personName = personNames(world)
  const onJobChange = reporter({ db, log }, 'jobs')
  return [
    ...instanceRoutes({ db, now, world, instancers, flags, lifecycle: runtime.lifecycle, onChange }),
    ...adminInstanceRoutes({ db, now, world, instancers, onChange, ...runtime, personName }),
    ...adminBotRoutes({ db, world, now, limiter, regex, flags, instancers, adminBot, maxLogs, onJobChange }),
  ]
}
