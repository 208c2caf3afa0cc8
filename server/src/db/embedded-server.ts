import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { readFile, rename, stat } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { StartError, UnavailableError } from '../lib/errors.ts'
import { clientConfig, type PostgresConnection } from './database.ts'
import { changeOwner } from './embedded-folder.ts'
import { isServing, lockStart, readLock, removeStaleLock } from './embedded-lock.ts'
import { openTarget, type Runner } from './embedded-user.ts'
import { failureOf } from './failures.ts'

/** A database on this machine: its folder and how to start its server. */
export interface Cluster {
  readonly folder: string
  readonly logPath: string
  readonly runner: Runner
  readonly connection: PostgresConnection
  readonly settings: Readonly<Record<string, string>>
}

/**
 * A connection that stays open while the server runs. It holds a shared advisory lock; whoever can take the lock
 * exclusively is the last user of the server and stops it.
 */
export interface Attachment {
  readonly client: Client
  readonly ended: Promise<void>
}

/** Crash recovery replays at most `max_wal_size`, which takes seconds on any disk. */
const READY_TIMEOUT_MS = 120_000
const CONNECT_TIMEOUT_MS = 5_000
/** A process that hangs while it starts the server does not keep the others from trying. */
const OTHER_START_TIMEOUT_MS = 30_000
const STOP_TIMEOUT_MS = 20_000
const MAX_LOG_BYTES = 1_000_000

/** Start-up errors while another server of the same folder is still running or stopping. */
const OTHER_SERVER_ERROR = /already exists|pre-existing|in use|is empty|could not (bind|open lock|remove old)/

export const DEFAULT_CONNECTIONS = 50

/** For a host that runs other programs too: modest memory, no network, no parallel queries, no replication. */
const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '',
  // Relative to the data folder, whose mode controls access. A relative path avoids the length limit of socket addresses.
  unix_socket_directories: '.',
  unix_socket_permissions: '0700',
  max_connections: String(DEFAULT_CONNECTIONS),
  shared_buffers: '64MB',
  max_wal_size: '256MB',
  wal_level: 'minimal',
  max_wal_senders: '0',
  io_method: 'sync',
  max_parallel_workers_per_gather: '0',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Only starts, stops and crashes. Failed statements contain values; our own log reports them without.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
}

/** Connects to the running server, even if another process started it. Starts one otherwise. */
export async function attach(cluster: Cluster, signal?: AbortSignal): Promise<Attachment> {
  const starting = createStarting(cluster)
  try {
    return await attachOrStart(cluster, starting, signal)
  } finally {
    await starting.release()
  }
}

/** The right to start the server, held until this process is attached or its server has failed. */
function createStarting({ folder }: Cluster) {
  const since = Date.now()
  let unlock: (() => Promise<void>) | null = null
  return {
    /** False while another process starts the server, unless that takes too long. */
    async take(): Promise<boolean> {
      unlock ??= await lockStart(folder)
      return unlock !== null || Date.now() - since > OTHER_START_TIMEOUT_MS
    },
    async release(): Promise<void> {
      await unlock?.()
      unlock = null
    },
  }
}

async function attachOrStart(
  cluster: Cluster,
  starting: ReturnType<typeof createStarting>,
  signal: AbortSignal | undefined,
): Promise<Attachment> {
  const deadlineAt = Date.now() + READY_TIMEOUT_MS
  let started: Started | null = null
  let delayMs = 20
  while (Date.now() < deadlineAt) {
    if (signal?.aborted && started) await kill(started)
    signal?.throwIfAborted()
    const attachment = await connect(cluster)
    if (attachment) return attachment
    if (started === null && !(await readLock(cluster.folder)).isOurs) {
      if (await starting.take()) started = await startUnlessRunning(cluster)
    } else if (started !== null && hasEnded(started.child)) {
      const reason = await lastFailure(cluster.logPath, started.logFrom)
      if (!OTHER_SERVER_ERROR.test(reason))
        throw new StartError(`the built-in database did not start: ${reason}`)
      started = null
      await starting.release()
      await delay(100)
    }
    await delay(delayMs)
    delayMs = Math.min(delayMs * 1.2, 200)
  }
  throw new StartError(`the built-in database was not ready in time: see ${cluster.logPath}`)
}

