import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '../../server/src/lib/free-port.ts'
import { addressOf, startNetwork, throughNetwork, type Network } from '../../server/test/network.ts'
import { isReady } from '../../server/src/ops/demo/server.ts'
import { createAdmin, spawnServer } from '../lib/instance.ts'
import type { Cleanups } from './cleanup.ts'
import {
  embeddedDatabase,
  externalDatabase,
  findPostgres,
  mountSmallDisk,
  type DatabaseServer,
} from './databases.ts'
import { startFailoverCluster, type FailoverCluster } from './failover-cluster.ts'
import { startRouter, type Router } from './packet-faults.ts'
import { pooledDatabase } from './pooled-database.ts'
import { spawnQuietly, startProgram, type Service, type Surroundings } from './processes.ts'
import { send } from './redis-faults.ts'

const program = fileURLToPath(new URL('../../server/dist/main.js', import.meta.url))

export const DATABASES = ['embedded', 'external', 'pooled', 'failover'] as const

export interface Deployment {
  readonly replicas: readonly Service[]
  readonly worker: Service
  /** Null if `redis-server` is not installed. */
  readonly redis: Service | null
  readonly cleanups: Cleanups
  readonly databaseUrl: string
  readonly database: DatabaseServer
  /** The same database, if it has standbys. */
  readonly cluster: FailoverCluster | null
  /** Between the second replica and the database. */
  readonly network: Network
  /** Null if no packets are to be lost. */
  readonly router: Router | null
  /** Sets the clock of the second replica off by some seconds; null if libfaketime is not installed. */
  readonly setClock: ((seconds: number) => void) | null
  /** Whether the data of the database is on a file system of its own. */
  readonly isSmallDisk: boolean
  createAdmin(): Promise<string>
  /** Compares the served standings with a recomputation; returns what `pennant verify` reported, or null. */
  verify(): Promise<string | null>
  /** Processes that ended without being killed. */
  readonly ended: string[]
}

/** A database of this size with its WAL fits, and the disk fills quickly. */
const DISK_SIZE = '600m'

export interface DeploymentOptions {
  readonly database: (typeof DATABASES)[number]
  /** Mounts a tmpfs for the database, which needs root. */
  readonly isSmallDisk: boolean
  /** Creates a network namespace, which needs root. */
  readonly isRouted: boolean
  readonly env?: Readonly<Record<string, string>>
  /** A folder that the servers write their logs to. */
  readonly logs?: string | undefined
}

/**
 * Starts two replicas and a worker that share a database, and Redis if it is installed. The second replica reaches the
 * database through a network that can fail.
 */
export async function startDeployment(options: DeploymentOptions, cleanups: Cleanups): Promise<Deployment> {
  const { isSmallDisk } = options
  const ended: string[] = []
  const surroundings = { cleanups, ended }
  const dataDir = await mkdtemp(join(tmpdir(), 'pennant-faults-'))
  await cleanups.add(() => rm(dataDir, { recursive: true, force: true }))
  const database = await startDatabase(options, { ...surroundings, dataDir })
  const isEmbedded = options.database === 'embedded'
  const redis = await redisService(surroundings)
  const env = {
    LOG_LEVEL: options.logs === undefined ? 'silent' : 'info',
    DATABASE_URL: isEmbedded ? '' : database.url,
    REDIS_URL: redis?.url ?? '',
    PENNANT_REGISTRATION_LIMIT_BURST: '1000000',
    PENNANT_START_TIME: String(Date.now() - 60_000),
    ...options.env,
  }
  const start = (name: string, variables: Readonly<Record<string, string>>) =>
    pennantService({ name, dataDir, env: { ...env, ...variables }, logs: options.logs }, surroundings)
  const worker = await start('worker', { PENNANT_INSTANCE_TYPE: 'leaderboard' })
  const first = await start('replica 1', { PENNANT_INSTANCE_TYPE: 'frontend' })
  const router = options.isRouted ? await startRouter(cleanups) : null
  const network = await startNetwork(addressOf(database.url), router?.listenOn)
  await cleanups.add(async () => network[Symbol.asyncDispose]())
  router?.forward(network.port)
  const clock = clockOf(join(dataDir, 'clock'))
  const second = await start('replica 2', {
    PENNANT_INSTANCE_TYPE: 'frontend',
    DATABASE_URL: throughNetwork(database.url, {
      ...(router && { host: router.address }),
      port: network.port,
    }),
    ...clock?.env,
  })
  return {
    replicas: [first, second],
    worker,
    redis,
    cleanups,
    ended,
    database,
    cluster: isCluster(database) ? database : null,
    databaseUrl: database.url,
    network,
    router,
    isSmallDisk: isSmallDisk && options.database !== 'failover',
    setClock: clock?.set ?? null,
    createAdmin: async () => (await createAdmin('faults', { dataDir, port: 0, env })).authToken,
    verify: () => verify(first.url, { ...process.env, ...env, PENNANT_DATA_DIR: dataDir }),
  }
}

