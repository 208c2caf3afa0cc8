import { setTimeout as delay } from 'node:timers/promises'
import {
  Pool,
  TypeOverrides,
  types,
  type ClientBase,
  type ClientConfig,
  type DatabaseError,
  type PoolClient,
} from 'pg'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import { StartError, UnavailableError } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'
import { codeOf, failureOf, isLockTimeout, isWorthRetrying, outageOf } from './failures.ts'
import { watchHealth, type Health } from './health.ts'
import { connectionsOf, type Connections } from './idle-connections.ts'
import { watchLateStatements, type LateStatements } from './late-statements.ts'

/** A parameterised statement, written with `` sql`…` `` of sql-template-tag. */
export type Statement = Sql

export interface Queries {
  /**
   * Runs one statement and returns its rows, typed by the caller. bigint (`count(*)`) is returned as a number, numeric
   * as a string and timestamptz as a Date. Stores select timestamps as milliseconds instead:
   * `(extract(epoch from created_at) * 1000)::float8`.
   */
  query<Row extends object>(statement: Statement, limits?: QueryLimits): Promise<Row[]>
}

/** Statements on one connection, in the transaction that its owner began. */
export function queriesOf(client: ClientBase): Queries {
  return {
    query: async <Row extends object>({ text, values }: Statement) =>
      (await client.query<Row>({ text, values })).rows,
  }
}

export interface QueryLimits {
  /**
   * Client-side timeout of the statement, after which its connection is closed. Shorter than the deployment's for
   * callers that retry: a host that disappeared sends no error.
   */
  readonly queryTimeoutMs: number
}

/** A transaction whose changes must reach every process. It holds the change lock from its first statement. */
export interface ChangeTransaction extends Queries {
  /** Adds a row to the change log just before the commit. It names the rows that followers must reload. */
  changed(kind: ChangeKind | NamedKind, ids: readonly string[]): void
}

/**
 * What followers reload. `teams`, `challenges`: ids; a missing row was deleted. `solves`: pairs, flattened
 * (challenge, team, challenge, team, …). `settings`: no ids. `feed`: ids of challenges whose feed scores and events
 * are all reloaded. `pushes`: the ids of `feed`, but only the new rows of `feed_events` are read. `instances`, `jobs`: pairs as for
 * `solves`, `messages`: pairs of a thread and its team; only the live stream takes notice of these three.
 */
export type ChangeKind =
  | 'teams'
  | 'challenges'
  | 'solves'
  | 'feed'
  | 'pushes'
  | 'settings'
  | 'instances'
  | 'jobs'
  | 'messages'

/** A kind of row that is a value, which says what its ids are. */
export interface NamedKind {
  readonly kind: string
}

export interface Database extends Queries {
  /**
   * A transaction that followers need not see. `work` runs again after a deadlock or a serialization failure, so it
   * must not have side effects outside the transaction.
   */
  transaction<T>(work: (tx: Queries) => Promise<T>): Promise<T>
  /**
   * A transaction under the change lock. It resolves after the commit, when this process's follower has caught up and
   * the other processes are woken, so the caller's next read sees the change. `work` may run again, as above.
   */
  change<T>(work: (tx: ChangeTransaction) => Promise<T>): Promise<T>
  /** A dedicated connection, for example for COPY. The caller begins and commits its own transactions. */
  withClient<T>(work: (client: PoolClient) => Promise<T>): Promise<T>
  /** Called after each commit of `change`, and awaited by it. Set once, by the wiring. */
  onChange(listener: () => Promise<void>): void
  /** Called with the milliseconds that each `change` waited for a connection and the lock. Set once, by the wiring. */
  onLocked(listener: (waitMs: number) => void): void
  /**
   * Connections reserved for short statements that run one at a time: submissions, the follower's read of the change
   * log, the ping. They never wait for a connection of the main pool.
   */
  readonly reserved: Queries
  /** Rejects when the database does not respond within two seconds. */
  ping(): Promise<void>
  /** Connections of this process, idle ones among them, and callers waiting for one. */
  connections(): { readonly total: number; readonly idle: number; readonly waiting: number }
  close(): Promise<void>
}

/** `host` is a host name or the folder of a Unix socket. */
export interface PostgresConnection {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
}

export type DatabaseAddress = { readonly url: string } | { readonly connection: PostgresConnection }

export type DatabaseOptions = DatabaseAddress & {
  readonly log: Log
  readonly maxPoolSize?: number
  readonly idleTimeoutMs?: number
  readonly connectTimeoutMs?: number
  /** How long to retry the first connection. */
  readonly startTimeoutMs?: number
  /** Client-side timeout of a statement, after which its connection is closed; 0 disables it. */
  readonly queryTimeoutMs?: number
}

