import { setTimeout as delay } from 'node:timers/promises'
import { Client, type ClientConfig, type DatabaseError, type PoolClient } from 'pg'
import { codeOf } from './failures.ts'

// A statement on a connection that was lost without a sign fails after 1.3 s instead of the 45 s of its timeout.

/** A statement that runs this long is late: its connection is compared with the sessions of the server. */
const LATE_MS = 750
/** Between two comparisons if one of the late statements is not running, and if all are. */
const SUSPICIOUS_MS = 250
const RUNNING_MS = 1_000
/** Longest time of one comparison, connecting included. */
const PROBE_MS = 1_000
/** Comparisons in a row without a running statement, because the response may be on its way during the first. */
const LOST_AFTER = 2
/** Late statements fail after this long without any response from the server. */
const SILENT_MS = 5_000

export interface LateStatements {
  /** Returns `result`; closes the connection, which rejects it, if the statement is no longer running. */
  watch<T>(client: PoolClient, result: Promise<T>): Promise<T>
  close(): void
}

interface Running {
  readonly client: PoolClient
  readonly startedAt: number
  /** Comparisons in a row that did not find it running, and received nothing. */
  missing: number
  received: number
}

/**
 * Finds statements whose connection was lost without a sign: after a silent failover, or when a firewall forgot the
 * connection, no error ever arrives. While a statement is late, a separate connection reads which sessions run a
 * statement. One that does not run there any more gets no response, so its connection is closed. A slow statement is
 * left alone. `lost` is called before connections are closed.
 *
 * Behind a transaction pooler the process ids of clients are not those of the server, so nothing is closed.
 */
export function watchLateStatements(config: ClientConfig, lost: () => void): LateStatements {
  const running = new Set<Running>()
  let timer: NodeJS.Timeout | null = null
  let isClosed = false
  let respondedAt = 0

  const schedule = (ms: number) => {
    timer = isClosed ? null : setTimeout(() => void check(), ms).unref()
  }
  const check = async () => {
    const late = listLate()
    if (late.length === 0) {
      respondedAt = 0
      if (running.size > 0) schedule(LATE_MS / 3)
      else timer = null
      return
    }
    // The silence is measured from the first comparison that got no response.
    respondedAt ||= performance.now()
    const sessions = await runningSessions(config)
    if (sessions !== 'silent') respondedAt = performance.now()
    const isSilent = performance.now() - respondedAt > SILENT_MS
    for (const one of late) if (sessions instanceof Set) compare(one, sessions)
    end(late.filter((one) => running.has(one) && (isSilent || one.missing >= LOST_AFTER)))
    schedule(sessions === 'silent' || late.some((one) => one.missing > 0) ? SUSPICIOUS_MS : RUNNING_MS)
  }
  const listLate = () => {
    const before = performance.now() - LATE_MS
    return [...running].filter(({ startedAt }) => startedAt <= before)
  }
  const end = (late: readonly Running[]) => {
    if (late.length > 0) lost()
    // Closes the socket at once, because a statement is active.
    for (const { client } of late) void (client as unknown as Client).end().catch(() => {})
  }

  return {
    async watch(client, result) {
      const received = bytesReceived(client)
      const one: Running = { client, startedAt: performance.now(), missing: 0, received }
      running.add(one)
      if (timer === null) schedule(LATE_MS)
      try {
        return await result
      } finally {
        running.delete(one)
      }
    },
    close() {
      isClosed = true
      if (timer) clearTimeout(timer)
      timer = null
    },
  }
}

function compare(one: Running, sessions: ReadonlySet<number | null>): void {
  // The session is idle as soon as it has sent the response, which may take long to arrive.
  const received = bytesReceived(one.client)
  const isAlive = sessions.has(processIdOf(one.client)) || received !== one.received
  one.received = received
  one.missing = isAlive ? 0 : one.missing + 1
}

/** The sessions that run a statement, or that keep what they do secret. */
const SESSIONS = `select pid, pg_backend_pid() as own from pg_stat_activity
  where state is null or state not like 'idle%'`

/** `unknown`: the server responds, and nothing can be said about its sessions. */
async function runningSessions(config: ClientConfig): Promise<Set<number | null> | 'silent' | 'unknown'> {
  const client = new Client({
    ...config,
    connectionTimeoutMillis: PROBE_MS,
    query_timeout: PROBE_MS,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ pid: number; own: number }>(SESSIONS)
    const isDirect = rows[0]?.own === processIdOf(client)
    return isDirect ? new Set(rows.map(({ pid }) => pid)) : 'unknown'
  } catch (error) {
    // Too many connections, starting: the server refuses, but it is there.
    return isFromServer(error) ? 'unknown' : 'silent'
  } finally {
    // A server that is gone does not end the connection.
    await Promise.race([client.end().catch(() => {}), delay(PROBE_MS, undefined, { ref: false })])
  }
}

function isFromServer(error: unknown): error is DatabaseError {
  return codeOf(error) !== undefined && error instanceof Error && 'severity' in error
}

function bytesReceived(client: PoolClient): number {
  const { connection } = client as {
    readonly connection?: { readonly stream?: { readonly bytesRead?: number } }
  }
  return connection?.stream?.bytesRead ?? 0
}

/** The driver has it, and its types do not. */
function processIdOf(client: PoolClient | Client): number | null {
  return 'processID' in client && typeof client.processID === 'number' ? client.processID : null
}
