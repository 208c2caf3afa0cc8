import type { Config } from '../config/config.ts'
import { apiTokenRoutes } from '../features/people/api-tokens/routes.ts'
import { deviceSignInRoutes } from '../features/people/device-sign-in/routes.ts'
import { externalAuthRoutes } from '../features/people/external-auth/routes.ts'
import { extrankRoutes } from '../features/people/ranking-site/routes.ts'
import { feedRoutes } from '../features/contest/feeds/routes.ts'
import type { OwnWrites } from '../features/people/teams/own-writes.ts'
import type { Endpoint } from '../http/handler.ts'
import { createDatabaseMarkers } from '../kv/database-markers.ts'
import type { Stores } from './stores.ts'

/** Endpoints for other programs: backends of dynamic challenges, the ranking site, external-auth clients. */
export function integrationEndpoints(config: Config, stores: Stores, ownWrites: OwnWrites): Endpoint[] {
  const { db, world, visibility, tokens, now, limiter, fetch } = stores
  const { markers } = stores.keyValue
  const ofTokens = { db, world, now, ownWrites, maxLifetimeMs: config.programs.maxLifetime || null }
  return [
    ...feedRoutes({
      db,
      world,
      visibility,
      now,
      limiter,
      // Always in the database, even with Redis: the mark of a push belongs to its transaction.
      marksIn: (queries) => createDatabaseMarkers(queries, now),
      graphSampleMs: config.leaderboard.graphSampleTime,
    }),
    ...extrankRoutes({
      db,
      world,
      ownWrites,
      tokens,
      fetch,
      extrank: config.extrank ?? null,
    }),
    ...apiTokenRoutes(ofTokens),
    ...deviceSignInRoutes({ ...ofTokens, markers, limiter, origin: config.origin }),
    ...externalAuthRoutes({
      db,
      world,
      now,
      markers,
      limiter,
      tokens,
    }),
  ]
}
