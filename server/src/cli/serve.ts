import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { SECOND_MS } from '@pennant/contract/durations.ts'
import type { App } from '../app.ts'
import type { Config } from '../config/config.ts'
import {
  maxConnectionsOf,
  openDatabase,
  type Database,
  type DatabaseAddress,
  type DatabaseOptions,
} from '../db/database.ts'
import { firstAdminLink } from '../features/people/accounts/first-admin.ts'
import { createDatabaseMarkers } from '../kv/database-markers.ts'
import { StartError } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'
import { describeEndedNode } from '../lib/node-lines.ts'
import { FEW_FILES_REMEDY, MIN_OPEN_FILES, openFileLimit } from '../lib/open-files.ts'
import type { Siblings } from '../lib/siblings.ts'
import { showFirstAdminLink } from './first-admin-link.ts'
import { loadConfig } from './load-config.ts'
import { createLog, isReadableLog } from './log.ts'
import { completeRestore } from './pending-restore.ts'
import type { ProcessContext } from './process-context.ts'
import { findSiblings, runProcesses } from './processes.ts'
import { openPostgres, prepare, type Postgres } from './store.ts'
import { requireSameTokenKey } from './token-key.ts'
import { waitForDatabase } from './wait-for-database.ts'

/** How long the supervisor waits for the database after its processes were stopped by force. */
const STOP_MS = 5 * SECOND_MS
/** For commands such as `pennant admin` while the server runs. */
const SPARE_CONNECTIONS = 10

/**
 * `pennant serve`: runs until the first signal, then stops everything in reverse order of its start. With more than one
 * process, this one starts the database and supervises the others.
 */
export async function serve(context: ProcessContext, { processes }: { processes: number }): Promise<void> {
  const stop = context.catchSignals()
  const config = await loadConfig(context)
  const log = createLog({ level: config.logLevel, isReadable: isReadableLog(context), context })
  requireOpenFiles()
  const siblings = findSiblings()
  const ended = siblings === null ? describeEndedNode(context.now()) : null
  if (ended) log.warn({}, `${ended.finding} ${ended.remedy}`)
  const isSupervisor = processes > 1 && siblings === null
  const { shutdownDelay, shutdownTimeout } = config
  const limitMs = shutdownTimeout > 0 ? shutdownDelay + shutdownTimeout : 0
  // The processes enforce the limit themselves; the supervisor stops the database after them.
  void aborted(stop).then(() =>
    forceLater(isSupervisor && limitMs > 0 ? limitMs + STOP_MS : limitMs, context),
  )
  try {
    if (isSupervisor) await superviseUntil(stop, { config, log, processes }, context)
    else await serveUntil(stop, { config, log, processes, siblings }, context)
  } catch (error) {
    if (!stop.aborted || error !== stop.reason) throw error
    log.info({ signal: stop.reason }, 'stopped before the server was ready')
  }
}

/** With too few, connections would be accepted and never served. */
function requireOpenFiles(): void {
  const allowed = openFileLimit()
  if (allowed < MIN_OPEN_FILES)
    throw new StartError(
      `This process may open ${allowed} files, and even a small event needs ${MIN_OPEN_FILES}. ${FEW_FILES_REMEDY}`,
    )
}

interface Beginning {
  readonly config: Config
  readonly log: Log
  readonly processes: number
  readonly siblings: Siblings | null
}

/**
 * Fails early if the port is in use, before a database is created in vain. The port can still be taken
 * afterwards.
 */
async function requirePort({ host, port }: Pick<Config, 'host' | 'port'>): Promise<void> {
  const server = createServer().listen({ host, port })
  await once(server, 'listening')
  server.close()
  await once(server, 'close')
}

function connectionsOf({ database }: Config, processes: number): number {
  return processes * maxConnectionsOf(database.maxPoolSize) + SPARE_CONNECTIONS
}

