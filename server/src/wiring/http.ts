import type { Receipts } from '../features/organisers/fair-play/receipts.ts'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { effectiveSettings, pictureSources, sitePictureSources } from '../features/site/settings/rules.ts'
import { healthFiles } from '../features/site/health/plugin.ts'
import { agentFiles } from '../features/site/files/agent-files.ts'
import { openSite } from '../features/site/files/plugin.ts'
import { wellKnownFiles } from '../features/site/files/well-known.ts'
import { hostTest } from '../features/site/uploads/files-origin.ts'
import { uploadFiles } from '../features/site/uploads/plugin.ts'
import { signedFiles } from '../features/site/uploads/signed.ts'
import { aliasFiles } from '../http/response/alias-files.ts'
import type { FileRoute } from '../http/response/files.ts'
import { watchOverload } from '../http/decide/overload.ts'
import { trustWarnings } from '../http/request/proxy-trust.ts'
import { createSenderWatch } from '../http/request/sender-watch.ts'
import { memoizeLatest } from '../http/response/prepared-cache.ts'
import { createServer, type HttpServer } from '../http/server.ts'
import { cacheCounts } from '../lib/cache-counts.ts'
import { describeFewFiles } from '../lib/open-files.ts'
import type { Siblings } from '../lib/siblings.ts'
import type { WorldView } from '../world/model.ts'
import { createMetrics, type Metrics, type MetricSources } from '../metrics/metrics.ts'
import { createEndpoints } from './endpoints.ts'
import { openInstanceRuntime } from './instance-runtime.ts'
import type { Checks } from './kinds.ts'
import { pipelineDeps } from './pipeline.ts'
import type { Providers } from './providers.ts'
import type { QueueDepths } from '../worker/queue-depths.ts'
import type { Stores } from './stores.ts'
import { openStreams } from './streams.ts'
import { createTraffic, withinOpenFiles } from './traffic.ts'

export interface HttpOptions {
  readonly config: Config
  /** The folder of the built site; null shows build instructions instead. */
  readonly siteDirectory: string | null
  readonly processMetrics?: boolean
  readonly siblings?: Siblings | null
  /** Whether the process is about to shut down. */
  readonly isLeaving: () => boolean
}

/** The HTTP side of the process: everything, or only health checks for a background worker. */
export function createHttp(
  options: HttpOptions,
  stores: Stores,
  providers: Providers & {
    readonly queueDepths: QueueDepths
    readonly checks: Checks
    readonly receipts: Receipts
  },
): HttpServer {
  const { config, siblings } = options
  const { queueDepths } = providers
  for (const warning of trustWarnings(config.proxy)) stores.log.warn({ trust: config.proxy.trust }, warning)
  const senders = createSenderWatch(stores)
  const runtime = openInstanceRuntime(config, stores, providers)
  const { lifecycle, watch } = runtime
  const bounded = withinOpenFiles(config, stores.log)
  const traffic = createTraffic(bounded, (reason) => metrics.connectionRefused(reason))
  const overload = openOverload(config, (rank) => metrics.requestShed(rank))
  const metrics = createMetrics({
    ...metricSources(stores, options.processMetrics ?? false),
    gather: siblings ? (read) => siblings.gather(read) : null,
    connections: () => traffic.connections.openCount,
    overload: () => overload?.level() ?? 0,
    caches: cacheCounts,
    bodyBytes: () => traffic.bodyBudget.heldBytes,
    outboxPending: queueDepths.outbox,
    ...(config.backup.schedule > 0 && { lastBackup: queueDepths.lastBackup }),
    ...(config.adminBot && { adminBotQueue: queueDepths.adminBot }),
    ...(watch && {
      instances: { readViews: () => watch.readViews(), waiting: () => lifecycle.queue().waiting },
    }),
  })
  stores.follower.onFold(metrics.boardFolded)
  const servesApi = config.instanceType !== 'leaderboard'
  const hub = openStreams(bounded, stores)
  stores.db.onLocked(metrics.changeLocked)
  runtime.onStart(metrics.instanceStarted)
  providers.instancers?.onCall(metrics.instancerCalled)
  const server: HttpServer = createServer({
    ...pipelineDeps(config, stores, { ...providers, ...traffic, metrics }),
    connections: traffic.connections,
    ...(overload && { overload }),
    endpoints: servesApi
      ? createEndpoints(config, stores, {
          ...providers,
          runtime,
          senders,
          metrics,
          hub,
          innerFetch: (outer) => server.innerFetch(outer),
          overload: () => overload?.level() ?? 0,
        })
      : [],
    files: [
      ...healthOf(options, stores, metrics),
      ...(servesApi ? siteFiles(options, stores, { ...providers, metrics }) : []),
    ],
    releases: [() => hub.close()],
    idleTimeoutS: config.idleTimeout,
    onSender: senders.note,
    headers: transportHeaders(config.origin),
    counterOf: metrics.requestsOf,
    ...(servesApi && config.filesOrigin && { isFilesHost: hostTest(config.filesOrigin) }),
  })
  return server
}

