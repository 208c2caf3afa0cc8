import type { Config } from '../config/config.ts'
import { adminBotRoutes } from '../features/admin-bot/routes.ts'
import { adminInstanceRoutes } from '../features/instances/admin-routes.ts'
import { instanceRoutes } from '../features/instances/routes.ts'
import type { Endpoint } from '../http/handler.ts'
import type { InstanceHouse } from './house.ts'
import type { Providers } from './providers.ts'
import type { Stores } from './stores.ts'

/** What runs copies of challenges, and what visits them. Without a provider the routes say that they are not there. */
export function instanceEndpoints(
  { adminBot: botConfig }: Config,
  { db, world, now, keyValue }: Stores,
  { instancers, adminBot, flags, regex, house }: Providers & { readonly house: InstanceHouse },
): Endpoint[] {
  const maxLogs = botConfig?.maxLogsPerUserChallenge ?? 1
  const { buckets } = keyValue
  return [
    ...instanceRoutes({ world, instancers, flags, lifecycle: house.lifecycle }),
    ...adminInstanceRoutes({ db, now, world, instancers, ...house }),
    ...adminBotRoutes({ db, world, now, buckets, regex, flags, instancers, adminBot, maxLogs }),
  ]
}
