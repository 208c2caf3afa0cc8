import { MINUTE_MS, SECOND_MS } from '@pennant/contract/durations.ts'
import type { Config } from '../config/config.ts'
import { createEngineReader } from '../features/organisers/dashboard/engines.ts'
import { readOutbox, readQueues } from '../features/organisers/dashboard/store.ts'
import type { State, StatusSource } from '../features/news/status/components.ts'
import { statusRoutes } from '../features/news/status/routes.ts'
import type { StreamHub } from '../features/live/stream/hub.ts'
import type { Endpoint } from '../http/handler.ts'
import type { InstanceRuntime } from './instance-runtime.ts'
import type { Providers } from './providers.ts'
import type { Stores } from './stores.ts'

/** Followers poll once a second; short delays under load are normal. */
const STALE_AFTER_MS = 10 * SECOND_MS
/** A running worker takes a job within seconds. */
const BOT_LATE_MS = MINUTE_MS
const BOT_DOWN_AFTER_MS = 10 * MINUTE_MS

export interface StatusParts {
  readonly runtime: InstanceRuntime
  /** How much is refused because of load. */
  readonly overload: () => number
  readonly hub: Pick<StreamHub, 'isFull'>
}

/** The public status page, with the parts that this deployment has. */
export function statusEndpoints(
  { extrank, http }: Pick<Config, 'extrank' | 'http'>,
  stores: Stores,
  { email, adminBot, runtime, overload, hub }: Providers & StatusParts,
): Endpoint[] {
  const { db, now, follower } = stores
  const isBehind = () => follower.freshness().ageMs > STALE_AFTER_MS
  const { watch } = runtime
  const readEngines = watch && createEngineReader(watch)
  // Browsers without a stream poll.
  const streamSource: StatusSource = {
    name: 'stream',
    check: () => (isBehind() || hub.isFull() ? 'degraded' : 'ok'),
  }
  const sources: StatusSource[] = [
    { name: 'site', check: () => (overload() > 0 ? 'degraded' : 'ok') },
    { name: 'flags', check: () => db.ping().then((): State => 'ok') },
    { name: 'scoreboard', check: () => (isBehind() ? 'degraded' : 'ok') },
    ...(http.streams.max > 0 ? [streamSource] : []),
    ...(readEngines ? [instancesSource(readEngines)] : []),
    ...(adminBot ? [botSource(stores)] : []),
    ...(email ? [mailSource(stores)] : []),
    ...(extrank ? [rankingSource(stores, extrank)] : []),
  ]
  return statusRoutes({ db, now, sources })
}

function instancesSource(readEngines: ReturnType<typeof createEngineReader>): StatusSource {
  return {
    name: 'instances',
    async check() {
      const views = await readEngines()
      if (!views) return 'down'
      const isWhole = views.every(({ isUp, capacity }) => isUp && capacity.every((host) => host.isUp))
      if (isWhole) return 'ok'
      return views.some(({ isUp }) => isUp) ? 'degraded' : 'down'
    },
  }
}

function botSource({ db, now }: Stores): StatusSource {
  return {
    name: 'adminBot',
    unread: 'unknown',
    async check() {
      const { botOldestAt } = await readQueues(db, now())
      const waitedMs = botOldestAt ? now() - botOldestAt.getTime() : 0
      if (waitedMs > BOT_DOWN_AFTER_MS) return 'down'
      return waitedMs > BOT_LATE_MS ? 'degraded' : 'ok'
    },
  }
}

function mailSource({ db, circuits }: Stores): StatusSource {
  return {
    name: 'mail',
    unread: 'unknown',
    async check() {
      if (circuits.open().includes('mail')) return 'down'
      const kinds = await readOutbox(db)
      return kinds.some(({ kind, failing }) => kind === 'mail' && failing > 0) ? 'degraded' : 'ok'
    },
  }
}

function rankingSource(
  { circuits }: Stores,
  { tokenUrl, userUrl }: NonNullable<Config['extrank']>,
): StatusSource {
  const hosts = [tokenUrl, userUrl].map((url) => new URL(url).host)
  return {
    name: 'ranking',
    check: () => (circuits.open().some((name) => hosts.includes(name)) ? 'down' : 'ok'),
  }
}
