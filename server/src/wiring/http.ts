import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/config.ts'
import { countPending } from '../db/outbox.ts'
import { countQueued } from '../features/admin-bot/worker-store.ts'
import { healthFiles } from '../features/health/plugin.ts'
import { siteFiles } from '../features/site/plugin.ts'
import { uploadFiles } from '../features/uploads/plugin.ts'
import { signedFiles } from '../features/uploads/signed.ts'
import { createServer } from '../http/server.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { createEndpoints } from './endpoints.ts'
import { openInstanceHouse } from './house.ts'
import { pipelineDeps } from './pipeline.ts'
import type { Providers } from './providers.ts'
import type { Stores } from './stores.ts'

export interface HttpOptions {
  readonly config: Config
  /** The folder of the built site; null shows how to build it. */
  readonly siteDirectory: string | null
  readonly processMetrics?: boolean
}

/** The HTTP side of the process: all of it, or health alone for a background worker. */
export function createHttp(options: HttpOptions, stores: Stores, providers: Providers): FastifyInstance {
  const { config, siteDirectory } = options
  const house = openInstanceHouse(config, stores, providers)
  const { lifecycle, watch } = house
  const metrics = createMetrics({
    ...metricSources(stores, options.processMetrics ?? false),
    ...(config.adminBot && { adminBotQueue: () => countQueued(stores.db) }),
    ...(watch && { instances: { look: () => watch.look(), waiting: () => lifecycle.line().waiting } }),
  })
  stores.follower.onFold(metrics.boardFolded)
  house.onStart(metrics.instanceStarted)
  const answers = config.instanceType !== 'leaderboard'
  const health = healthFiles({
    pingDatabase: () => stores.db.ping(),
    pingKeyValue: () => stores.keyValue.ping(),
    metrics: config.metrics.enabled ? metrics : null,
    metricsToken: config.metrics.token,
  })
  const withScripts = [providers.captcha, providers.analytics].filter((provider) => provider !== null)
  const contentSources = [config.csp, ...withScripts.map((provider) => provider.contentSources)]
  const site = siteFiles({
    directory: siteDirectory,
    themeFile: join(config.dataDir, 'theme.css'),
    contentSources,
  })
  const { servedFolder: folder, signedUrl } = providers.uploads
  const uploads = [
    ...(folder ? [uploadFiles({ folder })] : []),
    ...(signedUrl ? [signedFiles(signedUrl)] : []),
  ]
  return createServer({
    ...pipelineDeps(config, stores, { ...providers, metrics }),
    endpoints: answers ? createEndpoints(config, stores, { ...providers, house }) : [],
    plugins: answers ? [health, ...uploads, site] : [health],
    idleTimeoutS: config.idleTimeout,
    onResponse: (request) => metrics.requestDone(request),
  })
}

function metricSources(
  { db, world, follower }: Stores,
  ofProcess: boolean,
): Parameters<typeof createMetrics>[0] {
  return {
    ofProcess,
    boardStalenessMs: () => follower.freshness().ageMs,
    worldTeams: () => world().teamCount(),
    outboxPending: () => countPending(db),
    streamClients: () => 0,
    pool: () => db.connections(),
  }
}