/** PostgreSQL allows 100 connections by default, shared by all processes. */
const DEFAULT_POOL_SIZE = 20
/** One for each user of the reserve. */
const RESERVE_SIZE = 3
/** The connection that compares late statements with the sessions of the server. */
const PROBE_SIZE = 1
const PING_TIMEOUT_MS = 2_000
/** Longer than the server's own timeouts: it only matters when the server is gone. */
const QUERY_TIMEOUT_MS = 45_000
const MAX_ATTEMPTS = 5
const COMMIT = 'commit'

/** `set local` also works behind transaction poolers. Long-running work sets its own timeouts the same way. */
const BEGIN = `begin;
  set local statement_timeout = '30s';
  set local idle_in_transaction_session_timeout = '30s'`

/** Every other change waits for this transaction, so its timeouts are short. */
const BEGIN_CHANGE = `${BEGIN};
  set local lock_timeout = '10s';
  set local idle_in_transaction_session_timeout = '5s';
  select pg_advisory_xact_lock(7233021, 1)`

/** Connections that one process may open with this pool size. */
export function maxConnectionsOf(maxPoolSize: number): number {
  return maxPoolSize + RESERVE_SIZE + PROBE_SIZE
}

/** Connects, or throws a StartError after `startTimeoutMs`. After that, outages are only reported. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { log, startTimeoutMs = 10_000 } = options
  const health = watchHealth(log)
  const pool = openPool(options, options.maxPoolSize ?? DEFAULT_POOL_SIZE, health)
  const reserve = openPool(options, RESERVE_SIZE, health)
  const queryTimeoutMs = options.queryTimeoutMs ?? QUERY_TIMEOUT_MS
  const connections = [connectionsOf(pool), connectionsOf(reserve)] as const
  // At the start, a wrong password is an error of the configuration. Afterwards it is an outage like any other.
  let wasReady = false
  const takeFrom = (one: Connections) => () =>
    one.take().catch((error: unknown) => {
      throw wasReady ? outageOf(error) : error
    })
  const late = watchLateStatements(clientConfig(options), () => {
    for (const one of connections) one.distrust()
  })
  const server: Server = { connect: takeFrom(connections[0]), health, late, queryTimeoutMs }
  const reserved: Server = { ...server, connect: takeFrom(connections[1]) }
  const listeners: (() => Promise<void>)[] = []
  const lockListeners: ((waitMs: number) => void)[] = []
  const database: Database = {
    query: (statement, limits) => run({ ...server, ...limits }, statement),
    transaction: (work) => withRetries(() => transact(server, BEGIN, work)),
    async change(work) {
      const asked = performance.now()
      const measured = (tx: ChangeTransaction) => {
        for (const listener of lockListeners) listener(performance.now() - asked)
        return work(tx)
      }
      const { result: value, hasChanges } = await withRetries(() => transactChange(server, measured))
      if (!hasChanges) return value
      for (const result of await Promise.allSettled(listeners.map((listener) => listener())))
        // The change is durable and followers poll, so the caller's work has not failed.
        if (result.status === 'rejected')
          log.error(
            { err: result.reason },
            'a committed change is not visible yet; the follower polls for it',
          )
      return value
    },
    // `work` uses the driver directly, so its errors are translated here.
    withClient: (work) => reportHealth(server, withClient(server, work)),
    onChange: (listener) => void listeners.push(listener),
    onLocked: (listener) => void lockListeners.push(listener),
    reserved: { query: (statement, limits) => run({ ...reserved, ...limits }, statement) },
    // On timeout the connection is closed too: probes must not exhaust the reserve.
    ping: () =>
      withTimeout(PING_TIMEOUT_MS, run({ ...reserved, queryTimeoutMs: PING_TIMEOUT_MS }, sql`select 1`)),
    connections: () => ({
      total: pool.totalCount + reserve.totalCount,
      idle: pool.idleCount + reserve.idleCount,
      waiting: pool.waitingCount + reserve.waitingCount,
    }),
    close: async () => {
      late.close()
      if (!pool.ending) await Promise.all([pool.end(), reserve.end()])
    },
  }
  try {
    await waitUntilReady(database, Date.now() + startTimeoutMs)
    wasReady = true
  } catch (error) {
    await database.close()
    throw error
  }
  return database
}

function openPool(options: DatabaseOptions, max: number, health: Health): Pool {
  const pool = new Pool({
    ...clientConfig(options),
    max,
    idleTimeoutMillis: options.idleTimeoutMs ?? 30_000,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 3_000,
  })
  // A connection can break while idle in the pool or between two statements; an unhandled `error` would end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  // Errors while the pool is closing are expected.
  pool.on('error', (error) => {
    if (!pool.ending) health.failed(error)
  })
  return pool
}

/** Driver configuration, without start-up options: transaction poolers reject or ignore them. */
export function clientConfig(address: DatabaseAddress): ClientConfig {
  const parsers = new TypeOverrides()
  parsers.setTypeParser(types.builtins.INT8, Number)
  const where = 'url' in address ? { connectionString: address.url } : address.connection
  return { application_name: 'pennant', keepAlive: true, types: parsers, ...where }
}

