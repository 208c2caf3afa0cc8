import { mkdir, open, readdir, readFile, rename, stat, unlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from '../db/failures.ts'
import { StartError } from '../lib/errors.ts'
import { giveToFolderOwner } from '../lib/folder-owner.ts'

/** Pennant's files in the data folder, next to the embedded database. */
export const TOKEN_KEY_FILE = 'token-key'
/** Values of the event that a restore brought back; the configuration overrides them. */
export const RESTORED_FILE = 'restored.yaml'
/** What a restore is about to put into the other files, until it has. */
export const PENDING_FILE = 'restore-pending.json'

/**
 * Allowed contents of a data folder: the server must not write to a folder with unrelated files by mistake.
 */
const OURS =
  /^(token-key|restored\.yaml|restore-pending\.json|first-admin-link|postgres(-libraries|\.log)?|uploads|backups)$/
/** Files that operators may add before the first start, and leftovers of bucket uploads. */
const HARMLESS = /^(lost\+found|theme\.css|staging|\..*)$/

/** Waits for another process that is writing the value at the same time. */
const READ_TRIES = 20
const READ_PAUSE_MS = 25

/** Replaces a value that a first start created. */
export async function replaceValue(folder: string, name: string, value: string): Promise<void> {
  const path = join(folder, name)
  const partial = `${path}.partial`
  await writeFile(partial, `${value}\n`, { mode: 0o600, flush: true })
  await giveToFolderOwner(partial)
  await rename(partial, path)
}

/** Creates the data folder, or checks that it is a Pennant data folder. */
export async function openDataFolder(folder: string): Promise<void> {
  try {
    // Others may traverse it, as the embedded database's user must, but not list it.
    await makeFolder(folder)
    const names = await readdir(folder)
    if (names.every((name) => HARMLESS.test(name)) || names.some((name) => OURS.test(name))) return
  } catch (error) {
    throw await refusal(folder, error)
  }
  throw new StartError(
    `${folder} contains other files; set PENNANT_DATA_DIR to an empty folder for Pennant's data.`,
  )
}

/**
 * Creates the folder and its parents one by one, since Node's recursive mkdir retries forever where none can
 * be created, such as under /proc.
 */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o711 })
  } catch (error) {
    const code = codeOf(error)
    const parent = dirname(folder)
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return
    const lacksParent = code === 'ENOENT' && parent !== folder && !(await isThere(parent))
    if (!lacksParent) throw error
    await makeFolder(parent)
    await makeFolder(folder)
  }
}

async function isThere(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  )
}

/**
 * Returns a value that the first start creates and all later ones reuse, even if two processes start at once.
 */
export async function readOrCreateValue(folder: string, name: string, make: () => string): Promise<string> {
  const path = join(folder, name)
  try {
    const file = await open(path, 'wx', 0o600)
    try {
      await file.writeFile(`${make()}\n`)
      await giveToFolderOwner(path)
      await file.sync()
    } catch (error) {
      await unlink(path)
      throw error
    } finally {
      await file.close()
    }
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw await refusal(path, error)
  }
  return await readValue(path)
}

async function readValue(path: string): Promise<string> {
  for (let tries = 0; tries < READ_TRIES; tries++) {
    const text = await readFile(path, 'utf8').catch(async (error: unknown) => {
      throw await refusal(path, error)
    })
    if (text.endsWith('\n')) return text.trim()
    await sleep(READ_PAUSE_MS)
  }
  throw new StartError(`${path} is incomplete; restore it from a backup, or delete it to create a new one.`)
}

/** The text of a file of the data folder; null if there is none. */
export async function readIfThere(path: string): Promise<string | null> {
  return await readFile(path, 'utf8').catch(async (error: unknown) => {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null
    throw await refusal(path, error)
  })
}

async function refusal(path: string, error: unknown): Promise<unknown> {
  switch (codeOf(error)) {
    case 'EACCES':
    case 'EPERM':
      return new StartError(
        `${await whose(path)}; run as that user, or set PENNANT_DATA_DIR to another folder.`,
      )
    case 'ENOTDIR':
    case 'EEXIST':
      return new StartError(`${path} is not a folder; set PENNANT_DATA_DIR to one.`)
    case 'EROFS':
    // The error of creating nested folders on a read-only disk.
    case 'ENOENT':
      return new StartError(`${path} is on a read-only disk; set PENNANT_DATA_DIR to a writable folder.`)
    default:
      return error
  }
}

/** The owner of the path, or of its nearest existing parent. */
async function whose(path: string): Promise<string> {
  try {
    return `${path} belongs to user ${(await stat(path)).uid}`
  } catch (error) {
    const isTop = dirname(path) === path
    return isTop || codeOf(error) === 'EACCES'
      ? `${path} belongs to another user`
      : await whose(dirname(path))
  }
}
