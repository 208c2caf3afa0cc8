import { setTimeout as delay } from 'node:timers/promises'
import { Pool, TypeOverrides, types, type ClientConfig, type DatabaseError, type PoolClient } from 'pg'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import { StartError, UnavailableError } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'
import { codeOf, failureOf, isWorthRetrying } from './failures.ts'
import { watchHealth, type Health } from './health.ts'

/** One statement with its values; `` sql`…` `` of sql-template-tag makes one. */
export type Statement = Sql

export interface Queries {
  /**
   * Runs one statement and returns its rows. The caller names the row's shape. A bigint (`count(*)`) comes as a
   * number, numeric as a string, timestamptz as a Date. Stores select instants as milliseconds instead:
   * `(extract(epoch from created_at) * 1000)::float8`.
   */
  query<Row extends object>(statement: Statement, limits?: QueryLimits): Promise<Row[]>
}

export interface QueryLimits {
  /**
   * How long the statement may take before its connection is given up, where that is less than the deployment's: a
   * host that vanished says nothing, and who can ask again should not wait for it long.
   */
  readonly answerTimeoutMs: number
}

/** A transaction that may change what anyone sees. It holds the change lock from its first statement on. */
export interface ChangeTransaction extends Queries {
  /** Notes a row of `changes`, written just before the commit: what the followers must read again. */
  changed(kind: ChangeKind, ids: readonly string[]): void
}

/**
 * What followers read again. `teams`, `challenges`: ids. `solves`: pairs, flattened (challenge, team, challenge,
 * team, …). `settings`: none. A row that is gone by then was removed. `feed`: challenge ids, whose feed scores and
 * events are read anew; `pushes`: the same, when rows of `feed_events` tell all that changed: those alone are read.
 */
export type ChangeKind = 'teams' | 'challenges' | 'solves' | 'feed' | 'pushes' | 'settings'

export interface Database extends Queries {
  /**
   * A transaction that writes nothing that followers must see. After a deadlock or a serialization failure `work`
   * runs again, so it does nothing outside its transaction.
   */
  transaction<T>(work: (tx: Queries) => Promise<T>): Promise<T>
  /**
   * A transaction under the change lock. After its commit the process's own follower has caught up and the other
   * processes are woken, so that the caller's next read sees it. `work` may run again, as above.
   */
  change<T>(work: (tx: ChangeTransaction) => Promise<T>): Promise<T>
  /** One connection for what statements cannot say, such as COPY. Whoever uses it begins and commits. */
  withClient<T>(work: (client: PoolClient) => Promise<T>): Promise<T>
  /** Called after each commit of `change`, and awaited by it. Set once, by the wiring. */
  onChange(listener: () => Promise<void>): void
  /**
   * Connections kept back for short statements of which one runs at a time: submissions, the follower's look at the
   * log, the ping. However many wait for the others, these need not.
   */
  readonly reserved: Queries
  /** Rejects when the database does not answer within two seconds. */
  ping(): Promise<void>
  /** Connections of this process, those that nobody uses, and callers that wait for one. */
  connections(): { readonly total: number; readonly idle: number; readonly waiting: number }
  close(): Promise<void>
}

/** Where a server is: a socket's folder or a host. */
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
  /** How long a server that does not answer yet is waited for. */
  readonly startTimeoutMs?: number
  /** How long one statement may take before its connection is given up; 0 is for ever. */
  readonly answerTimeoutMs?: number
}

/** PostgreSQL's own default admits 100 connections, and several processes share them. */
const DEFAULT_POOL_SIZE = 20
/** One for each of those who use the reserve. */
const RESERVE_SIZE = 3
const PING_LIMIT_MS = 2_000
/** Longer than the limits that the server itself keeps, for a connection whose other end is gone. */
const ANSWER_TIMEOUT_MS = 45_000
const MAX_ATTEMPTS = 5
const COMMIT = 'commit'

/** Limits that hold behind transaction poolers too. Long work may set its own in the same way. */
const BEGIN = `begin;
  set local statement_timeout = '30s';
  set local idle_in_transaction_session_timeout = '30s'`

/** Everyone who changes something waits behind this transaction: it waits, and idles, for seconds only. */
const BEGIN_CHANGE = `${BEGIN};
  set local lock_timeout = '10s';
  set local idle_in_transaction_session_timeout = '5s';
  select pg_advisory_xact_lock(7233021, 1)`

