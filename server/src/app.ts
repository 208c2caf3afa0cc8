import type { Config } from './config/config.ts'
import type { Database } from './db/database.ts'
import { deploymentOf } from './db/token-key.ts'
import type { Kind } from './features/contest/kinds/kind.ts'
import { createVisibility } from './features/contest/visibility/visibility.ts'
import { createTokens } from './features/people/accounts/tokens.ts'
import { createLimiter } from './http/request/limiter.ts'
import { openKeyValue } from './kv/open.ts'
import { createCircuits } from './lib/circuits.ts'
import { createDisposal } from './lib/disposal.ts'
import type { Log } from './lib/log.ts'
import type { Siblings } from './lib/siblings.ts'
import type { Tracing } from './lib/tracing.ts'
import { startBackground } from './wiring/background.ts'
import { acceptMore } from './http/request/acceptors.ts'
import { drain } from './http/drain.ts'
import { clearLeftImports } from './wiring/contest-import.ts'
import { openReceipts } from './wiring/fair-play.ts'
import { createHttp } from './wiring/http.ts'
import { startProviders, type Providers } from './wiring/providers.ts'
import type { Stores } from './wiring/stores.ts'
import { tracedDatabase, tracedFetch } from './tracing/traced.ts'
import { createQueueDepths } from './worker/queue-depths.ts'
import { startFollower, WORLD_CHANNEL } from './world/sync/follower.ts'
import { featureKinds, openChecks, rowKindsOf } from './wiring/kinds.ts'

/**
 * Connections that the kernel keeps until the process accepts them. With Node's 511, some of thousands that connect in the
 * same seconds are reset. The kernel's own limit (`net.core.somaxconn`) is 4096 on Linux.
 */
const BACKLOG = 4096

export interface AppOptions {
  readonly config: Config
  readonly db: Database
  readonly log: Log
  readonly now: () => number
  /** The folder of the built site; null shows build instructions instead. */
  readonly siteDirectory: string | null
  /** Whether `/metrics` includes process metrics: their collectors run until the process ends. */
  readonly processMetrics?: boolean
  /** The kinds of rows; those of the features without it. */
  readonly kinds?: readonly Kind[]
  /** The other processes of this server on this machine. */
  readonly siblings?: Siblings | null
}

export interface App extends AsyncDisposable {
  /** Starts listening; resolves with the address. */
  listen(): Promise<string>
  /** From now on, many clients that connect at once wait less. Not for a process that gets its connections from another one. */
  acceptMore(): Promise<void>
  /** From now on, the process reports that it is not ready. It still serves everything. */
  leave(): void
  /** Stops accepting connections and waits for open ones, so that disposing interrupts no request. */
  drain(): Promise<void>
  readonly stores: Stores
  readonly providers: Providers
}

/** Builds the service from its dependencies. Disposing stops everything started here, in reverse order. */
export async function createApp(options: AppOptions): Promise<App> {
  const disposal = createDisposal()
  try {
    return await build(options, disposal)
  } catch (error) {
    await disposal[Symbol.asyncDispose]()
    throw error
  }
}

async function build(options: AppOptions, disposal: ReturnType<typeof createDisposal>): Promise<App> {
  const { config, log, now, kinds = featureKinds } = options
  const tracing = await startTracing(config, log)
  if (tracing) disposal.defer(() => tracing.close())
  const db = tracing ? tracedDatabase(options.db, tracing) : options.db
  const keyValue = await openKeyValue({
    redisUrl: config.redis.url,
    bus: options.siblings?.bus,
    db,
    now,
    log,
  })
  disposal.defer(() => keyValue.close())

  const circuits = createCircuits({ now, log })
  const outside = config.publicDemo ? refuseFetch : globalThis.fetch
  const fetch = circuits.fetch(tracing ? tracedFetch(outside, tracing) : outside)
  const providers = await startProviders(config, { db, log, now, markers: keyValue.markers, circuits, fetch })
  disposal.defer(() => providers.close())

  const { startTime, endTime, freezeTime } = config
  const rules = { score: providers.score, startTime, endTime, freezeTime: freezeTime ?? null }
  const base = { db, now, log }
  const rowKinds = rowKindsOf(kinds)
  const follower = await startFollower({ ...base, rules, rowKinds, bus: keyValue.bus })
  disposal.defer(() => follower.close())
  db.onChange(async () => {
    await follower.catchUp()
    void keyValue.bus.publish(WORLD_CHANNEL)
  })

  const tokens = createTokens({ key: config.tokenKey, now, loginTimeoutMs: config.loginTimeout })
  const sizes = { ...config.rateLimits, registrations: config.registrationLimit }
  const limiter = createLimiter({ buckets: keyValue.buckets, now, sizes })
  const { shown } = follower
  const visibility = createVisibility(shown, config.visibility)
  const deployment = await deploymentOf(config.tokenKey, db)
  const services = { world: follower.world, shown, visibility, circuits, fetch, tracing, deployment }
  const stores: Stores = { ...base, kinds, keyValue, limiter, follower, tokens, ...services }
  await clearLeftImports(config, stores)
  const queueDepths = createQueueDepths(db)
  if (config.instanceType !== 'frontend') {
    const background = await startBackground(config, stores, { ...providers, queueDepths })
    disposal.defer(() => background.close())
  }
  const checks = openChecks(config, stores, providers)
  disposal.defer(() => checks.close())
  const receipts = openReceipts(stores)
  disposal.defer(() => receipts[Symbol.asyncDispose]())
  let isLeaving = false
  const parts = { ...providers, queueDepths, checks, receipts }
  const server = createHttp({ ...options, isLeaving: () => isLeaving }, stores, parts)
  disposal.defer(() => server.close())
  return {
    stores,
    providers,
    listen: () => server.listen({ host: config.host, port: config.port, backlog: BACKLOG }),
    async acceptMore() {
      try {
        await acceptMore(server.server, BACKLOG)
      } catch (error) {
        // Everything works without it.
        log.warn({ err: error }, 'new clients may wait longer under load')
      }
    },
    leave: () => {
      isLeaving = true
    },
    drain: () => drain(server),
    [Symbol.asyncDispose]: () => disposal[Symbol.asyncDispose](),
  }
}

/** The libraries are loaded only if they are needed. */
async function startTracing({ tracing }: Config, log: Log): Promise<Tracing | null> {
  const { endpoint } = tracing
  if (endpoint === undefined) return null
  const { openTracing } = await import('./tracing/open-telemetry.ts')
  return openTracing({ ...tracing, endpoint }, log)
}

/** A public demo has nothing to request: its configuration and its gate allow no such feature. This is the second lock. */
function refuseFetch(): Promise<Response> {
  return Promise.reject(new Error('a public demo sends no requests'))
}
