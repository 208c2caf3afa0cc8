import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { openClient, type DatabaseServer } from './databases.ts'
import { signalAll } from './processes.ts'
import type { Cleanups } from './cleanup.ts'

type PostgresFault = (deployment: {
  readonly database: DatabaseServer
  readonly cleanups: Cleanups
}) => Promise<void>

/** How long PostgreSQL is stopped, and how long free connections are missing. */
const STOPPED_MS = 10_000
const MISSING_MS = 5_000

export const POSTGRES_FAULTS: Readonly<Record<string, PostgresFault>> = {
  database: ({ database }) => database.end('SIGKILL'),
  // A fast shutdown ends all sessions and writes a checkpoint. An immediate one leaves a recovery to the next start.
  'database-restart': ({ database }) => database.end('SIGINT'),
  'database-immediate': ({ database }) => database.end('SIGQUIT'),
  'database-stopped': stopDatabase,
  connections: takeAllConnections,
}

/** Stops every process of PostgreSQL, so connections stay open and nothing responds. */
async function stopDatabase({ database, cleanups }: Parameters<PostgresFault>[0]): Promise<void> {
  const client = await openClient(database.url)
  const { rows } = await client.query<{ pid: number }>('select pid from pg_stat_activity')
  await client.end()
  await whileStopped([await database.pid(), ...rows.map((row) => row.pid)], cleanups, () => delay(STOPPED_MS))
}

/** Processes that are stopped do not end, so the cleanup of an interrupted run must continue them, too. */
export async function whileStopped(
  pids: readonly number[],
  cleanups: Cleanups,
  work: () => Promise<void>,
): Promise<void> {
  const resume = () => signalAll(pids, 'SIGCONT')
  await cleanups.add(resume)
  signalAll(pids, 'SIGSTOP')
  try {
    await work()
  } finally {
    resume()
  }
}

/** Takes every free connection, ends the sessions of the server, and takes those connections too. */
async function takeAllConnections({ database }: Parameters<PostgresFault>[0]): Promise<void> {
  const held: Client[] = []
  try {
    await takeFree(database.url, held)
    const own = await Promise.all(
      held.map(
        async (client) =>
          (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid,
      ),
    )
    await held[0]?.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where backend_type = 'client backend' and usename = current_user and pid <> all ($1::int[])`,
      [own],
    )
    const until = Date.now() + MISSING_MS
    while (Date.now() < until) {
      await takeFree(database.url, held)
      await delay(20)
    }
  } finally {
    await Promise.all(held.map((client) => client.end()))
  }
}

/** More than any `max_connections` that this deployment uses. */
const MAX_HELD = 500

async function takeFree(url: string, held: Client[]): Promise<void> {
  while (held.length < MAX_HELD) {
    try {
      held.push(await openClient(url))
    } catch (error) {
      // too_many_connections
      if ((error as { code?: string }).code === '53300') return
      throw error
    }
  }
}
