import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort, startInstance, type Instance } from '../lib/instance.ts'

const program = fileURLToPath(new URL('../../server/dist/main.js', import.meta.url))

/** A process that a fault may kill and start again. */
export interface Service {
  readonly name: string
  readonly url: string
  isKilled(): boolean
  start(): Promise<void>
  kill(): Promise<void>
}

export interface Deployment extends AsyncDisposable {
  readonly replicas: readonly Service[]
  readonly worker: Service
  /** Null if `redis-server` is not installed. */
  readonly redis: Service | null
  readonly databaseUrl: string
  /** The main process of the embedded database. */
  databasePid(): number
  createAdmin(): Promise<string>
  /** Compares the served standings with a recomputation; returns what `pennant verify` reported, or null. */
  verify(): Promise<string | null>
  /** Processes that ended without being killed. */
  readonly ended: string[]
}

/** Starts two replicas and a worker that share an embedded database, and Redis if it is installed. */
export async function startDeployment(): Promise<Deployment> {
  const dataDir = await mkdtemp(join(tmpdir(), 'pennant-faults-'))
  const cleanups: (() => Promise<void>)[] = [() => rm(dataDir, { recursive: true, force: true })]
  const dispose = async () => {
    // In reverse order: the folder of the database is deleted after the processes that use it ended.
    for (const cleanup of cleanups.toReversed()) await cleanup()
  }
  try {
    return { ...(await startServices(dataDir, cleanups)), [Symbol.asyncDispose]: dispose }
  } catch (error) {
    await dispose()
    throw error
  }
}

async function startServices(
  dataDir: string,
  cleanups: (() => Promise<void>)[],
): Promise<Omit<Deployment, keyof AsyncDisposable>> {
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
  const services: PennantService[] = []
  const roles = [
    ['worker', 'leaderboard'],
    ['replica 1', 'frontend'],
    ['replica 2', 'frontend'],
  ] as const
  for (const [name, role] of roles) {
    const service = await pennantService({
      name,
      dataDir,
      env: { ...env, PENNANT_INSTANCE_TYPE: role },
      ended,
    })
    cleanups.push(() => service.stop())
    await service.start()
    services.push(service)
  }
  const [worker, first, second] = services
  if (!worker || !first || !second) throw new Error('a service is missing')
  const folder = join(dataDir, 'postgres')
  return {
    replicas: [first, second],
    worker,
    redis,
    ended,
    databaseUrl: `postgres://pennant@/postgres?host=${encodeURIComponent(folder)}&port=5432`,
    databasePid: () => Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0]),
    createAdmin: () => first.createAdmin(),
    verify: () => verify(first.url, { ...process.env, ...env, PENNANT_DATA_DIR: dataDir }),
  }
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
