import { closeSync, existsSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { StartError } from '../lib/errors.ts'
import { copyBinaries, INSTEAD, run, type Binaries } from './embedded-binaries.ts'

/** How the database's programs run: PostgreSQL refuses to run as root. */
export interface Runner {
  readonly binaries: Binaries
  /** Put before each program. */
  readonly prefix: readonly string[]
  /** The user to become, when not ourselves. */
  readonly become?: Account
  /** Whom the data must belong to, when we could change that. */
  readonly owner?: Account
  /** The data is handed over as an open folder, because its path is closed to that user. */
  readonly isHandedOver?: boolean
}

export interface Account {
  readonly uid: number
  readonly gid: number
}

/** Accounts that are made for this sort of thing, the best first. */
const PREFERRED = ['pennant', 'postgres', 'node', 'nobody', 'daemon']

export interface RunnerOptions {
  readonly binaries: Binaries
  readonly dataDir: string
  /** Whom the data belongs to already. */
  readonly owner: Account | null
}

/** The first way that works here. */
export async function chooseRunner({ binaries, dataDir, owner }: RunnerOptions): Promise<Runner> {
  if (process.getuid?.() !== 0) return { binaries, prefix: [] }
  const named = await findAccount()
  const account = owner !== null && owner.uid !== 0 ? owner : named
  const canRun = account !== null && (await canStart(account, binaries))
  const canCome = account !== null && (await canEnter(account, binaries, dataDir))
  if (canRun && canCome) return { binaries, prefix: [], become: account, owner: account }
  const namespace = named && (await userNamespace(named, binaries))
  if (namespace) return namespace
  if (account && existsSync('/proc/self/fd')) {
    const reachable = canRun ? binaries : await copyBinaries(binaries)
    const become = { become: account, owner: account, isHandedOver: !canCome }
    if (await canStart(account, reachable)) return { binaries: reachable, prefix: [], ...become }
  }
  throw new StartError(
    `the built-in database does not run as root: start Pennant as another user, or ${INSTEAD}`,
  )
}

/** initdb asks for the name of its user, so the account must have one. */
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

/** Tried rather than read from modes, so that access lists and mounts are right too. */
async function canStart({ uid, gid }: Account, { postgres, env }: Binaries): Promise<boolean> {
  return (await run([postgres, '--version'], { env, uid, gid })).status === 0
}

async function canEnter({ uid, gid }: Account, { env }: Binaries, folder: string): Promise<boolean> {
  return (await run(['/bin/sh', '-c', 'cd -- "$1"', 'sh', folder], { env, uid, gid })).status === 0
}

/** Root stays the owner of everything, and only calls itself by another number inside. */
async function userNamespace({ uid, gid }: Account, binaries: Binaries): Promise<Runner | null> {
  const prefix = ['unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`, '--']
  const { status } = await run([...prefix, binaries.postgres, '--version'], { env: binaries.env })
  return status === 0 ? { binaries, prefix, owner: { uid: 0, gid: 0 } } : null
}

/** How a program of the database is told its folder. */
export interface Target {
  readonly path: string
  readonly descriptor?: number
  close(): void
}

export function openTarget(folder: string, { isHandedOver }: Runner): Target {
  if (!isHandedOver) return { path: folder, close: () => {} }
  const descriptor = openSync(folder, 'r')
  return { path: '/proc/self/fd/3', descriptor, close: () => closeSync(descriptor) }
}