/** Whether the error is a unique violation, of the given constraint or index if there is one. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (codeOf(error) !== '23505') return false
  return constraint === undefined || (error as DatabaseError).constraint === constraint
}

interface Server {
  /** Takes a connection of the pool, to be released by the caller. */
  readonly connect: () => Promise<PoolClient>
  readonly health: Health
  readonly late: LateStatements
  readonly queryTimeoutMs: number
  /** The transaction's connection. Without one, statements run on any connection of the pool. */
  readonly client?: PoolClient
}

async function run<Row extends object>(server: Server, statement: Statement): Promise<Row[]> {
  const { client } = server
  if (client === undefined) return withClient(server, (taken) => run({ ...server, client: taken }, statement))
  const { text, values } = statement
  const config = { text, values, query_timeout: server.queryTimeoutMs }
  const result = await reportHealth(server, server.late.watch(client, client.query<Row>(config)))
  // PostgreSQL answers ROLLBACK to the commit of a transaction in which a statement failed.
  if (text === COMMIT && result.command !== 'COMMIT')
    throw new Error('transaction rolled back: the error of a failed statement was ignored')
  return result.rows
}

async function reportHealth<T>({ health }: Server, result: Promise<T>): Promise<T> {
  try {
    const value = await result
    health.succeeded()
    return value
  } catch (error) {
    const failure = failureOf(error)
    if (failure instanceof UnavailableError && !isLockTimeout(failure)) health.failed(failure)
    throw failure
  }
}

async function withClient<T>(server: Server, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await reportHealth(server, server.connect())
  let isLost = false
  try {
    return await work(client)
  } catch (error) {
    isLost = failureOf(error) instanceof UnavailableError
    throw error
  } finally {
    // Closing the connection rolls back a transaction that was left open.
    client.release(isLost || client.getTransactionStatus() !== 'I')
  }
}

function transact<T>(server: Server, begin: string, work: (tx: Queries) => Promise<T>): Promise<T> {
  return withClient(server, async (client) => {
    const bound = { ...server, client }
    try {
      await run(bound, raw(begin))
      const result = await work({ query: (statement, limits) => run({ ...bound, ...limits }, statement) })
      await run(bound, raw(COMMIT))
      return result
    } catch (error) {
      if (!(error instanceof UnavailableError)) await run(bound, raw('rollback'))
      throw error
    }
  })
}

async function transactChange<T>(server: Server, work: (tx: ChangeTransaction) => Promise<T>) {
  const changes = new Map<string, string[]>()
  const result = await transact(server, BEGIN_CHANGE, async ({ query }) => {
    const changed: ChangeTransaction['changed'] = (named, ids) => {
      const kind = typeof named === 'string' ? named : named.kind
      changes.set(kind, [...(changes.get(kind) ?? []), ...ids])
    }
    const value = await work({ query, changed })
    const rows = Array.from(changes, ([kind, ids]) => sql`(${kind}, ${ids}::text[])`)
    if (rows.length > 0) await query(sql`insert into changes (kind, ids) values ${join(rows)}`)
    return value
  })
  return { result, hasChanges: changes.size > 0 }
}

/** Retries the whole transaction after a deadlock or a serialization failure, with jitter. */
async function withRetries<T>(attempt: () => Promise<T>): Promise<T> {
  for (let count = 1; ; count++) {
    try {
      return await attempt()
    } catch (error) {
      if (!isWorthRetrying(error)) throw error
      if (count === MAX_ATTEMPTS)
        throw new UnavailableError(`transaction failed ${MAX_ATTEMPTS} times because of conflicts`, {
          cause: error,
        })
    }
    // Jitter, so that transactions that collided do not collide again.
    await delay(Math.random() * 20 * count)
  }
}

async function withTimeout(timeoutMs: number, work: Promise<unknown>): Promise<void> {
  const cancel = new AbortController()
  const timeout = delay(timeoutMs, undefined, { signal: cancel.signal }).then(() => {
    throw new UnavailableError(`the database did not respond within ${timeoutMs} ms`)
  })
  try {
    await Promise.race([work, timeout])
  } finally {
    cancel.abort()
    // Handles the rejection of whichever settles last.
    void Promise.allSettled([work, timeout])
  }
}

/** Waits for a server that is starting, but fails immediately on a wrong password or database name. */
async function waitUntilReady(database: Database, deadlineAt: number): Promise<void> {
  for (;;) {
    try {
      return await database.ping()
    } catch (error) {
      if (!(error instanceof UnavailableError))
        throw new StartError(`cannot use the database: ${messageOf(error)}`, { cause: error })
      if (Date.now() >= deadlineAt)
        throw new StartError(`cannot reach the database: ${messageOf(error.cause ?? error)}`, {
          cause: error,
        })
    }
    await delay(200)
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
