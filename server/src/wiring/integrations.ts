import type { Config } from '../config/config.ts'
import { externalAuthRoutes } from '../features/external-auth/routes.ts'
import { extrankRoutes } from '../features/extrank/routes.ts'
import { feedRoutes } from '../features/feeds/routes.ts'
import type { OwnWrites } from '../features/teams/own-writes.ts'
import type { Endpoint } from '../http/handler.ts'
import { createDatabaseMarkers } from '../kv/database-markers.ts'
import type { Stores } from './stores.ts'

/** What other programs speak to: backends of dynamic challenges, the ranking site, sites that sign teams in here. */
export function integrationEndpoints(config: Config, stores: Stores, ownWrites: OwnWrites): Endpoint[] {
  const { db, world, tokens, now } = stores
  const { markers, buckets } = stores.keyValue
  return [
    ...feedRoutes({
      db,
      world,
      now,
      // In the database, Redis or not: the mark of a push belongs to its transaction.
      marksIn: (queries) => createDatabaseMarkers(queries, now),
      graphSampleMs: config.leaderboard.graphSampleTime,
    }),
    ...extrankRoutes({
      db,
      ownWrites,
      tokens,
      fetch: globalThis.fetch,
      extrank: config.extrank ?? null,
    }),
    ...externalAuthRoutes({
      db,
      markers,
      buckets,
      tokens,
      authorizeLimit: config.rateLimits?.externalAuthorize,
    }),
  ]
}
