import type { Config } from './config/config.ts'
import type { Database } from './db/database.ts'
import { createTokens } from './features/accounts/tokens.ts'
import { openKeyValue } from './kv/open.ts'
import { createDisposal } from './lib/disposal.ts'
import type { Log } from './lib/log.ts'
import { startBackground } from './wiring/background.ts'
import { drain } from './http/drain.ts'
import { createHttp } from './wiring/http.ts'
import { startProviders, type Providers } from './wiring/providers.ts'
import type { Stores } from './wiring/stores.ts'
import { startFollower, worldChannel } from './world/follower.ts'

export interface AppOptions {
  readonly config: Config
  readonly db: Database
  readonly log: Log
  readonly now: () => number
  /** The folder of the built site; null shows how to build it. */
  readonly siteDirectory: string | null
  /** Whether this process's own series are in `/metrics`: their watchers stay until the process ends. */
  readonly processMetrics?: boolean
}

export interface App extends AsyncDisposable {
  /** Starts to take requests; resolves with the address. */
  listen(): Promise<string>
  /** Refuses new connections and lets those that are there end, so that disposing cuts no request. */
  drain(): Promise<void>
  readonly stores: Stores
  readonly providers: Providers
}

/** Dependencies in, service out. Disposing ends everything that was started here, in reverse order. */
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
  const { config, db, log, now } = options
  const keyValue = await openKeyValue({ redisUrl: config.redis.url, db, now, log })
  disposal.defer(() => keyValue.close())

  const providers = await startProviders(config, { db, log, now, markers: keyValue.markers })
  disposal.defer(() => providers.close())

  const { startTime, endTime } = config
  const rules = { score: providers.score, startTime, endTime }
  const follower = await startFollower({ db, rules, now, log, bus: keyValue.bus })
  disposal.defer(() => follower.close())
  db.onChange(async () => {
    await follower.catchUp()
    void keyValue.bus.publish(worldChannel)
  })

  const tokens = createTokens({ key: config.tokenKey, now, loginTimeoutMs: config.loginTimeout })
  const stores: Stores = { db, keyValue, follower, world: () => follower.world(), tokens, now, log }
  if (config.instanceType !== 'frontend') {
    const background = await startBackground(config, stores, providers)
    disposal.defer(() => background.close())
  }
  const server = createHttp(options, stores, providers)
  disposal.defer(() => server.close())
  return {
    stores,
    providers,
    listen: () => server.listen({ host: config.host, port: config.port }),
    drain: () => drain(server),
    [Symbol.asyncDispose]: () => disposal[Symbol.asyncDispose](),
  }
}