/** Null if another process has started the server since. */
async function startUnlessRunning(cluster: Cluster): Promise<Started | null> {
  const { folder, runner } = cluster
  const lock = await readLock(folder)
  if (lock.isOurs) return null
  await changeOwner(folder, runner.owner)
  await removeStaleLock(folder, lock)
  return await start(cluster)
}

/** Stops the server if no other process is attached. If several detach at once, exactly one of them stops it. */
export async function detach({ folder }: Cluster, { client, ended }: Attachment): Promise<void> {
  try {
    await client.query('select pg_advisory_unlock_shared(7233021, 3)')
    const { rows } = await client.query<{ isLast: boolean }>(
      `select pg_try_advisory_lock(7233021, 3) as "isLast"`,
    )
    const { pid, isOurs } = await readLock(folder)
    if (rows[0]?.isLast && isOurs && pid !== null) {
      process.kill(pid, 'SIGINT')
      await waitUntilStopped(folder, pid)
    }
  } catch (error) {
    // The server has already stopped.
    if (!(failureOf(error) instanceof UnavailableError)) throw error
  }
  await client.end()
  await ended
}

async function connect({ connection }: Cluster): Promise<Attachment | null> {
  const client = new Client({
    ...clientConfig({ connection }),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: CONNECT_TIMEOUT_MS,
  })
  // The `end` event is handled below. An unhandled `error` would end the process.
  client.on('error', () => {})
  const ended = new Promise<void>((resolve) => client.once('end', () => resolve()))
  try {
    await client.connect()
    await client.query('select pg_advisory_lock_shared(7233021, 3)')
    return { client, ended }
  } catch (error) {
    client.end().catch(() => {})
    const failure = failureOf(error)
    if (failure instanceof UnavailableError) return null
    throw failure
  }
}

interface Started {
  readonly child: ChildProcess
  /** Offset of its first line in the log file. */
  readonly logFrom: number
}

async function start({ folder, logPath, runner, settings }: Cluster): Promise<Started> {
  const { size } = await stat(logPath).catch(() => ({ size: 0 }))
  const isLong = size > MAX_LOG_BYTES
  if (isLong) await rename(logPath, `${logPath}.old`)
  const options = Object.entries({ ...SETTINGS, ...settings }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  const target = openTarget(folder, runner)
  const { postgres, env } = runner.binaries
  const [file = '', ...args] = [...runner.prefix, postgres, '-D', target.path, ...options]
  const logFile = openSync(logPath, 'a', 0o600)
  // Detached, so that it survives if this process is killed and Ctrl-C in the terminal does not reach it.
  const child = spawn(file, args, {
    env,
    ...runner.account,
    cwd: '/',
    detached: true,
    stdio: ['ignore', logFile, logFile, target.descriptor ?? 'ignore'],
  })
  closeSync(logFile)
  target.close()
  child.on('error', () => {})
  child.unref()
  return { child, logFrom: isLong ? 0 : size }
}

/** Stops a server that is still starting, and waits, so that the next start finds the folder unused. */
async function kill({ child }: Started): Promise<void> {
  child.kill('SIGINT')
  const deadlineAt = Date.now() + STOP_TIMEOUT_MS
  while (Date.now() < deadlineAt && !hasEnded(child)) await delay(5)
}

function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null
}

async function waitUntilStopped(folder: string, pid: number): Promise<void> {
  const deadlineAt = Date.now() + STOP_TIMEOUT_MS
  while (Date.now() < deadlineAt && (await isServing(pid, folder))) await delay(5)
}

async function lastFailure(logPath: string, from: number): Promise<string> {
  const log = await readFile(logPath).catch(() => Buffer.alloc(0))
  const lines = log.subarray(from).toString().trim().split('\n')
  // Skips "the database system is starting up" and the like, which are responses to our own connections.
  const at = lines.findLastIndex((line) => /(FATAL|PANIC):(?! +the database system is)|rror/.test(line))
  const line = lines[at] ?? lines.at(-1) ?? ''
  const detail = /DETAIL: +(.*)/.exec(lines[at + 1] ?? '')?.[1]
  return [line.replace(/^.*?(?:FATAL|PANIC): +/, ''), detail].filter(Boolean).join(': ')
}
