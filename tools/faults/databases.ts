import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { findFreePort } from '../../server/src/lib/free-port.ts'
import type { Cleanups } from './cleanup.ts'
import { signalAll, spawnQuietly, startProgram, type Surroundings } from './processes.ts'

/** The database of the deployment, and who runs it. */
export interface DatabaseServer {
  readonly url: string
  /** Contains its data. */
  readonly folder: string
  /** The main process. Rejects if there is none. */
  pid(): Promise<number>
  /** Ends the main process, and waits until another one accepts connections. */
  end(name: NodeJS.Signals): Promise<void>
}

/** Longest time until the database accepts connections again. */
const START_LIMIT_MS = 60_000

/** The servers of Pennant start it in their data folder, and start it again after it ended. */
export async function embeddedDatabase(dataDir: string, cleanups: Cleanups): Promise<DatabaseServer> {
  const folder = join(dataDir, 'postgres')
  const url = `postgres://pennant@/postgres?host=${encodeURIComponent(folder)}&port=5432`
  const pid = async () => pidOf(folder)
  // It outlives servers that are killed.
  await cleanups.add(() => endPostgres(folder))
  return {
    url,
    folder,
    pid,
    async end(name) {
      const before = await pid()
      process.kill(before, name)
      await untilDone(async () => {
        if ((await pid()) === before) throw new Error('the database was not started again')
        await (await openClient(url)).end()
      })
    },
  }
}

export function pidOf(folder: string): number {
  return Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0])
}

/** Ends what is left of a server after everything that uses it has ended. */
async function endPostgres(folder: string): Promise<void> {
  while (existsSync(join(folder, 'postmaster.pid'))) {
    const pid = pidOf(folder)
    if (!existsSync(`/proc/${pid}`)) return
    signalAll([pid], 'SIGQUIT')
    await delay(20)
  }
}

/** Repeats until it succeeds. */
export async function untilDone(attempt: () => Promise<void>): Promise<void> {
  const deadline = performance.now() + START_LIMIT_MS
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (performance.now() > deadline) throw error
    }
    await delay(20)
  }
}

/** With a limit, connecting and each statement take no longer. */
export async function openClient(connectionString: string, limitMs?: number): Promise<Client> {
  const limits = limitMs === undefined ? {} : { connectionTimeoutMillis: limitMs, query_timeout: limitMs }
  const client = new Client({ connectionString, ...limits })
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Where the programs of the newest installed PostgreSQL are, or null. */
export async function findPostgres(): Promise<string | null> {
  const versions = await readdir('/usr/lib/postgresql').catch(() => [])
  const folders = versions
    .toSorted((a, b) => Number(b) - Number(a))
    .map((v) => `/usr/lib/postgresql/${v}/bin`)
  return folders.find((folder) => existsSync(`${folder}/initdb`)) ?? null
}

/** PostgreSQL refuses to run as root: then it runs as the user of Debian's package. */
export function databaseAccount(): { readonly uid: number; readonly gid: number } | null {
  if (process.getuid?.() !== 0) return null
  const [uid = NaN, gid = NaN] = ['-u', '-g'].map((option) =>
    Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' })),
  )
  return { uid, gid }
}

/** A folder that the account of the database can enter and use. With a size, it is a file system of its own. */
export async function createDatabaseFolder(cleanups: Cleanups, size: string | null): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pennant-faults-database-'))
  // Processes that were killed may still end.
  await cleanups.add(() => rm(folder, { recursive: true, force: true, maxRetries: 20 }))
  if (size !== null) await mountSmallDisk(folder, size, cleanups)
  const account = databaseAccount()
  if (account) await chown(folder, account.uid, account.gid)
  await chmod(folder, 0o700)
  return folder
}

export async function mountSmallDisk(folder: string, size: string, cleanups: Cleanups): Promise<void> {
  must('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=0700`, 'tmpfs', folder])
  await cleanups.add(() => must('umount', ['-l', folder]))
}

function must(command: string, args: readonly string[], options: object = {}): void {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8', ...options })
  if (status !== 0) throw new Error(`${command} failed: ${error?.message ?? stderr}`)
}

/** As PostgreSQL is installed by distributions, but small, so that a checkpoint fits on a small disk. */
const SETTINGS = { max_wal_size: '128MB', shared_buffers: '64MB', log_min_messages: 'panic' }

/** A separate server of this tool, which starts it again after it ended, as systemd would. */
export async function externalDatabase(
  surroundings: Surroundings,
  { bin, diskSize }: { readonly bin: string; readonly diskSize: string | null },
): Promise<DatabaseServer> {
  const folder = await createDatabaseFolder(surroundings.cleanups, diskSize)
  const account = databaseAccount()
  const data = join(folder, 'data')
  await mkdir(data)
  if (account) await chown(data, account.uid, account.gid)
  must(`${bin}/initdb`, ['-D', data, '-U', 'postgres', '--auth=trust', '-N'], { ...account, cwd: '/' })
  const port = await findFreePort()
  const urlOf = (user: string, database: string) => `postgres://${user}@127.0.0.1:${port}/${database}`
  const settings = { ...SETTINGS, listen_addresses: '127.0.0.1', port, unix_socket_directories: '' }
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const service = await startProgram(
    {
      name: 'PostgreSQL',
      url: urlOf('postgres', 'postgres'),
      spawn: () => spawnQuietly(`${bin}/postgres`, ['-D', data, ...options], { ...account, cwd: '/' }),
      isReady: async () => {
        await (await openClient(urlOf('postgres', 'postgres'))).end()
        return true
      },
      restarts: true,
    },
    surroundings,
  )
  const client = await openClient(service.url)
  await client.query('create role pennant login')
  await client.query('create database pennant owner pennant')
  await client.end()
  return {
    url: urlOf('pennant', 'pennant'),
    folder,
    pid: async () => pidOf(data),
    async end(name) {
      await service.kill(name)
      // A start fails while sessions of the server that was killed still end.
      await untilDone(() => service.start())
    },
  }
}
