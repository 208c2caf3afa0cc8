import type { Config } from '../config/config.ts'
import { pictureSources } from '../features/site/settings/rules.ts'
import type { Endpoint } from '../http/handler.ts'
import { contestImportRoutes, importFolder } from '../ops/import/upload/routes.ts'
import { clearImports } from '../ops/import/upload/running.ts'
import { WORLD_CHANNEL } from '../world/sync/follower.ts'
import type { Providers } from './providers.ts'
import type { Stores } from './stores.ts'

/** The upload of a contest of another platform. */
export function contestImportEndpoints(config: Config, stores: Stores, providers: Providers): Endpoint[] {
  const { follower, keyValue } = stores
  const { startTime, endTime, divisions, defaultDivision, origin, dataDir, tokenKey } = config
  return contestImportRoutes({
    ...stores,
    markers: keyValue.markers,
    uploads: providers.uploads,
    score: providers.score,
    times: { startTime, endTime },
    tokenKey,
    loginTimeoutMs: config.loginTimeout,
    divisions,
    defaultDivision: defaultDivision ?? Object.keys(divisions)[0] ?? '',
    origin,
    dataDir,
    maxRequestBodySize: config.maxRequestBodySize,
    pictureSources: () => [origin, ...pictureSources(stores.world().settings, providers.uploads.origin)],
    async caughtUp() {
      await follower.catchUp()
      void keyValue.bus.publish(WORLD_CHANNEL)
    },
  })
}

/** Deletes archives that a crashed process left. */
export async function clearLeftImports(
  { dataDir }: Config,
  { keyValue, now }: Pick<Stores, 'keyValue' | 'now'>,
) {
  await clearImports(importFolder(dataDir), { markers: keyValue.markers, now })
}
