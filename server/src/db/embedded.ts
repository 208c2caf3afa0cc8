import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../lib/log.ts'
import type { PostgresConnection } from './database.ts'
import { findBinaries, readMajor } from './embedded-binaries.ts'
import { isMade, makeDatabase, makeDataDir, ownerOf, USER } from './embedded-folder.ts'
import { attach, detach, type Attachment, type Cluster } from './embedded-server.ts'
import { chooseRunner } from './embedded-user.ts'

export interface EmbeddedOptions {
  /** Pennant's data folder; the database takes `postgres` in it. */
  readonly dataDir: string
  readonly log: Log
  /** Gives up the start. */
  readonly signal?: AbortSignal
  /** Settings of PostgreSQL in place of ours, for tests. */
  readonly settings?: Readonly<Record<string, string>>
}

export interface EmbeddedPostgres extends AsyncDisposable {
  readonly connection: PostgresConnection
  /** Lets go of the server, and stops it when no other process is attached to it. */
  stop(): Promise<void>
}

const LONGEST_PAUSE_MS = 5_000

/**
 * Runs PostgreSQL as a process of its own, reached by a socket in the data folder. A server that outlived a killed
 * parent is adopted, and one that dies is started again until `stop`.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { log, signal, settings = {} } = options
  const dataDir = resolve(options.dataDir)
  const folder = join(dataDir, 'postgres')
  await makeDataDir(dataDir)
  const binaries = await findBinaries(join(dataDir, 'postgres-libraries'))
  const major = await readMajor(binaries)
  const runner = await chooseRunner({ binaries, dataDir, owner: await ownerOf(folder) })
  if (!(await isMade(folder, major))) {
    log.info({ folder }, 'making the database')
    await makeDatabase({ dataDir, folder, runner })
  }
  const door = await openDoor(folder)
  const connection = { host: door.path, port: 5432, user: USER, database: 'postgres' }
  const cluster = { folder, logPath: join(dataDir, 'postgres.log'), runner, connection, settings }
  try {
    const watch = superviseFrom(await attach(cluster, signal), cluster, log)
    let ending: Promise<void> | null = null
    const stop = () => (ending ??= watch.stop().finally(() => door.close()))
    return { connection, stop, [Symbol.asyncDispose]: stop }
  } catch (error) {
    await door.close()
    throw error
  }
}

/** The connection breaks when the server dies, whoever started it: that is when it is started again. */
function superviseFrom(first: Attachment, cluster: Cluster, log: Log) {
  const stopping = new AbortController()
  const stopped = once(stopping.signal, 'abort')

  async function supervise(): Promise<void> {
    let current: Attachment | null = first
    // Ends with `stop`.
    while (current !== null) {
      await Promise.race([current.ended, stopped])
      if (stopping.signal.aborted) return detach(cluster, current)
      log.warn({}, 'the built-in database went away: starting it again')
      current = await attachAgain()
      if (current) log.info({}, 'the built-in database is back')
    }
  }

  async function attachAgain(): Promise<Attachment | null> {
    for (let pauseMs = 100; !stopping.signal.aborted; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        return await attach(cluster, stopping.signal)
      } catch (error) {
        if (!stopping.signal.aborted) log.error({ err: error }, 'the built-in database does not start')
      }
      await delay(pauseMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
    return null
  }

  const supervised = supervise()
  return {
    stop() {
      stopping.abort()
      return supervised
    },
  }
}

/**
 * A way to the socket that is short enough for an address (107 bytes; 103 on macOS), however long the path of the data
 * folder is.
 */
async function openDoor(folder: string): Promise<{ readonly path: string; close(): Promise<void> }> {
  if (existsSync('/proc/self/fd')) {
    const descriptor = openSync(folder, 'r')
    return { path: `/proc/self/fd/${descriptor}`, close: async () => closeSync(descriptor) }
  }
  const holder = await mkdtemp(join(tmpdir(), 'pennant-'))
  await symlink(folder, join(holder, 'pg'))
  return { path: join(holder, 'pg'), close: () => rm(holder, { recursive: true }) }
}