function isCluster(database: DatabaseServer): database is FailoverCluster {
  return 'nodes' in database
}

async function startDatabase(
  { database, isSmallDisk }: DeploymentOptions,
  { dataDir, ...surroundings }: Surroundings & { readonly dataDir: string },
): Promise<DatabaseServer> {
  const diskSize = isSmallDisk ? DISK_SIZE : null
  if (database === 'embedded') {
    if (diskSize !== null) await mountSmallDisk(dataDir, diskSize, surroundings.cleanups)
    return await embeddedDatabase(dataDir, surroundings.cleanups)
  }
  const bin = await findPostgres()
  if (bin === null) throw new Error('PostgreSQL is not installed in /usr/lib/postgresql')
  if (database === 'failover') return await startFailoverCluster(surroundings, bin)
  const start = database === 'pooled' ? pooledDatabase : externalDatabase
  return await start(surroundings, { bin, diskSize })
}

/** Where distributions install libfaketime. */
const FAKETIME_FOLDERS = [
  `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/faketime`,
  '/usr/lib64/faketime',
  '/usr/lib/faketime',
]

/** The clock is a file that the library reads. Timers keep the real one. */
function clockOf(file: string) {
  const library = FAKETIME_FOLDERS.map((folder) => `${folder}/libfaketimeMT.so.1`).find(existsSync)
  if (library === undefined) return null
  const set = (seconds: number) => writeFileSync(file, `${seconds < 0 ? '' : '+'}${seconds}s\n`)
  set(0)
  const env = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
  return { set, env }
}

interface ServiceOptions {
  readonly name: string
  readonly dataDir: string
  readonly env: Readonly<Record<string, string>>
  readonly logs: string | undefined
}

async function pennantService(
  { name, dataDir, env, logs }: ServiceOptions,
  surroundings: Surroundings,
): Promise<Service> {
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const output = logs === undefined ? 'ignore' : openSync(join(logs, `${name}.log`), 'a')
  const spawnIt = () => spawnServer({ dataDir, port, env, output })
  return await startProgram({ name, url, spawn: spawnIt, isReady: () => isReady(url) }, surroundings)
}

/** Null if it is not installed. */
async function redisService(surroundings: Surroundings): Promise<Service | null> {
  if (spawnSync('redis-server', ['--version']).status !== 0) return null
  const port = await findFreePort()
  const url = `redis://127.0.0.1:${port}`
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  return await startProgram(
    {
      name: 'Redis',
      url,
      spawn: () => spawnQuietly('redis-server', options, { cwd: tmpdir() }),
      isReady: async () => (await send(url, 'PING')).startsWith('+PONG'),
    },
    surroundings,
  )
}

async function verify(url: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  const child = spawn(process.execPath, [program, 'verify', '--url', url], { env })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
  }
  const [status] = (await once(child, 'close')) as [number | null]
  return status === 0 ? null : text.trim()
}