/** Prepares the database for the processes and runs them. */
async function superviseUntil(
  stop: AbortSignal,
  { config, log, processes }: Omit<Beginning, 'siblings'>,
  context: ProcessContext,
): Promise<void> {
  const { migrate } = config.database
  if (migrate !== 'only') await requirePort(config)
  await using postgres = await openPostgres(config, log, {
    signal: stop,
    connections: connectionsOf(config, processes),
  })
  await using wait = waitForDatabase({ config, log, stop, hasPort: migrate !== 'only' })
  await orStop(
    stop,
    wait.retry(() => prepare(config, onFirstTry(postgres), log)),
  )
  if (migrate === 'only') return
  await wait.retry(() => completeRestore(config, { ...postgres, log }, context))
  await wait.close()
  await runProcesses(stop, processes, log)
}

async function serveUntil(
  stop: AbortSignal,
  { config: configured, log, processes, siblings }: Beginning,
  context: ProcessContext,
): Promise<void> {
  // Loads the service from disk while the database starts.
  const service = import('../app.ts')
  // The error is handled where the promise is awaited.
  service.catch(() => {})
  const { migrate } = configured.database
  if (migrate !== 'only' && siblings === null) await requirePort(configured)
  // Any of the processes may have to restart the database.
  await using postgres = await openPostgres(configured, log, {
    signal: stop,
    connections: connectionsOf(configured, processes),
  })
  const hasPort = migrate !== 'only' && siblings === null
  await using wait = waitForDatabase({ config: configured, log, stop, hasPort })
  const address = onFirstTry(postgres)
  if (siblings === null)
    await orStop(
      stop,
      wait.retry(() => prepare(configured, address, log)),
    )
  if (migrate === 'only') return
  const config = await orStop(
    stop,
    wait.retry(() => completeRestore(configured, { ...postgres, log }, context)),
  )
  await using store = await orStop(
    stop,
    wait.retry(() => openPool(config, { ...address, log })),
  )
  const { db } = store
  await orStop(
    stop,
    wait.retry(() => requireSameTokenKey(db, config.tokenKey)),
  )
  const { createApp: create } = await service
  stop.throwIfAborted()
  const { now } = context
  const options = { config, db, log, siblings, now, siteDirectory: siteDirectory(), processMetrics: true }
  await using app = await wait.retry(() => create(options))
  stop.throwIfAborted()
  await wait.close()
  const listening = await app.listen()
  // The processes of `--processes` get their connections from the first one.
  if (siblings === null) void app.acceptMore()
  if (siblings?.isFirst ?? true) await greet({ app, config, address: listening }, context)

  await aborted(stop)
  log.info({ signal: stop.reason }, 'stopping')
  app.leave()
  if (config.shutdownDelay > 0) await delay(config.shutdownDelay)
  await app.drain()
}

/** The start repeats its steps itself, so that it reports the first failure at once. */
function onFirstTry({ address }: Postgres): DatabaseAddress & { readonly startTimeoutMs: number } {
  return { ...address, startTimeoutMs: 0 }
}

/**
 * Runs a startup step unless the stop signal comes first; then nothing waits for the step, and the process
 * exits under it.
 */
function orStop<T>(stop: AbortSignal, step: Promise<T>): Promise<T> {
  const stopped = aborted(stop).then((): never => {
    stop.throwIfAborted()
    throw new Error('the stop signal was received')
  })
  return Promise.race([step, stopped])
}

async function openPool(
  { database }: Config,
  rest: Pick<DatabaseOptions, 'log' | 'startTimeoutMs'> & DatabaseAddress,
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

/** Prints the address of the service and, until an admin exists, how to become one. */
async function greet({ app, config, address }: Ready, context: ProcessContext): Promise<void> {
  const { log } = app.stores
  const say = isReadableLog(context) ? context.print : (line: string) => log.info({ address }, line)
  say(`Pennant is ready at ${config.origin}`)
  if (config.instanceType === 'leaderboard') return
  // The service runs even if the link fails.
  const link = await findLink(app, config, context.now).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    log.warn({ reason }, 'could not create a sign-in link for the first admin; run `pennant admin create`')
    return null
  })
  await showFirstAdminLink(link, { config, log, say }, context)
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

/** The built site, next to the sources or the bundle; null in a checkout without a build. */
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

function forceLater(limitMs: number, context: ProcessContext): void {
  if (limitMs === 0) return
  setTimeout(() => {
    context.complain(`The shutdown did not complete within ${limitMs} ms; exiting.`)
    context.exit(1)
  }, limitMs).unref()
}
