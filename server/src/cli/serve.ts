import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { App, createApp } from '../app.ts'
import type { Config } from '../config/config.ts'
import { openDatabase, type Database } from '../db/database.ts'
import { firstAdminLink } from '../features/accounts/first-admin.ts'
import { createDatabaseMarkers } from '../kv/database-markers.ts'
import type { Log } from '../lib/log.ts'
import { loadConfig } from './load-config.ts'
import { createLog, isReadableLog } from './log.ts'
import type { Outside } from './outside.ts'
import { requirePort } from './port.ts'
import { openPostgres, prepare } from './store.ts'
import { requireSameTokenKey } from './token-key.ts'

/** `pennant serve`: runs until the first signal, then ends what it started in reverse order. */
export async function serve(outside: Outside): Promise<void> {
  const stop = outside.catchSignals()
  const config = await loadConfig(outside)
  const log = createLog({ level: config.logLevel, isReadable: isReadableLog(outside), outside })
  // The service is read from disk while the database comes up.
  const service = import('../app.ts')
  // A failure is told where it is awaited.
  service.catch(() => {})

  void aborted(stop).then(() => forceLater(config.shutdownTimeout, outside))
  try {
    await serveUntil(stop, { config, log, service }, outside)
  } catch (error) {
    if (!stop.aborted || error !== stop.reason) throw error
    log.info({ signal: stop.reason }, 'stopped before it was ready')
  }
}

interface Beginning {
  readonly config: Config
  readonly log: Log
  readonly service: Promise<{ readonly createApp: typeof createApp }>
}

async function serveUntil(
  stop: AbortSignal,
  { config, log, service }: Beginning,
  outside: Outside,
): Promise<void> {
  const { migrate } = config.database
  if (migrate !== 'only') await requirePort(config)
  await using postgres = await openPostgres(config, log, stop)
  await orStop(stop, prepare(config, postgres.address, log))
  if (migrate === 'only') return
  await using store = await orStop(stop, openPool(config, { ...postgres.address, log }))
  const { db } = store
  await orStop(stop, requireSameTokenKey(db, config.tokenKey))
  const { createApp: create } = await service
  stop.throwIfAborted()
  await using app = await create({ config, db, log, now: outside.now, siteDirectory: siteDirectory() })
  stop.throwIfAborted()
  const address = await app.listen()
  await greet({ app, config, address }, outside)

  await aborted(stop)
  log.info({ signal: stop.reason }, 'stopping')
  await app.drain()
}

/** A step of the start, unless the signal comes first: then nobody waits for the step, and the process ends under it. */
function orStop<T>(stop: AbortSignal, step: Promise<T>): Promise<T> {
  const stopped = aborted(stop).then((): never => {
    stop.throwIfAborted()
    throw new Error('the signal has come')
  })
  return Promise.race([step, stopped])
}

async function openPool(
  { database }: Config,
  rest: Pick<Parameters<typeof openDatabase>[0], 'log'> & Awaited<ReturnType<typeof openPostgres>>['address'],
): Promise<{ readonly db: Database } & AsyncDisposable> {
  const db = await openDatabase({
    ...rest,
    maxPoolSize: database.maxPoolSize,
    idleTimeoutMs: database.idleTimeout,
    connectTimeoutMs: database.connectTimeout,
  })
  return { db, [Symbol.asyncDispose]: () => db.close() }
}

interface Ready {
  readonly app: App
  readonly config: Config
  readonly address: string
}

/** Says where the service is and, as long as there is no admin, how to become one. */
async function greet({ app, config, address }: Ready, outside: Outside): Promise<void> {
  const { log } = app.stores
  const say = isReadableLog(outside) ? outside.print : (line: string) => log.info({ address }, line)
  say(`Pennant is ready at ${config.origin}`)
  if (config.instanceType === 'leaderboard') return
  // The service runs, whatever comes of the link.
  const link = await findLink(app, config, outside.now).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    log.warn({ reason }, 'could not make a link for the first admin; `pennant admin create` makes one')
    return null
  })
  if (link === null) return
  // Never through the log: whoever has the link is an admin. It goes to whoever looks at the terminal.
  const tell = isReadableLog(outside) ? outside.print : outside.complain
  tell(`There is no admin yet. Become one, once: ${link}`)
}

async function findLink({ stores }: App, config: Config, now: () => number): Promise<string | null> {
  const { db, tokens } = stores
  return await firstAdminLink({
    db,
    tokens,
    markers: createDatabaseMarkers(db, now),
    loginTimeoutMs: config.loginTimeout,
    now,
    origin: config.origin,
    division: config.defaultDivision ?? Object.keys(config.divisions)[0] ?? '',
  })
}

/** The built site, beside the sources as well as beside the bundle; null in a checkout that is not built. */
function siteDirectory(): string | null {
  const folders = ['../../../web/dist/', '../../web/dist/'].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  )
  return folders.find((folder) => existsSync(folder)) ?? null
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}

function forceLater(limitMs: number, outside: Outside): void {
  if (limitMs === 0) return
  setTimeout(() => {
    outside.complain(`Not everything ended within ${limitMs} ms; ending anyway.`)
    outside.exit(1)
  }, limitMs).unref()
}