/** Connects, and ends with a StartError when that does not work in time. Later outages are waited out. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { log, startTimeoutMs = 10_000 } = options
  const health = watchHealth(log)
  const pool = openPool(options, options.maxPoolSize ?? DEFAULT_POOL_SIZE, health)
  const reserve = openPool(options, RESERVE_SIZE, health)
  const server: Server = { pool, health, answerTimeoutMs: options.answerTimeoutMs ?? ANSWER_TIMEOUT_MS }
  const reserved: Server = { ...server, pool: reserve }
  const listeners: (() => Promise<void>)[] = []
  const database: Database = {
    query: (statement, limits) => run({ ...server, ...limits }, statement),
    transaction: (work) => attempts(() => transact(server, BEGIN, work)),
    async change(work) {
      const { answer, isNoted } = await attempts(() => transactChange(server, work))
      if (!isNoted) return answer
      for (const result of await Promise.allSettled(listeners.map((listener) => listener())))
        // The change is durable and followers poll, so the caller's work has not failed.
        if (result.status === 'rejected')
          log.error({ err: result.reason }, 'could not follow a change at once')
      return answer
    },
    // The work talks to the driver itself, so its failures get their names here.
    withClient: (work) => answered(server, withClient(server, work)),
    onChange: (listener) => void listeners.push(listener),
    reserved: { query: (statement, limits) => run({ ...reserved, ...limits }, statement) },
    // A late one is given up with its connection: probes must not use up the reserve.
    ping: () => within(PING_LIMIT_MS, run({ ...reserved, answerTimeoutMs: PING_LIMIT_MS }, sql`select 1`)),
    connections: () => ({
      total: pool.totalCount + reserve.totalCount,
      idle: pool.idleCount + reserve.idleCount,
      waiting: pool.waitingCount + reserve.waitingCount,
    }),
    close: async () => {
      if (!pool.ending) await Promise.all([pool.end(), reserve.end()])
    },
  }
  try {
    await waitUntilReady(database, Date.now() + startTimeoutMs)
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
  // A connection can break while nothing listens on it: idle in the pool, or between two statements.
  pool.on('connect', (client) => client.on('error', () => {}))
  // While the pool ends, its connections break because they should.
  pool.on('error', (error) => {
    if (!pool.ending) health.failed(error)
  })
  return pool
}

/** What the driver needs. No start-up options: transaction poolers refuse or forget them. */
export function clientConfig(address: DatabaseAddress): ClientConfig {
  const parsers = new TypeOverrides()
  parsers.setTypeParser(types.builtins.INT8, Number)
  const where = 'url' in address ? { connectionString: address.url } : address.connection
  return { application_name: 'pennant', keepAlive: true, types: parsers, ...where }
}

/** Whether the statement failed because a row with these values exists, by the constraint or index named. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (codeOf(error) !== '23505') return false
  return constraint === undefined || (error as DatabaseError).constraint === constraint
}

interface Server {
  readonly pool: Pool
  readonly health: Health
  readonly answerTimeoutMs: number
  /** Where statements run when it is not any connection. */
  readonly client?: PoolClient
}

async function run<Row extends object>(server: Server, { text, values }: Statement): Promise<Row[]> {
  const config = { text, values, query_timeout: server.answerTimeoutMs }
  const result = await answered(server, (server.client ?? server.pool).query<Row>(config))
  // What PostgreSQL answers to the commit of a transaction in which a statement failed.
  if (text === COMMIT && result.command !== 'COMMIT') throw new Error('a failed statement was ignored')
  return result.rows
}

async function answered<T>({ health }: Server, answer: Promise<T>): Promise<T> {
  try {
    const value = await answer
    health.answered()
    return value
  } catch (error) {
    const failure = failureOf(error)
    if (failure instanceof UnavailableError) health.failed(failure)
    throw failure
  }
}

async function withClient<T>(server: Server, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await answered(server, server.pool.connect())
  let isLost = false
  try {
    return await work(client)
  } catch (error) {
    isLost = failureOf(error) instanceof UnavailableError
    throw error
  } finally {
    // A transaction that was left open ends with its connection.
    client.release(isLost || client.getTransactionStatus() !== 'I')
  }
}

function transact<T>(server: Server, begin: string, work: (tx: Queries) => Promise<T>): Promise<T> {
  return withClient(server, async (client) => {
    const here = { ...server, client }
    try {
      await run(here, raw(begin))
      const answer = await work({ query: (statement, limits) => run({ ...here, ...limits }, statement) })
      await run(here, raw(COMMIT))
      return answer
    } catch (error) {
      if (!(error instanceof UnavailableError)) await run(here, raw('rollback'))
      throw error
    }
  })
}

async function transactChange<T>(server: Server, work: (tx: ChangeTransaction) => Promise<T>) {
  const noted = new Map<ChangeKind, string[]>()
  const answer = await transact(server, BEGIN_CHANGE, async ({ query }) => {
    const changed = (kind: ChangeKind, ids: readonly string[]) => {
      noted.set(kind, [...(noted.get(kind) ?? []), ...ids])
    }
    const value = await work({ query, changed })
    const rows = Array.from(noted, ([kind, ids]) => sql`(${kind}, ${ids}::text[])`)
    if (rows.length > 0) await query(sql`insert into changes (kind, ids) values ${join(rows)}`)
    return value
  })
  return { answer, isNoted: noted.size > 0 }
}

/** Deadlocks and serialization failures are nobody's fault: the whole transaction is tried again. */
async function attempts<T>(attempt: () => Promise<T>): Promise<T> {
  for (let count = 1; ; count++) {
    try {
      return await attempt()
    } catch (error) {
      if (!isWorthRetrying(error)) throw error
      if (count === MAX_ATTEMPTS) throw new UnavailableError('a transaction lost too often', { cause: error })
    }
    // Apart, so that those who collided do not collide again.
    await delay(Math.random() * 20 * count)
  }
}

async function within(limitMs: number, answer: Promise<unknown>): Promise<void> {
  const late = new AbortController()
  const limit = delay(limitMs, undefined, { signal: late.signal }).then(() => {
    throw new UnavailableError(`the database did not answer within ${limitMs} ms`)
  })
  try {
    await Promise.race([answer, limit])
  } finally {
    late.abort()
    // Whichever comes second has nobody to tell.
    void Promise.allSettled([answer, limit])
  }
}

/** A server that is about to start is waited for; a wrong password or name is told at once. */
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
