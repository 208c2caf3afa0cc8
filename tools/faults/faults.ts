import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import type { Deployment, Service } from './deployment.ts'
import { CLOCK_FAULTS, DISK_FAULTS, NETWORK_FAULTS } from './host-faults.ts'
import { REDIS_FAULTS } from './redis-faults.ts'

/** Applies a fault once. Returns when what failed may work again: the caller measures the recovery from there. */
export type Fault = (deployment: Deployment, round: number) => Promise<void>

/** How long PostgreSQL is stopped, and how long Redis or free connections are missing. */
const STOPPED_MS = 10_000
const MISSING_MS = 5_000
const GONE_MS = 60_000

export const FAULTS: Readonly<Record<string, Fault>> = {
  replica: async ({ replicas }, round) => restart(replicas.slice(round % 2).slice(0, 1)),
  worker: ({ worker }) => restart([worker]),
  database: (deployment) => endDatabase(deployment, 'SIGKILL'),
  all: async (deployment) => {
    const services = [...deployment.replicas, deployment.worker]
    await Promise.all([endDatabase(deployment, 'SIGKILL'), restart(services)])
  },
  // PostgreSQL calls this a fast shutdown: it ends all sessions and writes a checkpoint.
  'database-restart': (deployment) => endDatabase(deployment, 'SIGINT'),
  'database-stopped': stopDatabase,
  connections: takeAllConnections,
  redis: ({ redis }) => restart(redis ? [redis] : []),
  'redis-missing': ({ redis }) => restart(redis ? [redis] : [], MISSING_MS),
  'redis-gone': ({ redis }) => restart(redis ? [redis] : [], GONE_MS),
  ...REDIS_FAULTS,
  ...NETWORK_FAULTS,
  ...CLOCK_FAULTS,
  ...DISK_FAULTS,
}

/** Why the fault cannot happen here, or null. */
export function reasonToSkip(name: string, { redis, setClock, isSmallDisk }: Deployment): string | null {
  if (name.startsWith('redis') && !redis) return 'redis-server is not installed'
  if (Object.hasOwn(CLOCK_FAULTS, name) && !setClock) return 'libfaketime is not installed'
  if (Object.hasOwn(DISK_FAULTS, name) && !isSmallDisk) return 'a tmpfs can only be mounted by root'
  return null
}

async function restart(services: readonly Service[], missingMs = 0): Promise<void> {
  await Promise.all(services.map((service) => service.kill()))
  await delay(missingMs)
  await Promise.all(services.map((service) => service.start()))
}

/** Longest time in which the servers must have started the database again. */
const DATABASE_START_LIMIT_MS = 60_000

/** Ends the database and waits until another one, which the servers start, accepts connections. */
async function endDatabase({ databasePid, databaseUrl }: Deployment, name: NodeJS.Signals): Promise<void> {
  const before = databasePid()
  process.kill(before, name)
  const deadline = Date.now() + DATABASE_START_LIMIT_MS
  while (Date.now() < deadline) {
    try {
      if (databasePid() !== before) return await (await open(databaseUrl)).end()
    } catch {
      // No file with its process id, or no connection: it has not started yet.
    }
    await delay(20)
  }
  throw new Error('the database was not started again')
}

/** Stops every process of PostgreSQL, so connections stay open and nothing responds. */
async function stopDatabase({ databasePid, databaseUrl }: Deployment): Promise<void> {
  const pid = databasePid()
  const client = await open(databaseUrl)
  const { rows } = await client.query<{ pid: number }>('select pid from pg_stat_activity')
  await client.end()
  const pids = [pid, ...rows.map((row) => row.pid)]
  for (const one of pids) signal(one, 'SIGSTOP')
  try {
    await delay(STOPPED_MS)
  } finally {
    for (const one of pids) signal(one, 'SIGCONT')
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    // A session may have ended since it was listed.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Takes every free connection, ends the sessions of the server, and takes those connections too. */
async function takeAllConnections({ databaseUrl }: Deployment): Promise<void> {
  const held: Client[] = []
  try {
    await takeFree(databaseUrl, held)
    const own = await Promise.all(
      held.map(
        async (client) =>
          (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid,
      ),
    )
    await held[0]?.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where backend_type = 'client backend' and pid <> all ($1::int[])`,
      [own],
    )
    const until = Date.now() + MISSING_MS
    while (Date.now() < until) {
      await takeFree(databaseUrl, held)
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
      held.push(await open(url))
    } catch (error) {
      // too_many_connections
      if ((error as { code?: string }).code === '53300') return
      throw error
    }
  }
}

async function open(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString })
  client.on('error', () => {})
  await client.connect()
  return client
}
