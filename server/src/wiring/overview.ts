import type { Config } from '../config/config.ts'
import { overviewRoutes } from '../features/overview/routes.ts'
import { diskSource, redisSource } from '../features/overview/sources.ts'
import type { Endpoint } from '../http/handler.ts'
import type { InstanceHouse } from './house.ts'
import type { Providers } from './providers.ts'
import type { Stores } from './stores.ts'

/** The dashboard of organisers, with what may be wrong in a deployment like this one. */
export function overviewEndpoints(
  { redis, database, dataDir, scoreProvider }: Config,
  { db, world, now, keyValue, follower }: Stores,
  { score, instancers, adminBot, house }: Providers & { readonly house: InstanceHouse },
): Endpoint[] {
  const names = instancers?.engines().map(({ instancer }) => instancer.name) ?? []
  return overviewRoutes({
    db,
    world,
    now,
    standingsAgeMs: () => follower.freshness().ageMs,
    instancers: new Set(names),
    watch: house.watch,
    hasBot: adminBot !== null,
    formula: { name: scoreProvider.name, score },
    sources: [
      ...(redis.url ? [redisSource(keyValue)] : []),
      ...(database.url === undefined ? [diskSource(dataDir)] : []),
    ],
  })
}
