import { mkdir, open, readdir, readFile, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from '../lib/errors.ts'

/** Files of ours that are kept beside the embedded database. */
export const TOKEN_KEY_FILE = 'token-key'
export const START_TIME_FILE = 'start-time'

/** What may be in a folder that is ours: a folder of someone else's work must not be written to by mistake. */
const OURS = /^(token-key|start-time|postgres(-libraries|\.log)?|uploads)$/
/** Also what operators may put there before the first start, and what an upload to a bucket leaves on its way. */
const HARMLESS = /^(lost\+found|theme\.css|staging|\..*)$/

/** How long a value may be on its way from another process that starts now. */
const READ_TRIES = 20
const READ_PAUSE_MS = 25

/** Makes the data folder or checks that it is one of ours. */
export async function openDataFolder(folder: string): Promise<void> {
  try {
    // Others may pass through, as the user that runs the embedded database must, but not look around.
    await makeFolder(folder)
    const names = await readdir(folder)
    if (names.every((name) => HARMLESS.test(name)) || names.some((name) => OURS.test(name))) return
  } catch (error) {
    throw await refusal(folder, error)
  }
  throw new StartError(
    `${folder} holds other files; set PENNANT_DATA_DIR to an empty folder for Pennant's data.`,
  )
}

/** With its parents. One by one, since Node's own way tries for ever where none can be made, as under /proc. */
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

/** A value that the first start makes and all later ones find, also when two start at once. */
export async function keepValue(folder: string, name: string, make: () => string): Promise<string> {
  const path = join(folder, name)
  try {
    const file = await open(path, 'wx', 0o600)
    try {
      await file.writeFile(`${make()}\n`)
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
  throw new StartError(`${path} is not whole; put back a copy of it, or delete it to have a new one made.`)
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
    // What making a folder with its parents says on a read-only disk.
    case 'ENOENT':
      return new StartError(
        `${path} is on a read-only disk; set PENNANT_DATA_DIR to a folder that can be written.`,
      )
    default:
      return error
  }
}

/** Who could write there: the owner of the path, or of the first folder above it that is there. */
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

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
