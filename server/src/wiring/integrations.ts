import type { Config } from '../config/config.ts'
import { apiTokenRoutes } from '../features/people/api-tokens/routes.ts'
import { deviceSignInRoutes } from '../features/people/device-sign-in/routes.ts'
import { createCodes } from '../features/people/external-auth/codes.ts'
import { createClientStore } from '../features/people/external-auth/store.ts'
import { createOpenIdKeys } from '../features/people/openid/keys.ts'
import { issuerOf, openIdRoutes } from '../features/people/openid/routes.ts'
import { bodyCaps } from './pipeline.ts'
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
    ...otherSites(config, stores),
  ]
}

/** Sign-in at other sites, in both ways, with one list of sites. */
function otherSites(
  config: Config,
  { db, world, tokens, now, limiter, keyValue, follower }: Stores,
): Endpoint[] {
  const { origin, tokenKey } = config
  const { markers } = keyValue
  const clients = createClientStore(db)
  const codes = createCodes(markers)
  const keys = createOpenIdKeys({ db, now, tokenKey })
  const shared = { world, now, tokens, clients, codes }
  return [
    ...externalAuthRoutes({ ...shared, limiter, issuer: issuerOf(origin), ensureKeys: keys.ensure }),
    ...openIdRoutes({
      ...shared,
      caughtUp: () => follower.catchUp(),
      markers,
      keys,
      origin,
      cap: bodyCaps(config).account,
    }),
  ]
}
