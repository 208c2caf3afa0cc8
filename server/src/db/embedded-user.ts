import { closeSync, existsSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { StartError } from '../lib/errors.ts'
import { copyBinaries, run, USE_DATABASE_URL, type Binaries } from './embedded-binaries.ts'

/** How to run the PostgreSQL programs, which refuse to run as root. */
export interface Runner {
  readonly binaries: Binaries
  /** Command line put before each program. */
  readonly prefix: readonly string[]
  /** Account that runs the programs; that of this process if absent. */
  readonly account?: Account
  /** Required owner of the data. Absent if this process cannot change it. */
  readonly owner?: Account
  /** Pass the data folder as a file descriptor, because the account cannot enter its path. */
  readonly passesDescriptor?: boolean
}

export interface Account {
  readonly uid: number
  readonly gid: number
}

/** Service accounts, in order of preference. */
const PREFERRED = ['pennant', 'postgres', 'node', 'nobody', 'daemon']

export interface RunnerOptions {
  readonly binaries: Binaries
  readonly dataDir: string
  /** Current owner of the data. */
  readonly owner: Account | null
}

/** Returns the first method that works on this system. */
export async function chooseRunner({ binaries, dataDir, owner }: RunnerOptions): Promise<Runner> {
  if (process.getuid?.() !== 0) return { binaries, prefix: [] }
  const named = await findAccount()
  const account = owner !== null && owner.uid !== 0 ? owner : named
  const canRun = account !== null && (await canStart(account, binaries))
  const canReachData = account !== null && (await canEnter(account, binaries, dataDir))
  if (canRun && canReachData) return { binaries, prefix: [], account, owner: account }
  const namespace = named && (await userNamespace(named, binaries))
  if (namespace) return namespace
  if (account && existsSync('/proc/self/fd')) {
    const reachable = canRun ? binaries : await copyBinaries(binaries)
    if (await canStart(account, reachable))
      return { binaries: reachable, prefix: [], account, owner: account, passesDescriptor: !canReachData }
  }
  throw new StartError(
    `the built-in database cannot run as root: start Pennant as another user, or ${USE_DATABASE_URL}`,
  )
}

/** initdb looks up the name of its user, so the account must be in /etc/passwd. */
async function findAccount(): Promise<Account | null> {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '')
  const accounts = new Map<string, Account>()
  for (const line of passwd.split('\n')) {
    const [name = '', , uid, gid] = line.split(':')
    if (Number(uid) > 0 && Number(gid) > 0) accounts.set(name, { uid: Number(uid), gid: Number(gid) })
  }
  const name = [...PREFERRED, ...accounts.keys()].find((candidate) => accounts.has(candidate))
  return (name !== undefined && accounts.get(name)) || null
}

/** Tested by running the program: file modes do not show access control lists and mount options. */
async function canStart({ uid, gid }: Account, { postgres, env }: Binaries): Promise<boolean> {
  return (await run([postgres, '--version'], { env, uid, gid })).status === 0
}

async function canEnter({ uid, gid }: Account, { env }: Binaries, folder: string): Promise<boolean> {
  return (await run(['/bin/sh', '-c', 'cd -- "$1"', 'sh', folder], { env, uid, gid })).status === 0
}

/** In a user namespace, root appears as another uid. The files keep their owner. */
async function userNamespace({ uid, gid }: Account, binaries: Binaries): Promise<Runner | null> {
  const prefix = ['unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`, '--']
  const { status } = await run([...prefix, binaries.postgres, '--version'], { env: binaries.env })
  return status === 0 ? { binaries, prefix, owner: { uid: 0, gid: 0 } } : null
}

/** The data folder as a command-line argument, with the file descriptor that it refers to, if any. */
export interface Target {
  readonly path: string
  readonly descriptor?: number
  close(): void
}

export function openTarget(folder: string, { passesDescriptor }: Runner): Target {
  if (!passesDescriptor) return { path: folder, close: () => {} }
  const descriptor = openSync(folder, 'r')
  return { path: '/proc/self/fd/3', descriptor, close: () => closeSync(descriptor) }
}
