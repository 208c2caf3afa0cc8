import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { addressOf, startNetwork, throughNetwork, type Network } from '../../server/test/network.ts'
import { freePort, startInstance, type Instance } from '../lib/instance.ts'

const program = fileURLToPath(new URL('../../server/dist/main.js', import.meta.url))

/** A process that a fault may kill and start again. */
export interface Service {
  readonly name: string
  readonly url: string
  isKilled(): boolean
  start(): Promise<void>
  kill(): Promise<void>
  signal(name: NodeJS.Signals): void
}

export interface Deployment extends AsyncDisposable {
  readonly replicas: readonly Service[]
  readonly worker: Service
  /** Null if `redis-server` is not installed. */
  readonly redis: Service | null
  readonly databaseUrl: string
  /** Between the second replica and the database. */
  readonly network: Network
  /** Contains everything that the deployment stores. */
  readonly dataDir: string
  /** Sets the clock of the second replica off by some seconds; null if libfaketime is not installed. */
  readonly setClock: ((seconds: number) => void) | null
  /** Whether the data folder is a file system of its own. */
  readonly isSmallDisk: boolean
  /** The main process of the embedded database. */
  databasePid(): number
  createAdmin(): Promise<string>
  /** Compares the served standings with a recomputation; returns what `pennant verify` reported, or null. */
  verify(): Promise<string | null>
  /** Processes that ended without being killed. */
  readonly ended: string[]
}

/** A database of this size with its WAL fits, and the disk fills quickly. */
const DISK_SIZE = '600m'

/**
 * Starts two replicas and a worker that share an embedded database, and Redis if it is installed. The second replica
 * reaches the database through a network that can fail. With `isSmallDisk`, a tmpfs is mounted, which needs root.
 */
export async function startDeployment({ isSmallDisk }: { isSmallDisk: boolean }): Promise<Deployment> {
  const dataDir = await mkdtemp(join(tmpdir(), 'pennant-faults-'))
  const cleanups: (() => Promise<void>)[] = [() => rm(dataDir, { recursive: true, force: true })]
  const dispose = async () => {
    // In reverse order: the folder of the database is deleted after the processes that use it ended.
    for (const cleanup of cleanups.toReversed()) await cleanup()
  }
  try {
    if (isSmallDisk) {
      runAsRoot(['mount', '-t', 'tmpfs', '-o', `size=${DISK_SIZE},mode=0700`, 'tmpfs', dataDir])
      cleanups.push(async () => runAsRoot(['umount', '-l', dataDir]))
    }
    const services = await startServices(dataDir, cleanups)
    return { ...services, dataDir, isSmallDisk, [Symbol.asyncDispose]: dispose }
  } catch (error) {
    await dispose()
    throw error
  }
}

function runAsRoot([command = '', ...args]: readonly string[]): void {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} failed: ${stderr}`)
}

async function startServices(
  dataDir: string,
  cleanups: (() => Promise<void>)[],
): Promise<Omit<Deployment, keyof AsyncDisposable | 'dataDir' | 'isSmallDisk'>> {
  const ended: string[] = []
  const redis = spawnSync('redis-server', ['--version']).status === 0 ? await redisService(ended) : null
  if (redis) cleanups.push(() => redis.kill())
  await redis?.start()
  const env = {
    LOG_LEVEL: 'silent',
    DATABASE_URL: '',
    REDIS_URL: redis?.url ?? '',
    PENNANT_REGISTRATION_LIMIT_BURST: '1000000',
    PENNANT_START_TIME: String(Date.now() - 60_000),
  }
  const start = async (name: string, variables: Readonly<Record<string, string>>) => {
    const service = await pennantService({ name, dataDir, env: { ...env, ...variables }, ended })
    cleanups.push(() => service.stop())
    await service.start()
    return service
  }
  const worker = await start('worker', { PENNANT_INSTANCE_TYPE: 'leaderboard' })
  const first = await start('replica 1', { PENNANT_INSTANCE_TYPE: 'frontend' })
  const folder = join(dataDir, 'postgres')
  const databaseUrl = `postgres://pennant@/postgres?host=${encodeURIComponent(folder)}&port=5432`
  const network = await startNetwork(addressOf(databaseUrl))
  cleanups.push(async () => network[Symbol.asyncDispose]())
  const clock = clockOf(join(dataDir, 'clock'))
  const second = await start('replica 2', {
    PENNANT_INSTANCE_TYPE: 'frontend',
    DATABASE_URL: throughNetwork(databaseUrl, network),
    ...clock?.env,
  })
  return {
    replicas: [first, second],
    worker,
    redis,
    ended,
    databaseUrl,
    network,
    setClock: clock?.set ?? null,
    databasePid: () => Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0]),
    createAdmin: () => first.createAdmin(),
    verify: () => verify(first.url, { ...process.env, ...env, PENNANT_DATA_DIR: dataDir }),
  }
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

interface PennantService extends Service {
  createAdmin(): Promise<string>
  stop(): Promise<void>
}

interface ServiceOptions {
  readonly name: string
  readonly dataDir: string
  readonly env: Readonly<Record<string, string>>
  readonly ended: string[]
}

async function pennantService({ name, dataDir, env, ended }: ServiceOptions): Promise<PennantService> {
  const port = await freePort()
  let instance: Instance | null = null
  return {
    name,
    url: `http://127.0.0.1:${port}`,
    isKilled: () => instance === null,
    async start() {
      const started = await startInstance({ dataDir, port, env })
      instance = started
      started.process.once('exit', (status) => {
        if (instance === started) ended.push(`${name} ended with status ${status}`)
      })
    },
    async kill() {
      const killed = instance
      instance = null
      if (killed) await endWith(killed.process, 'SIGKILL')
    },
    signal: (sent) => void instance?.process.kill(sent),
    async stop() {
      const stopped = instance
      instance = null
      if (stopped && stopped.process.exitCode === null) await stopped[Symbol.asyncDispose]()
    },
    async createAdmin() {
      if (!instance) throw new Error(`${name} does not run`)
      return (await instance.createAdmin('faults')).authToken
    },
  }
}

async function redisService(ended: string[]): Promise<Service> {
  const port = await freePort()
  let child: ChildProcess | null = null
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  return {
    name: 'Redis',
    url: `redis://127.0.0.1:${port}`,
    isKilled: () => child === null,
    async start() {
      const started = spawn('redis-server', options, { cwd: tmpdir(), stdio: ['ignore', 'pipe', 'inherit'] })
      child = started
      started.once('exit', (status) => {
        if (child === started) ended.push(`Redis ended with status ${status}`)
      })
      for await (const chunk of started.stdout.iterator({ destroyOnReturn: false })) {
        if (String(chunk).includes('Ready to accept connections')) break
      }
      started.stdout.resume()
    },
    async kill() {
      const killed = child
      child = null
      if (killed) await endWith(killed, 'SIGKILL')
    },
    signal: (sent) => void child?.kill(sent),
  }
}

async function endWith(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill(signal)
  await exit
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
