import { existsSync } from 'node:fs'
import {
  chmod,
  lchown,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { basename, join } from 'node:path'
import { StartError } from '../lib/errors.ts'
import { INSTEAD, run } from './embedded-binaries.ts'
import { openTarget, type Account, type Runner } from './embedded-user.ts'
import { codeOf } from './failures.ts'

/** The only user of the built-in database; who may reach its socket is decided by the folder's mode. */
export const USER = 'pennant'

const UNFINISHED = 'postgres-new-'

/** Makes the folder that holds everything, or says why it cannot be used. */
export async function makeDataDir(dataDir: string): Promise<void> {
  await telling(dataDir, async () => {
    await mkdir(dataDir, { recursive: true })
    // Only writing tells whether one may write, and whether there is room.
    const trial = await mkdtemp(join(dataDir, '.writable-'))
    const written = writeFile(join(trial, 'room'), Buffer.alloc(65_536))
    await written.finally(() => rm(trial, { recursive: true }))
  })
}

/** Whether there is a database already; refuses what is not one of ours. */
export async function isMade(folder: string, major: string): Promise<boolean> {
  if (!existsSync(folder)) return false
  const names = await telling(folder, () => readdir(folder))
  if (names.length === 0) return false
  const made = await readFile(join(folder, 'PG_VERSION'), 'utf8').catch(() => null)
  if (made === null)
    throw new StartError(
      `${folder} holds files that are not a database: move them away, or set PENNANT_DATA_DIR to another folder`,
    )
  if (made.trim() !== major)
    throw new StartError(
      `${folder} was made by PostgreSQL ${made.trim()} and this Pennant brings ${major}: start the version that made it, back up there and restore here`,
    )
  return true
}

export async function ownerOf(folder: string): Promise<Account | null> {
  const found = await stat(folder).catch(() => null)
  return found && { uid: found.uid, gid: found.gid }
}

export interface MakeOptions {
  readonly dataDir: string
  readonly folder: string
  readonly runner: Runner
}

/** Makes the database beside its place and moves it there when it is whole, so that a crash leaves no half of one. */
export async function makeDatabase({ dataDir, folder, runner }: MakeOptions): Promise<void> {
  const { output, isThere } = await telling(dataDir, async () => {
    const fresh = await mkdtemp(join(dataDir, UNFINISHED))
    if (runner.owner) await lchown(fresh, runner.owner.uid, runner.owner.gid)
    const target = openTarget(fresh, runner)
    const { initdb, env } = runner.binaries
    const command = [...runner.prefix, initdb, '-D', target.path, '-U', USER, ...INITDB]
    const made = await run(command, { env, ...runner.become, descriptor: target.descriptor })
    target.close()
    // Another starter may have been faster, and then has removed ours.
    if (made.status === 0) await rename(fresh, folder).catch(ignore('ENOTEMPTY', 'EEXIST', 'ENOENT'))
    await syncFolder(dataDir)
    const found = await stat(join(folder, 'PG_VERSION')).catch(() => null)
    for (const name of await readdir(dataDir))
      if (name === basename(fresh) || (found && name.startsWith(UNFINISHED)))
        // Whose initdb still writes there, while it is removed, removes the rest itself.
        await rm(join(dataDir, name), { recursive: true, force: true }).catch(ignore('ENOTEMPTY'))
    if (made.output.includes('No space left')) throw Object.assign(new Error(made.output), { code: 'ENOSPC' })
    return { output: made.output, isThere: found !== null }
  })
  if (isThere) return
  const reason = /(?:error|FATAL|PANIC): +(.*)/i.exec(output)?.[1] ?? output.trim().split('\n').at(-1)
  const advice = reason?.includes('look up effective user')
    ? `: give it a line in /etc/passwd, or ${INSTEAD}`
    : ''
  throw new StartError(`cannot make the database in ${folder}: ${reason}${advice}`)
}

/** One collation everywhere, whatever the host's C library sorts like. */
const INITDB = ['--auth=trust', '--locale-provider=builtin', '--locale=C.UTF-8', '--encoding=UTF8']

/** Gives the data to whom it will run as. Only while nothing runs on it. */
export async function giveTo(folder: string, owner: Account | undefined): Promise<void> {
  if (owner && (await ownerOf(folder))?.uid !== owner.uid) {
    const names = await readdir(folder, { recursive: true })
    for (const name of names) await lchown(join(folder, name), owner.uid, owner.gid).catch(ignore('ENOENT'))
    // Last, so that what was interrupted is begun again.
    await lchown(folder, owner.uid, owner.gid)
  }
  // Volumes come with modes that PostgreSQL refuses.
  await chmod(folder, 0o700).catch(ignore('EPERM'))
}

/** A move is kept only when the folder that holds both names is. */
async function syncFolder(path: string): Promise<void> {
  const handle = await open(path)
  await handle.sync()
  await handle.close()
}

async function telling<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const code = codeOf(error)
    const advice = code === undefined ? undefined : ADVICE[code]
    if (advice === undefined) throw error
    throw new StartError(`cannot use the data folder ${folder} (${code}): ${advice}`, { cause: error })
  }
}

const ELSEWHERE = 'set PENNANT_DATA_DIR to another folder'
const CLOSED = `give it to the user that runs Pennant, or ${ELSEWHERE}`
const ADVICE: Readonly<Record<string, string>> = {
  EACCES: CLOSED,
  EPERM: CLOSED,
  ENOENT: `it cannot be made there; ${ELSEWHERE}`,
  EROFS: `it is read-only; ${ELSEWHERE}`,
  ENOTDIR: `a file is in its way; ${ELSEWHERE}`,
  EEXIST: `a file is in its way; ${ELSEWHERE}`,
  ENOSPC: `the disk is full; make room, or ${ELSEWHERE}`,
  EDQUOT: `the quota is used up; make room, or ${ELSEWHERE}`,
}

function ignore(...codes: string[]) {
  return (error: unknown) => {
    if (!codes.includes(codeOf(error) ?? '')) throw error
  }
}
