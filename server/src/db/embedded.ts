import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../lib/log.ts'
import type { PostgresConnection } from './database.ts'
import { findBinaries, readMajor } from './embedded-binaries.ts'
import { createDatabase, createDataDir, isInitialized, ownerOf, USER } from './embedded-folder.ts'
import { attach, DEFAULT_CONNECTIONS, detach, type Attachment, type Cluster } from './embedded-server.ts'
import { chooseRunner } from './embedded-user.ts'

export interface EmbeddedOptions {
  /** Pennant's data folder; the database is in its subfolder `postgres`. */
  readonly dataDir: string
  readonly log: Log
  /** Aborts the start. */
  readonly signal?: AbortSignal
  /** How many connections the server must allow if this process starts it; at least 50. */
  readonly connections?: number
  /** Overrides PostgreSQL settings, for tests. */
  readonly settings?: Readonly<Record<string, string>>
}

export interface EmbeddedPostgres extends AsyncDisposable {
  readonly connection: PostgresConnection
  /** Detaches from the server and stops it if no other process is attached. */
  stop(): Promise<void>
}

const MAX_RETRY_DELAY_MS = 5_000

/**
 * Runs PostgreSQL as a separate process that listens on a socket in the data folder. Attaches to a server that survived
 * its killed parent, and restarts one that dies, until `stop`.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { log, signal, connections = 0 } = options
  const settings = {
    ...(connections > DEFAULT_CONNECTIONS && { max_connections: String(connections) }),
    ...options.settings,
  }
  const dataDir = resolve(options.dataDir)
  const folder = join(dataDir, 'postgres')
  await createDataDir(dataDir)
  const binaries = await findBinaries(join(dataDir, 'postgres-libraries'))
  const major = await readMajor(binaries)
  const runner = await chooseRunner({ binaries, dataDir, owner: await ownerOf(folder) })
  if (!(await isInitialized(folder, major))) {
    log.info({ folder }, 'creating the database')
    await createDatabase({ dataDir, folder, runner })
  }
  const socketFolder = await openSocketFolder(folder)
  const connection = { host: socketFolder.path, port: 5432, user: USER, database: 'postgres' }
  const cluster = { folder, logPath: join(dataDir, 'postgres.log'), runner, connection, settings }
  try {
    const supervisor = supervise(await attach(cluster, signal), cluster, log)
    let stopped: Promise<void> | null = null
    const stop = () => (stopped ??= supervisor.stop().finally(() => socketFolder.close()))
    return { connection, stop, [Symbol.asyncDispose]: stop }
  } catch (error) {
    await socketFolder.close()
    throw error
  }
}

/** Restarts the server when the connection to it breaks. That also works for a server that another process started. */
function supervise(first: Attachment, cluster: Cluster, log: Log) {
  const stopping = new AbortController()
  const stopped = once(stopping.signal, 'abort')

  async function run(): Promise<void> {
    let current: Attachment | null = first
    // Ends on `stop`.
    while (current !== null) {
      await Promise.race([current.ended, stopped])
      if (stopping.signal.aborted) return detach(cluster, current)
      log.warn({}, 'the built-in database stopped unexpectedly; restarting it')
      current = await reattach()
      if (current) log.info({}, 'the built-in database is running again')
    }
  }

  async function reattach(): Promise<Attachment | null> {
    for (let delayMs = 100; !stopping.signal.aborted; delayMs = Math.min(delayMs * 2, MAX_RETRY_DELAY_MS)) {
      try {
        return await attach(cluster, stopping.signal)
      } catch (error) {
        if (!stopping.signal.aborted) log.error({ err: error }, 'cannot restart the built-in database')
      }
      await delay(delayMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
    return null
  }

  const done = run()
  return {
    stop() {
      stopping.abort()
      return done
    },
  }
}

/**
 * A short path to the socket's folder: a socket address has at most 107 bytes (103 on macOS), and the path of the data
 * folder may be longer.
 */
async function openSocketFolder(folder: string): Promise<{ readonly path: string; close(): Promise<void> }> {
  if (existsSync('/proc/self/fd')) {
    const descriptor = openSync(folder, 'r')
    return { path: `/proc/self/fd/${descriptor}`, close: async () => closeSync(descriptor) }
  }
  const parent = await mkdtemp(join(tmpdir(), 'pennant-'))
  await symlink(folder, join(parent, 'pg'))
  return { path: join(parent, 'pg'), close: () => rm(parent, { recursive: true }) }
}
