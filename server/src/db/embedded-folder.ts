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
import { run, USE_DATABASE_URL } from './embedded-binaries.ts'
import { openTarget, type Account, type Runner } from './embedded-user.ts'
import { codeOf } from './failures.ts'

/** The only user of the built-in database. The mode of the folder controls who can connect. */
export const USER = 'pennant'

const UNFINISHED = 'postgres-new-'

/** Creates the data folder, or throws a StartError that says why it cannot be used. */
export async function createDataDir(dataDir: string): Promise<void> {
  await withAdvice(dataDir, async () => {
    await mkdir(dataDir, { recursive: true })
    // Permission and free space can only be tested by writing.
    const trial = await mkdtemp(join(dataDir, '.writable-'))
    const written = writeFile(join(trial, 'trial'), Buffer.alloc(65_536))
    await written.finally(() => rm(trial, { recursive: true }))
  })
}

/** Whether the folder contains a database. Throws if it contains anything else, or one of another major version. */
export async function isInitialized(folder: string, major: string): Promise<boolean> {
  if (!existsSync(folder)) return false
  const names = await withAdvice(folder, () => readdir(folder))
  if (names.length === 0) return false
  const version = await readFile(join(folder, 'PG_VERSION'), 'utf8').catch(() => null)
  if (version === null)
    throw new StartError(
      `${folder} contains files that are not a database: move them, or set PENNANT_DATA_DIR to another folder`,
    )
  if (version.trim() !== major)
    throw new StartError(
      `${folder} was created by PostgreSQL ${version.trim()}, but this version of Pennant includes PostgreSQL ${major}: start the version of Pennant that created it, make a backup, and restore the backup here`,
    )
  return true
}

export async function ownerOf(folder: string): Promise<Account | null> {
  const found = await stat(folder).catch(() => null)
  return found && { uid: found.uid, gid: found.gid }
}

export interface CreateOptions {
  readonly dataDir: string
  readonly folder: string
  readonly runner: Runner
}

/** Creates the database in a temporary folder and renames it, so that a crash leaves no incomplete database. */
export async function createDatabase({ dataDir, folder, runner }: CreateOptions): Promise<void> {
  const { output, exists } = await withAdvice(dataDir, async () => {
    const temporary = await mkdtemp(join(dataDir, UNFINISHED))
    if (runner.owner) await lchown(temporary, runner.owner.uid, runner.owner.gid)
    const target = openTarget(temporary, runner)
    const { initdb, env } = runner.binaries
    const command = [...runner.prefix, initdb, '-D', target.path, '-U', USER, ...INITDB]
    const result = await run(command, { env, ...runner.account, descriptor: target.descriptor })
    target.close()
    // Another process that starts at the same time may have created the database first and removed this folder.
    if (result.status === 0) await rename(temporary, folder).catch(ignore('ENOTEMPTY', 'EEXIST', 'ENOENT'))
    await syncFolder(dataDir)
    const found = await stat(join(folder, 'PG_VERSION')).catch(() => null)
    for (const name of await readdir(dataDir))
      if (name === basename(temporary) || (found && name.startsWith(UNFINISHED)))
        // If another initdb is still writing there, its process removes the rest.
        await rm(join(dataDir, name), { recursive: true, force: true }).catch(ignore('ENOTEMPTY'))
    if (result.output.includes('No space left'))
      throw Object.assign(new Error(result.output), { code: 'ENOSPC' })
    return { output: result.output, exists: found !== null }
  })
  if (exists) return
  const reason = /(?:error|FATAL|PANIC): +(.*)/i.exec(output)?.[1] ?? output.trim().split('\n').at(-1)
  const advice = reason?.includes('look up effective user')
    ? `: add this user to /etc/passwd, or ${USE_DATABASE_URL}`
    : ''
  throw new StartError(`cannot create the database in ${folder}: ${reason}${advice}`)
}

/** The built-in locale provider sorts the same on every host, unlike the C library. */
const INITDB = ['--auth=trust', '--locale-provider=builtin', '--locale=C.UTF-8', '--encoding=UTF8']

/** Changes the owner of the data to the account that runs the server. Call only while no server is running. */
export async function changeOwner(folder: string, owner: Account | undefined): Promise<void> {
  if (owner && (await ownerOf(folder))?.uid !== owner.uid) {
    const names = await readdir(folder, { recursive: true })
    for (const name of names) await lchown(join(folder, name), owner.uid, owner.gid).catch(ignore('ENOENT'))
    // The folder last, so that an interrupted change is repeated.
    await lchown(folder, owner.uid, owner.gid)
  }
  // Volumes often have modes that PostgreSQL rejects.
  await chmod(folder, 0o700).catch(ignore('EPERM'))
}

/** A rename survives a crash only after the parent folder was synced. */
async function syncFolder(path: string): Promise<void> {
  const handle = await open(path)
  await handle.sync()
  await handle.close()
}

/** Converts file system errors that an operator can fix to a StartError with advice. */
async function withAdvice<T>(folder: string, work: () => Promise<T>): Promise<T> {
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
const NO_PERMISSION = `make the user that runs Pennant its owner, or ${ELSEWHERE}`
const ADVICE: Readonly<Record<string, string>> = {
  EACCES: NO_PERMISSION,
  EPERM: NO_PERMISSION,
  ENOENT: `it cannot be created there; ${ELSEWHERE}`,
  EROFS: `it is read-only; ${ELSEWHERE}`,
  ENOTDIR: `part of the path is a file; ${ELSEWHERE}`,
  EEXIST: `a file with this name exists; ${ELSEWHERE}`,
  ENOSPC: `the disk is full; free some space, or ${ELSEWHERE}`,
  EDQUOT: `the disk quota is exceeded; free some space, or ${ELSEWHERE}`,
}

function ignore(...codes: string[]) {
  return (error: unknown) => {
    if (!codes.includes(codeOf(error) ?? '')) throw error
  }
}
