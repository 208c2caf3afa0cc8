import type { Config } from '../config/config.ts'
import { overviewRoutes } from '../features/organisers/dashboard/routes.ts'
import {
  diskSource,
  openFilesSource,
  redisSource,
  senderSource,
} from '../features/organisers/dashboard/sources.ts'
import { statisticsRoutes } from '../features/board/statistics/routes.ts'
import type { Endpoint } from '../http/handler.ts'
import type { SenderWatch } from '../http/request/sender-watch.ts'
import { describeFewFiles } from '../lib/open-files.ts'
import type { InstanceRuntime } from './instance-runtime.ts'
import type { Providers } from './providers.ts'
import type { Stores } from './stores.ts'

/** The organisers' dashboard, with the problems that are possible in this deployment, and the statistics. */
export function overviewEndpoints(
  { http, redis, database, dataDir, scoreProvider, backup, publicDemo }: Config,
  { db, world, visibility, now, keyValue, follower }: Stores,
  {
    score,
    flags,
    instancers,
    adminBot,
    runtime,
    senders,
  }: Providers & { readonly runtime: InstanceRuntime; readonly senders: SenderWatch },
): Endpoint[] {
  const names = instancers?.engines().map(({ instancer }) => instancer.name) ?? []
  const overview = overviewRoutes({
    db,
    world,
    now,
    standingsAgeMs: () => follower.freshness().ageMs,
    instancers: new Set(names),
    watch: runtime.watch,
    hasBot: adminBot !== null,
    backupEveryMs: backup.schedule,
    formula: { name: scoreProvider.name, score },
    sources: [
      // Everyone sees the dashboard of a public demo, and these warnings name addresses.
      ...(publicDemo ? [] : [senderSource(senders)]),
      openFilesSource(describeFewFiles(http.maxConnections)),
      ...(redis.url ? [redisSource(keyValue)] : []),
      ...(database.url === undefined ? [diskSource(dataDir)] : []),
    ],
  })
  return [...overview, ...statisticsRoutes({ db, world, visibility, now, flags })]
}
