import { allRoutes } from '@pennant/contract/all.ts'
import type { Config } from '../config/config.ts'
import { accountRoutes } from '../features/accounts/routes.ts'
import { adminChallengeRoutes } from '../features/challenges/admin-routes.ts'
import { challengeRoutes } from '../features/challenges/routes.ts'
import { descriptionRoutes } from '../features/health/routes.ts'
import { extrankExportRoutes } from '../features/leaderboard/extrank-export.ts'
import { leaderboardRoutes } from '../features/leaderboard/routes.ts'
import { submissionRoutes } from '../features/submissions/routes.ts'
import { createDivisions } from '../features/teams/divisions.ts'
import { createOwnWrites } from '../features/teams/own-writes.ts'
import { teamRoutes } from '../features/teams/routes.ts'
import type { Endpoint } from '../http/handler.ts'
import { createDatabaseMarkers } from '../kv/database-markers.ts'
import { adminEndpoints } from './admin.ts'
import { clientEndpoints } from './client.ts'
import { fileEndpoints } from './files.ts'
import type { InstanceHouse } from './house.ts'
import { instanceEndpoints } from './instances.ts'
import { integrationEndpoints } from './integrations.ts'
import { overviewEndpoints } from './overview.ts'
import type { Providers } from './providers.ts'
import type { Stores } from './stores.ts'

/** Every endpoint with what it uses: the map of who needs what. */
export function createEndpoints(
  config: Config,
  stores: Stores,
  providers: Providers & { readonly house: InstanceHouse },
): Endpoint[] {
  const { db, world, tokens, now, log } = stores
  const { buckets, markers, bus } = stores.keyValue
  const { flags, instancers, adminBot } = providers
  const emailEnabled = providers.email !== null
  const divisions = createDivisions({ ...config, emailEnabled })
  const ownWrites = createOwnWrites()
  const own = { db, world, tokens, buckets, now, divisions, ownWrites }
  return [
    ...accountRoutes({
      ...own,
      markers,
      lasting: createDatabaseMarkers(db, now),
      bus,
      log,
      loginTimeoutMs: config.loginTimeout,
      emailEnabled,
      registrationsEnabled: config.registrationsEnabled,
      extrankEnabled: config.extrank !== undefined,
      rateLimits: config.rateLimits,
    }),
    ...teamRoutes({
      ...own,
      score: providers.score,
      userMembers: config.userMembers,
      maxMembers: config.maxMembers,
    }),
    ...challengeRoutes({
      world,
      instancerEnabled: instancers !== null,
      adminBotEnabled: adminBot !== null,
    }),
    ...submissionRoutes({
      db: db.reserved,
      bus,
      world,
      buckets,
      now,
      log,
      flags: providers.flags,
      caughtUp: () => stores.follower.catchUp(),
    }),
    ...adminChallengeRoutes({ db, world, flags, instancers, adminBot }),
    ...instanceEndpoints(config, stores, providers),
    ...adminEndpoints(config, stores, providers),
    ...overviewEndpoints(config, stores, providers),
    ...fileEndpoints(config, stores, providers),
    ...leaderboardRoutes({
      world,
      buckets,
      divisions: config.divisions,
      graphSampleMs: config.leaderboard.graphSampleTime,
    }),
    ...extrankExportRoutes({ world }),
    ...integrationEndpoints(config, stores, ownWrites),
    ...clientEndpoints(config, stores, providers),
    ...descriptionRoutes({ routes: allRoutes, origin: config.origin, version: '1' }),
  ]
}