function healthOf({ config, isLeaving }: HttpOptions, { db, keyValue }: Stores, metrics: Metrics) {
  return healthFiles({
    pingDatabase: () => db.ping(),
    pingKeyValue: () => keyValue.ping(),
    isLeaving,
    warning: describeFewFiles(config.http.maxConnections),
    metrics: config.metrics.enabled ? metrics : null,
    metricsToken: config.metrics.token,
    origin: config.origin,
  })
}

function openOverload({ http }: Config, onRefused: (rank: string) => void) {
  return http.overloadDelay > 0 ? watchOverload({ targetMs: http.overloadDelay, onRefused }) : null
}

/** The site, uploads, and the addresses that they had at rCTF. */
function siteFiles(
  options: HttpOptions,
  stores: Stores,
  providers: Providers & { readonly metrics: Metrics },
): FileRoute[] {
  const uploads = uploadsOf(options.config, providers)
  const site = siteOf(options, stores, providers)
  return [...uploads, ...site, ...aliasFiles([...uploads, ...site], providers.metrics.aliasUsed)]
}

function siteOf(
  { config, siteDirectory }: HttpOptions,
  { now, shown, visibility }: Stores,
  providers: Providers,
) {
  const previews = { visibility, defaults: config, origin: config.origin, now }
  const known = wellKnownFiles({
    origin: config.origin,
    securityContacts: config.security.contacts,
    securityPolicy: config.security.policyUrl,
    now,
  })
  return openSite({
    directory: siteDirectory,
    themeFile: join(config.dataDir, 'theme.css'),
    contentSources: contentSourcesOf(config, providers),
    pictureSources: pictureSourcesOf(config, shown, providers.uploads.origin),
    textFiles: new Map([...known, ...agentFiles(previews)]),
    previews,
  })
}

function uploadsOf({ filesOrigin }: Config, { uploads }: Providers): FileRoute[] {
  const { servedFolder: folder, signedUrl } = uploads
  if (folder) return [uploadFiles({ folder, filesOrigin, elapsedMs: () => performance.now() })]
  return signedUrl ? [signedFiles(signedUrl)] : []
}

/** What the site's Content Security Policy allows besides the site itself. */
function contentSourcesOf({ csp, filesOrigin }: Config, { captcha, analytics }: Providers) {
  const withScripts = [captcha, analytics].filter((provider) => provider !== null)
  const fileSources = filesOrigin ? [{ 'img-src': [filesOrigin] }] : []
  return [csp, ...fileSources, ...withScripts.map((provider) => provider.contentSources)]
}

/**
 * Computed once for each version of the stored settings: new avatars are in the configured store, and an import changes the
 * settings.
 */
function pictureSourcesOf(config: Config, shown: Stores['shown'], uploads: string | null) {
  const sources = memoizeLatest((view: WorldView) =>
    sitePictureSources(
      pictureSources(view.settings, uploads),
      effectiveSettings(config, view.settings),
      Array.from(view.teams(), ({ avatarUrl }) => avatarUrl),
    ),
  )
  return () => sources(shown().settingsKey, shown())
}

/** HSTS for HTTPS origins. Without subdomains, because instances may use plain HTTP. */
function transportHeaders(origin: string): Readonly<Record<string, string>> {
  return origin.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}
}

function metricSources(
  { db, world, follower, circuits }: Stores,
  ofProcess: boolean,
): Pick<MetricSources, 'ofProcess' | 'boardStalenessMs' | 'worldTeams' | 'pool' | 'openCircuits'> {
  return {
    ofProcess,
    boardStalenessMs: () => follower.freshness().ageMs,
    worldTeams: () => world().teamCount(),
    pool: () => db.connections(),
    openCircuits: () => circuits.open(),
  }
}
